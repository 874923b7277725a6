package io.duramen.node.shard;

import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.replication.LogStatus;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.AgentRunner;
import io.duramen.runtime.agent.MpscInbox;
import io.duramen.runtime.agent.Waker;
import io.duramen.runtime.disk.FileDisk;
import io.duramen.runtime.disk.SyncTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and ends a shard of this node. Used by the thread that starts and closes the node. */
final class ShardHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardHost.class);
    /** A shard that waits for nothing but its disk syncs by itself while syncs take no longer: a wake-up costs as much. */
    private static final Duration SHORT_SYNC = Duration.ofMillis(1);

    private final ShardPlace place;
    private final ShardHosts.Floor floor;
    private final StateStores states;
    private final Clock clock;
    private final MpscInbox<ShardRequest> inbox;
    private final SyncTimes syncTimes;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private ShardAgent shard;
    private LogStatus status;

    /** Null before the start. */
    private StateStore state;

    /** Where other nodes may lead; null before the start, and on a node by itself. */
    private volatile HeldLog held;

    private long beganNanos;
    private volatile AgentRunner runner;
    private volatile AgentRunner standIn;
    private final Waker toRunner = new ToRunner();

    /** @param syncTimes where the syncs of its log are counted */
    ShardHost(
            ShardPlace place,
            ShardHosts.Floor floor,
            StateStores states,
            MpscInbox<ShardRequest> inbox,
            SyncTimes syncTimes) {
        this.place = place;
        this.floor = floor;
        this.states = states;
        this.clock = floor.clock();
        this.inbox = inbox;
        this.syncTimes = syncTimes;
    }

    /**
     * Opens the shard's state and log, and has it begin to replay.
     *
     * @throws IOException where state or log cannot be read; the message names file, position and what to do
     */
    void start() throws IOException {
        beganNanos = clock.nanos();
        state = states.of(place.shard());
        FileDisk logDisk = new FileDisk(floor.directory().log(place.shard()));
        logDisk.countSyncs(syncTimes);
        ReplicatedLog log = open(logDisk);
        shard = new ShardAgent(place, floor.broker(), clock, log, state.metadata(), inbox);
        try {
            shard.start();
        } catch (IOException | RuntimeException e) {
            if (floor.logs().areReplicated()) {
                log.close(); // ends what it has begun besides
            }
            logDisk.close();
            state.close();
            throw e;
        }
        status = log.status();
        runner = new AgentRunner(new ShardOnDisk(shard, state), clock, this::failed);
        logDisk.onDue(runner::wake);
        logDisk.lendAgent(inbox::isEmpty, SHORT_SYNC);
        state.onDue(runner::wake);
        wakeBy(runner);
        runner.start();
    }

    private ReplicatedLog open(FileDisk disk) {
        ReplicatedLog log = floor.logs().open(place.shard(), disk, clock, floor.log(), toRunner);
        if (!floor.logs().areReplicated()) {
            return log;
        }
        held = new HeldLog(log);
        return held;
    }

    /**
     * The only shard of a node works on the thread of whoever brings it something while its own sleeps. Among several, one that
     * syncs would hold up the others there; so would one whose log waits for other threads.
     */
    private void wakeBy(AgentRunner agent) {
        if (place.others().shards() == 1 && !floor.logs().areReplicated()) {
            inbox.wakes(agent::wake, agent::wakeHere);
        } else {
            inbox.wakes(agent::wake);
        }
    }

    /**
     * Waits until it has replayed its log.
     *
     * @throws IOException where it cannot
     */
    void awaitLeading() throws IOException {
        await(shard.leading());
        LOG.info(
                "Shard {} recovered in {} ms: {} segments, {} bytes, last entry {}",
                place.shard(),
                Duration.ofNanos(clock.nanos() - beganNanos).toMillis(),
                status.segments(),
                status.lengthBytes(),
                status.lastIndex());
    }

    /**
     * Waits until it and all others agree on what concerns several of them.
     *
     * @throws IOException where one of them has failed
     */
    void awaitSettled() throws IOException {
        await(shard.settled());
    }

    /** What the log has to do does not wait for anything else. */
    private final class ToRunner implements Waker {
        @Override
        public void wake() {
            AgentRunner agent = runner;
            if (agent != null) {
                agent.wake();
            }
        }

        @Override
        public void workHere(BooleanSupplier until) {
            AgentRunner agent = runner;
            if (agent != null) {
                agent.workHere(until);
            }
        }
    }

    /** Completed once this node leads the shard, which does not know yet; where other nodes may lead, and once it was started. */
    CompletableFuture<Void> elected() {
        return held.elected();
    }

    /** Whether that is so; false where it was not started. */
    boolean isElected() {
        HeldLog log = held;
        return log != null && log.elected().isDone();
    }

    /** Of the leadership that it was elected for. */
    long epoch() {
        return held.epoch();
    }

    /** Has it lead from here on, where it was elected. */
    void lead() {
        held.let();
        toRunner.wake();
    }

    /** Completed once it takes requests. */
    CompletableFuture<Void> settled() {
        return shard.settled();
    }

    /** Completed once it leads no more; fails once it never will, until the node is started anew. */
    CompletableFuture<Void> over() {
        return shard.over().applyToEither(failed, over -> over);
    }

    /**
     * Answers what is left in the inbox of a shard that is closed, and leads no more; to others it may say so.
     *
     * @return whether there was something
     */
    boolean refuseLast() {
        StoppedShard last = StoppedShard.deposed(place, inbox);
        boolean any = false;
        while (last.doWork() > 0) {
            any = true;
        }
        return any;
    }

    /** No other follows this one, which is closed: who asks is refused, and it counts as broken. */
    void breaks(Throwable cause) {
        failed(cause);
    }

    /** Whether it takes part no more until a restart: it broke, or its log has stopped. From any thread. */
    boolean isLost() {
        return failed.isDone() || shard != null && shard.over().isCompletedExceptionally();
    }

    /** Whether it broke; from any thread. */
    boolean hasFailed() {
        return failed.isDone();
    }

    /** Lets the shard finish, syncs and closes its log, and stores its state. */
    @Override
    public void close() {
        if (runner != null) {
            runner.close();
        } else if (state != null) {
            state.close();
        }
        AgentRunner second = standIn;
        if (second != null) {
            second.close();
        }
    }

    private void await(CompletableFuture<Void> reached) throws IOException {
        try {
            CompletableFuture.anyOf(reached, failed).get();
        } catch (ExecutionException e) {
            throw new IOException("shard " + place.shard() + " cannot be recovered: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while shard " + place.shard() + " was recovering", e);
        }
    }

    /** On the shard's thread, which ends after this, or once that has ended. */
    private void failed(Throwable cause) {
        LOG.error(
                "Shard {} stopped by an error in the node itself; its clients are refused until a restart. Please report"
                        + " this",
                place.shard(),
                cause);
        failed.completeExceptionally(cause);
        if (standIn == null) {
            AgentRunner second = new AgentRunner(
                    StoppedShard.broken(place, inbox),
                    clock,
                    again -> LOG.error(
                            "Clients of stopped shard {} are not even refused any more", place.shard(), again));
            standIn = second;
            inbox.wakes(second::wake);
            second.start();
        }
    }
}
