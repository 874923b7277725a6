/** The shards of this node: each an agent with its disks and its thread. */
package io.duramen.node.shard;
