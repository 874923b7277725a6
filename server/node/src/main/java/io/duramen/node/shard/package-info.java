/** A shard of this node: its agent with its disks and its thread. */
package io.duramen.node.shard;
