/**
 * The shard log: entries of records in segment files, group commit, recovery, and an index by partition. Knows nothing
 * of destinations or subscriptions.
 */
package io.duramen.log;
