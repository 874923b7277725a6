/**
 * The log of a shard on several nodes: the shard log's own segments under a consensus engine, which is known here alone. The
 * engine decides; what it keeps on the disk and sends over the network is ours.
 */
package io.duramen.replication.raft;
