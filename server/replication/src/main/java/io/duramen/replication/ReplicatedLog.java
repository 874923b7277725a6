package io.duramen.replication;

import io.duramen.log.EntryBuffer;
import io.duramen.log.PartitionChunk;
import java.io.IOException;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * A shard's log as its state machine sees it: what is appended here comes back, committed and in order, on every replica.
 * Confined to the shard's agent; nothing blocks except {@link #start}.
 *
 * <p>An entry is one atomic unit of records. Entries are committed in log order. An entry appended with
 * {@link Durability#SYNCED} is committed once it is on disk on a quorum; one with {@link Durability#WRITTEN} once it is
 * written at the leader and everything before it is committed.
 */
public interface ReplicatedLog extends AutoCloseable {
    enum Durability {
        /** Survives the process, not the machine; synced along with a later entry, or within the lazy-sync interval. */
        WRITTEN,
        /** On disk on a quorum before it is committed. */
        SYNCED
    }

    /** What the log tells its state machine; called inside {@link #poll}, on the agent's thread. */
    interface Listener {
        /** An entry is committed. The buffer is valid during the call only. */
        void onCommitted(CommittedEntry entry);

        /** Every entry up to this index is on disk on a quorum. Ascends. */
        void onDurable(long index);

        /** This node leads from now on, with this epoch, and everything committed before has been handed over. */
        void onLeading(long epoch);

        /**
         * This node leads no more: what it appended and was not told to be committed may be committed yet, or be taken back.
         * Entries that others append are told as committed, and this node may lead again. A state machine that knows only
         * of leading stops.
         *
         * @param epoch that ended
         */
        default void onFollowing(long epoch) {
            onStopped(new IOException("another node leads this shard since epoch " + epoch + " ended"));
        }

        /**
         * This replica has lost touch with the others, which have deleted what it lacks; what one of them has was copied, and takes
         * the place of log and state image once this log is closed and before the next is started. Nothing else is told any more.
         */
        default void onReplaced() {
            onStopped(new IOException("the log was replaced by the copy of another node's"));
        }

        /** The log takes no more appends: a write or sync failed. Reading goes on. Called at most once. */
        void onStopped(IOException cause);
    }

    /**
     * Opens or recovers the log, blocking. Entries from {@code appliedIndex + 1} on are then handed over by {@link #poll},
     * followed by {@link Listener#onLeading}.
     *
     * @throws IOException where the log cannot be read, or is damaged other than at its tail; the message names file,
     *     position and what to do
     */
    void start(long appliedIndex, Listener listener) throws IOException;

    /** An empty entry to fill; it may be one that was used before. */
    EntryBuffer newEntry();

    /**
     * Appends an entry, which belongs to the log from here on.
     *
     * @return its index
     * @throws IllegalStateException where this node does not lead or the log has stopped; check {@link #isWritable}
     */
    long append(EntryBuffer entry, Durability durability);

    /** Whether this node leads and the log has not stopped. */
    boolean isWritable();

    /**
     * Whether nobody else is expected to lead by now. Where this is false though {@link #isWritable} is true, another node may, and serve the
     * same state: what is appended is committed then, or is not; but what needs no entry, be it a delivery or an answer, must wait.
     */
    default boolean isLeased() {
        return true;
    }

    /**
     * Entries up to this one that were appended here are written on this node, committed or not: those survive this process, but not that
     * another node leads without them. Ascends while this node leads; 0 where it does not.
     */
    long writtenIndex();

    /**
     * Committed entries up to this one are on disk on as many nodes as is asked for beyond a quorum. Ascends while this node leads.
     *
     * @return {@link Long#MAX_VALUE} where no more is asked for than a quorum
     */
    default long keptIndex() {
        return Long.MAX_VALUE;
    }

    /** Present while fewer nodes are in sync than have to keep what is asked to be kept: it would wait for one to come back. */
    default Optional<Shortage> shortage() {
        return Optional.empty();
    }

    /**
     * @param inSync nodes that are, this one included
     * @param needed of them
     * @param nodes that there are
     */
    record Shortage(int inSync, int needed, int nodes) {}

    /**
     * Whether there is room for an entry of messages of that many bytes. False while the disk is full: a reserve is then
     * kept for settlements and other small records, which need not ask.
     */
    boolean hasRoomFor(int entryBytes);

    /** Hands over what is due and moves the log's own work along; returns how many things were done. */
    int poll();

    /** When time alone makes work for {@link #poll} (lazy sync); {@link Long#MAX_VALUE} for never. */
    long deadlineNanos();

    /**
     * Reads committed batches of a partition.
     *
     * @param offset of the first message wanted; it is in the first batch of the chunk
     * @param maxBytes soft limit on what the chunk holds; at least one batch is returned
     * @param ready called once on the agent's thread, inside {@link #poll}, when a read that returned empty can be
     *     answered; not called otherwise
     * @return empty where the bytes have to be fetched first
     * @throws DamagedLogException where what stands there does not match its checksum or is not there
     */
    Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready);

    /**
     * Deletes, in the background, sealed segments that nobody needs: all of whose entries are at or below
     * {@code imageIndex} and all of whose messages lie below their partition's needed offset.
     *
     * @param neededFrom lowest offset still needed of a partition; {@link Long#MAX_VALUE} for one that no longer exists
     */
    void release(long imageIndex, IntToLongFunction neededFrom);

    /** Bytes appended since this index, to tell when the next image is due. */
    long bytesSince(long index);

    LogStatus status();

    /** Syncs what was appended, waits for it, and closes; blocking. */
    @Override
    void close();
}
