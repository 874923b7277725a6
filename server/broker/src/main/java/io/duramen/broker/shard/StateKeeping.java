package io.duramen.broker.shard;

import io.duramen.broker.MetadataConfig;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardHead;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.StateLostException;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what changed of the shard's hard state from time to time, so that recovery replays little, and has snapshots
 * taken, so that the log can let segments go. Confined to the agent; one step at a time, and none that keeps messages
 * waiting. What is stored is on disk in the log: the store never knows more than the log does.
 */
final class StateKeeping {
    private static final Logger LOG = LoggerFactory.getLogger(StateKeeping.class);

    /** After failures, the time to the next try grows with their number up to so many intervals: a try costs something. */
    private static final int INTERVALS_MAX = 12;

    /**
     * While the store fails or does not answer, a snapshot is taken without it when so many times as much of the log waits for
     * one as is usual.
     */
    private static final int OVERDUE_TIMES = 2;

    private enum Step {
        /** Nothing is under way. */
        REST,
        /** Changes were taken and are being made into rows. */
        BUILD,
        /** They are rows, and wait for the log to be on disk as far as they go. */
        AWAIT_DURABLE,
        STORE,
        SNAPSHOT
    }

    private final int shard;
    private final MetadataConfig config;
    private final MetadataStore store;
    private final Clock clock;
    private final ReplicatedLog log;
    private final ShardState state;

    private final DirectSnapshot direct;

    private Step step = Step.REST;

    /** What is built or on its way, from {@link Step#AWAIT_DURABLE} on. */
    private ShardChanges changes;

    /**
     * Where what partitions keep began when the state was taken that is stored, that is on its way, and of which a snapshot is
     * made directly: the log may not let go of what a start from there still offers.
     */
    private Map<Integer, Long> storedFroms = Map.of();

    private Map<Integer, Long> takenFroms = Map.of();
    private Map<Integer, Long> directFroms = Map.of();

    private long takenIndex;
    private long storedIndex;
    private long snapshotIndex;
    private long durableIndex;
    private boolean failed;
    private int failuresInARow;
    private boolean snapshotFailed;
    private long nextStoreNanos;
    private long nextSnapshotNanos;
    private long beganNanos;
    private boolean toldSlow;
    private long failures;
    private long slow;
    private long directSnapshots;

    StateKeeping(int shard, ShardAgent.Metadata metadata, Clock clock, ReplicatedLog log, ShardState state) {
        this.shard = shard;
        this.config = metadata.config();
        this.store = metadata.store();
        this.clock = clock;
        this.log = log;
        this.state = state;
        this.direct = new DirectSnapshot(metadata, clock, state, new MetadataStore.SnapshotCompletion() {
            @Override
            public void taken(long appliedIndex, IntToLongFunction neededFrom) {
                takenDirectly(appliedIndex, neededFrom);
            }

            @Override
            public void failed(IOException cause) {
                notTakenDirectly(cause);
            }
        });
        this.nextStoreNanos = clock.nanos() + config.flushEvery().toNanos();
        this.nextSnapshotNanos = clock.nanos() + config.snapshotEvery().toNanos();
    }

    void load() throws IOException {
        Optional<ShardImage> image = store.load(shard);
        if (image.isPresent()) {
            state.load(image.get());
            state.dedup.load(image.get().dedup(), this::dedupBlock);
        }
        takenIndex = state.appliedIndex;
        storedIndex = state.appliedIndex;
        durableIndex = state.appliedIndex;
        storedFroms = state.retention.froms();
    }

    private ByteBuffer dedupBlock(int partition, long block) {
        try {
            return store.dedupBlock(shard, partition, block);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void durable(long index) {
        durableIndex = index;
    }

    int doWork() {
        if (isDirectSnapshotDue()) {
            direct.begin();
            directFroms = state.retention.froms();
        }
        return direct.doWork(durableIndex)
                + switch (step) {
                    case REST -> begin();
                    case BUILD -> build();
                    case AWAIT_DURABLE -> storeOnceDurable();
                    case STORE, SNAPSHOT -> tellSlow();
                };
    }

    private boolean isDirectSnapshotDue() {
        boolean inTrouble = step == Step.REST && (failed || snapshotFailed)
                || (step == Step.STORE || step == Step.SNAPSHOT) && toldSlow;
        return inTrouble
                && direct.mayBegin()
                && log.bytesSince(snapshotIndex)
                        >= OVERDUE_TIMES * config.snapshotBytes().count();
    }

    private int begin() {
        if (direct.isBuilding()) {
            return 0;
        }
        if (isSnapshotDue()) {
            snapshot();
            return 1;
        }
        if (!isStoreDue()) {
            return 0;
        }
        state.changed.take(takenIndex);
        takenIndex = state.appliedIndex;
        takenFroms = state.retention.froms();
        step = Step.BUILD;
        return 1;
    }

    private boolean isStoreDue() {
        return state.appliedIndex != storedIndex
                && (clock.nanos() - nextStoreNanos >= 0
                        || !failed
                                && log.bytesSince(storedIndex)
                                        >= config.flushBytes().count());
    }

    private boolean isSnapshotDue() {
        return storedIndex > snapshotIndex
                && (clock.nanos() - nextSnapshotNanos >= 0
                        || !snapshotFailed
                                && log.bytesSince(snapshotIndex)
                                        >= config.snapshotBytes().count());
    }

    private int build() {
        int rows = state.changed.build(config.rowsPerTurn());
        if (!state.changed.isBuilt()) {
            return rows;
        }
        changes = state.changed.built();
        step = Step.AWAIT_DURABLE;
        return 1 + storeOnceDurable();
    }

    private int storeOnceDurable() {
        ShardHead head = changes.head();
        if (head.appliedIndex() > durableIndex) {
            return 0;
        }
        begin(Step.STORE);
        nextStoreNanos = beganNanos + config.flushEvery().toNanos();
        store.store(changes, this::stored);
        return 1;
    }

    private void begin(Step what) {
        step = what;
        beganNanos = clock.nanos();
        toldSlow = false;
    }

    private void stored(Optional<IOException> failure) {
        end();
        failed = failure.isPresent();
        if (failed) {
            notStored(failure.get());
        } else {
            failuresInARow = 0;
            state.dedup.kept(changes.dedupBlocks());
            storedIndex = changes.head().appliedIndex();
            storedFroms = takenFroms;
        }
        changes = null;
    }

    private void notStored(IOException cause) {
        failures++;
        failuresInARow = Math.min(failuresInARow + 1, INTERVALS_MAX);
        nextStoreNanos = beganNanos + failuresInARow * config.flushEvery().toNanos();
        takenIndex = storedIndex;
        if (cause instanceof StateLostException) {
            state.changed.takeAll();
            LOG.warn(
                    "The metadata store has lost the state of shard {}; it is given all of it: {}",
                    shard,
                    cause.getMessage());
        } else {
            state.changed.putBack(changes);
            LOG.warn(
                    "The state of shard {} could not be stored; it stays as of entry {}, a start would replay the log from"
                            + " there, and it is tried again: {}",
                    shard,
                    storedIndex,
                    cause.getMessage());
        }
    }

    private void snapshot() {
        begin(Step.SNAPSHOT);
        nextSnapshotNanos = beganNanos + config.snapshotEvery().toNanos();
        store.snapshot(shard, new MetadataStore.SnapshotCompletion() {
            @Override
            public void taken(long appliedIndex, IntToLongFunction neededFrom) {
                end();
                snapshotFailed = false;
                release(appliedIndex, neededFrom, storedFroms);
            }

            @Override
            public void failed(IOException cause) {
                end();
                notTaken(cause);
            }
        });
    }

    private void release(long appliedIndex, IntToLongFunction neededFrom, Map<Integer, Long> froms) {
        if (appliedIndex < snapshotIndex) {
            return; // one that was asked for long ago
        }
        snapshotIndex = appliedIndex;
        log.release(
                appliedIndex,
                partition -> Math.min(
                        Math.min(neededFrom.applyAsLong(partition), state.softlyNeededFrom(partition)),
                        froms.getOrDefault(partition, Long.MAX_VALUE)));
    }

    private void takenDirectly(long appliedIndex, IntToLongFunction neededFrom) {
        directSnapshots++;
        release(appliedIndex, neededFrom, directFroms);
        LOG.warn(
                "The metadata store of shard {} fails or does not answer: a snapshot as of entry {} was put beside the log"
                        + " without it, so that segments can be deleted. A start replays the log from there",
                shard,
                appliedIndex);
    }

    private void notTakenDirectly(IOException cause) {
        failures++;
        LOG.warn(
                "No snapshot could be taken of shard {} without its metadata store either; the one as of entry {} stays, and"
                        + " {} bytes of log behind it: {}",
                shard,
                snapshotIndex,
                log.bytesSince(snapshotIndex),
                cause.getMessage());
    }

    private void notTaken(IOException cause) {
        failures++;
        snapshotFailed = true;
        if (cause instanceof StateLostException) {
            state.changed.takeAll();
            // Whatever else is stored would not be enough.
            nextStoreNanos = clock.nanos();
            storedIndex = 0;
        }
        LOG.warn(
                "No snapshot could be taken of shard {}; the one as of entry {} stays, and no segment behind it is"
                        + " deleted: {}",
                shard,
                snapshotIndex,
                cause.getMessage());
    }

    private void end() {
        step = Step.REST;
        if (toldSlow) {
            LOG.info(
                    "The metadata store of shard {} has answered after {} ms",
                    shard,
                    TimeUnit.NANOSECONDS.toMillis(clock.nanos() - beganNanos));
        }
    }

    private int tellSlow() {
        if (toldSlow || clock.nanos() - slowNanos() < 0) {
            return 0;
        }
        toldSlow = true;
        slow++;
        LOG.warn(
                "The metadata store has not answered for {} s. Messages do not wait for it; but no segment of shard {} behind"
                        + " entry {} is deleted, and a start would replay {} bytes of log",
                config.slowAfter().toSeconds(),
                shard,
                snapshotIndex,
                log.bytesSince(storedIndex));
        return 1;
    }

    private long slowNanos() {
        return beganNanos + config.slowAfter().toNanos();
    }

    /** At the end, when the log is closed and so durable up to its last entry. */
    void storeLast() {
        if (log.status().stopped()) {
            return;
        }
        if (direct.isBuilding()) {
            builtNow(); // of no use any more: all of it is stored instead
        }
        if (step == Step.BUILD || step == Step.AWAIT_DURABLE) {
            store.storeLast(step == Step.BUILD ? builtNow() : changes);
        }
        if (state.appliedIndex != takenIndex || storedIndex != snapshotIndex) {
            state.changed.take(takenIndex);
            store.storeLast(builtNow());
        }
    }

    private ShardChanges builtNow() {
        state.changed.build(Integer.MAX_VALUE);
        return state.changed.built();
    }

    StateKept stateKept() {
        boolean waits = step == Step.STORE || step == Step.SNAPSHOT;
        return new StateKept(
                storedIndex,
                snapshotIndex,
                log.bytesSince(storedIndex),
                log.bytesSince(snapshotIndex),
                failures,
                slow,
                directSnapshots,
                waits ? clock.nanos() - beganNanos : 0);
    }

    long deadlineNanos() {
        return Math.min(direct.deadlineNanos(), storeDeadlineNanos());
    }

    private long storeDeadlineNanos() {
        if (direct.isBuilding()) {
            return Long.MAX_VALUE; // it is called at once for that
        }
        return switch (step) {
            case REST ->
                Math.min(
                        state.appliedIndex == storedIndex ? Long.MAX_VALUE : nextStoreNanos,
                        storedIndex > snapshotIndex ? nextSnapshotNanos : Long.MAX_VALUE);
            case BUILD -> clock.nanos();
            case AWAIT_DURABLE -> Long.MAX_VALUE;
            case STORE, SNAPSHOT -> toldSlow ? Long.MAX_VALUE : slowNanos();
        };
    }
}
