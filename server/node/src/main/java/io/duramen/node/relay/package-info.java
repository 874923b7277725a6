/** What clients of this node say to shards that other nodes lead, and the other way round. */
package io.duramen.node.relay;
