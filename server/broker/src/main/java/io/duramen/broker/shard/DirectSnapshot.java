package io.duramen.broker.shard;

import io.duramen.broker.MetadataConfig;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardChanges;
import io.duramen.runtime.Clock;
import java.io.IOException;
import java.util.function.IntToLongFunction;

/**
 * A snapshot of a shard's state that is made without what the metadata store holds, from all rows in memory: for when that
 * fails or does not answer while the log grows and waits for a snapshot. Made in turns, of one index, and put in place once
 * the log is on disk as far as it goes. Confined to the agent.
 */
final class DirectSnapshot {
    private enum Step {
        REST,
        /** All rows were taken and are being made. */
        BUILD,
        /** They are there, and wait for the log to be on disk as far as they go. */
        AWAIT_DURABLE,
        WRITE
    }

    private final MetadataConfig config;
    private final MetadataStore store;
    private final Clock clock;
    private final ShardState state;
    private final MetadataStore.SnapshotCompletion done;
    private Step step = Step.REST;
    private ShardChanges whole;
    private long notBeforeNanos;

    /** @param done told of each */
    DirectSnapshot(ShardAgent.Metadata metadata, Clock clock, ShardState state, MetadataStore.SnapshotCompletion done) {
        this.config = metadata.config();
        this.store = metadata.store();
        this.clock = clock;
        this.state = state;
        this.done = done;
        this.notBeforeNanos = clock.nanos();
    }

    /** Whether it makes rows: nothing else may meanwhile. */
    boolean isBuilding() {
        return step == Step.BUILD;
    }

    /** Whether another may begin: one that failed is not followed by another at once. */
    boolean mayBegin() {
        return step == Step.REST && clock.nanos() - notBeforeNanos >= 0;
    }

    /** Takes the state as it is now; what is stored next has to be all of it, since what changed before is no longer known. */
    void begin() {
        state.changed.takeAll();
        state.changed.take(0);
        state.changed.takeAll();
        notBeforeNanos = clock.nanos() + config.snapshotEvery().toNanos();
        step = Step.BUILD;
    }

    int doWork(long durableIndex) {
        return switch (step) {
            case REST, WRITE -> 0;
            case BUILD -> build();
            case AWAIT_DURABLE -> write(durableIndex);
        };
    }

    private int build() {
        int rows = state.changed.build(config.rowsPerTurn());
        if (state.changed.isBuilt()) {
            whole = state.changed.built();
            step = Step.AWAIT_DURABLE;
        }
        return 1 + rows;
    }

    private int write(long durableIndex) {
        if (whole.head().appliedIndex() > durableIndex) {
            return 0;
        }
        step = Step.WRITE;
        ShardChanges taken = whole;
        whole = null;
        store.snapshotOf(taken, new MetadataStore.SnapshotCompletion() {
            @Override
            public void taken(long appliedIndex, IntToLongFunction neededFrom) {
                step = Step.REST;
                state.dedup.kept(taken.dedupBlocks());
                done.taken(appliedIndex, neededFrom);
            }

            @Override
            public void failed(IOException cause) {
                step = Step.REST;
                done.failed(cause);
            }
        });
        return 1;
    }

    /** When {@link #doWork} has something to do that nothing else tells of; {@link Long#MAX_VALUE} for never. */
    long deadlineNanos() {
        return step == Step.BUILD ? clock.nanos() : Long.MAX_VALUE;
    }
}
