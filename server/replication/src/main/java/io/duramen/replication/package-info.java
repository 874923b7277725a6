/** The port through which a shard's state machine sees its log, and the log of one node behind it. */
package io.duramen.replication;
