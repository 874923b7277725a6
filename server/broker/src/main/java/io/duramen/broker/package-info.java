/** The state machine of a shard: it decides on requests, appends records, and changes its state by replaying them. */
package io.duramen.broker;
