package io.duramen.management;

/** A shard of a node: {@code type=Shard,shard=N}. Counts are since the node started. */
public interface ShardMXBean {
    /** Number of the shard, from 0. */
    int getNumber();

    /** RECOVERING, LEADING, or STOPPED once it takes no more changes, see the node's log. */
    String getState();

    /** Destinations that it knows; shard 0 knows all of the node. */
    long getDestinations();

    /** Durable subscriptions that it knows; shard 0 knows all of the node. */
    long getDurableSubscriptions();

    /** Connections that have asked it for something. */
    long getConnections();

    /** Branches that are prepared, parts of transactions of several shards included. */
    long getPreparedBranches();

    long getMessagesStored();

    /** By queues and durable subscriptions, each for itself. */
    long getMessagesSettled();

    /** Index of the oldest entry that its log still has: what comes before, nobody needed any more. */
    long getLogFirstIndex();

    /** Index of the last entry appended to its log. */
    long getLogLastIndex();

    /** Index of the last entry known to be on disk. */
    long getLogDurableIndex();

    /** Files that hold entries. */
    long getLogSegments();

    /** Bytes of all of them. */
    long getLogBytes();

    /** Times that its log was synced to the disk, each for all that waited: every acknowledgement of persistent messages waits for one. */
    long getLogSyncs();

    /** Milliseconds of all of them together. */
    long getLogSyncMillis();

    /** Those that took longer than 10 ms: where this grows, the disk is slow, and senders wait for it. */
    long getLogSlowSyncs();

    /** Milliseconds of the longest. */
    long getLogLongestSyncMillis();

    /**
     * File of its log that was found damaged, position in it, and what stands there; of several the one found first. Empty where none was.
     * Full files are looked through each {@code log.scrub-interval}.
     */
    String getLogDamaged();

    /** Bytes that are appended and not committed. */
    long getUncommittedBytes();

    /** Whether messages are refused for lack of disk space. */
    boolean isDiskFull();
}
