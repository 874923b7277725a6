package io.duramen.metadata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;

/**
 * Keeps a shard's hard state together with the log index up to which it is true, so that recovery need not replay the log
 * from its beginning. A projection: all of it can be made anew from the last snapshot and the log behind it. Confined to
 * the shard's agent.
 */
public interface MetadataStore {
    /**
     * The state that was stored last, or, where a crash lost that, an earlier one: never one before the last
     * {@link #snapshot}. Blocking, for start-up.
     *
     * @return empty where none was ever stored, or where all that is stored is damaged: the reason is logged and the
     *     state is rebuilt from the log
     * @throws IOException where the medium cannot be read at all
     */
    Optional<ShardImage> load(int shard) throws IOException;

    /**
     * A block of dedup ids that is part of the loaded state; blocking, for start-up, after {@link #load}.
     *
     * @return its {@link DedupBlock#LENGTH} bytes, the caller's; all zero where it is lost or damaged: the reason is logged
     * @throws IOException where the medium cannot be read at all
     */
    ByteBuffer dedupBlock(int shard, int partition, long block) throws IOException;

    /**
     * Stores changes, all of them together with their head or nothing, in the background. One at a time: the next only
     * after the completion. A crash, even a while after the completion, may leave an earlier state.
     *
     * @param done called on the agent's thread with empty on success, else with the cause: then the state before is still
     *     there and the next changes have to hold these, too; or, on {@link StateLostException}, everything
     */
    void store(ShardChanges changes, Consumer<Optional<IOException>> done);

    /**
     * Puts the state that was stored last where nothing loses it that leaves the log alone, in the background. Not
     * together with a {@link #store}.
     */
    void snapshot(int shard, SnapshotCompletion done);

    /**
     * As {@link #snapshot}, of this state instead of the one that was stored: for when that cannot be had. May be called while
     * a store or a snapshot is under way that does not answer; changes nothing of what is stored. Of two that are under way
     * the older one fails, or is put in place first: what the log lets go for a snapshot stays in it or in a newer one.
     *
     * @param whole all of the state, see {@link ShardChanges#whole}
     */
    void snapshotOf(ShardChanges whole, SnapshotCompletion done);

    /** Stores the last changes before the end; the owner closes what is below, which waits for it. */
    void storeLast(ShardChanges changes);

    /** Called on the agent's thread, one of the two. */
    interface SnapshotCompletion {
        /**
         * @param appliedIndex log entries up to here are no longer needed for recovery
         * @param neededFrom the lowest offset of a partition that a durable subscription may still want after a recovery
         *     from this snapshot; {@link Long#MAX_VALUE} for a partition that was not there
         */
        void taken(long appliedIndex, IntToLongFunction neededFrom);

        /** The snapshot before is still there. */
        void failed(IOException cause);
    }
}
