package io.duramen.broker.shard;

import io.duramen.replication.LogStatus;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How a shard stands, in numbers, and of its log's damage in words. The shard's agent puts them here when it has worked, by plain stores; any thread reads
 * them, each for itself: two that are read one after the other may be of different moments. Reading disturbs nothing.
 */
public final class ShardCounters {
    /** What is counted. */
    public enum Counter {
        /** Destinations that the shard knows; all of the node in the shard with the catalogue. */
        DESTINATIONS,
        /** Durable subscriptions with a name that the shard knows; all of the node in the shard with the catalogue. */
        DURABLE_SUBSCRIPTIONS,
        /** Connections that have asked this shard for something. */
        CONNECTIONS,
        /** Branches that are prepared, parts of transactions of several shards included. */
        PREPARED_BRANCHES,
        /** Messages stored since the shard leads. */
        MESSAGES_STORED,
        /** Messages settled since the shard leads, by queues and durable subscriptions, each for itself. */
        MESSAGES_SETTLED,
        /** Messages dealt with since the start to hand them out, those that a selector left out included. */
        MESSAGES_HANDED_OUT,
        /** Messages moved, since the start, to the queue for expired ones. */
        MESSAGES_EXPIRED_MOVED,
        /** Messages moved to dead letters since the start, since they were delivered as often as they may be. */
        DEAD_LETTERS_SPENT,
        /** Messages moved to dead letters since the start, since a consumer refused them. */
        DEAD_LETTERS_REFUSED,
        /** Dead letters that an operator has had sent back since the start. */
        DEAD_LETTERS_SENT_BACK,
        /** Messages that an operator has dropped since the start. */
        MESSAGES_DROPPED,
        /** Messages that an operator has moved to other queues since the start. */
        MESSAGES_MOVED,
        /** Messages that an operator has copied to other queues since the start. */
        MESSAGES_COPIED,
        /** Index of the oldest entry in the log. */
        LOG_FIRST_INDEX,
        /** Index of the last entry appended to the log. */
        LOG_LAST_INDEX,
        /** Index of the last entry known to be on disk. */
        LOG_DURABLE_INDEX,
        /** Files that hold entries. */
        LOG_SEGMENTS,
        /** Bytes of all of them. */
        LOG_BYTES,
        /** Bytes that are appended and not committed. */
        UNCOMMITTED_BYTES,
        /** 1 while messages are refused for lack of disk space. */
        LOG_FULL,
        /** 1 once a write failed and the log is read-only. */
        LOG_STOPPED,
        /** 1 once the shard has replayed its log and takes requests. */
        LEADING,
        /** In which the log is written, as far as it is replayed; 0 before the shard has worked. */
        FORMAT_LEVEL
    }

    private static final int COUNTERS = Counter.values().length;

    private final AtomicLongArray values = new AtomicLongArray(COUNTERS);

    private final AtomicReference<String> damage = new AtomicReference<>("");

    /** File and position of the first damage found in the log, and what it is; empty for none. From any thread. */
    public String damage() {
        return damage.getOpaque();
    }

    /** From any thread. */
    public long get(Counter counter) {
        return values.getOpaque(counter.ordinal());
    }

    /** By the agent alone, as {@link #add}. */
    void set(Counter counter, long value) {
        values.setOpaque(counter.ordinal(), value);
    }

    void add(Counter counter, long more) {
        values.setOpaque(counter.ordinal(), values.getPlain(counter.ordinal()) + more);
    }

    void set(LogStatus status) {
        set(Counter.LOG_FIRST_INDEX, status.firstIndex());
        set(Counter.LOG_LAST_INDEX, status.lastIndex());
        set(Counter.LOG_DURABLE_INDEX, status.durableIndex());
        set(Counter.LOG_SEGMENTS, status.segments());
        set(Counter.LOG_BYTES, status.lengthBytes());
        set(Counter.LOG_FULL, status.full() ? 1 : 0);
        damage.setOpaque(status.damage());
        set(Counter.LOG_STOPPED, status.stopped() ? 1 : 0);
    }

    void set(MoveCounts moved) {
        set(Counter.MESSAGES_EXPIRED_MOVED, moved.expired());
        set(Counter.DEAD_LETTERS_SPENT, moved.spent());
        set(Counter.DEAD_LETTERS_REFUSED, moved.refused());
    }
}
