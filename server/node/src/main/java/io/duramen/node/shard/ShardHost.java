package io.duramen.node.shard;

import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.replication.LocalLog;
import io.duramen.replication.LogStatus;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.AgentRunner;
import io.duramen.runtime.agent.MpscInbox;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and ends a shard of this node. Used by the thread that starts and closes the node. */
final class ShardHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardHost.class);
    /** A shard that waits for nothing but its disk syncs by itself while syncs take no longer: a wake-up costs as much. */
    private static final Duration SHORT_SYNC = Duration.ofMillis(1);

    private final ShardPlace place;
    private final ShardHosts.Floor floor;
    private final StateStore state;
    private final Clock clock;
    private final MpscInbox<ShardRequest> inbox;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private ShardAgent shard;
    private LogStatus status;
    private long beganNanos;
    private AgentRunner runner;
    private volatile AgentRunner standIn;

    ShardHost(ShardPlace place, ShardHosts.Floor floor, StateStore state, MpscInbox<ShardRequest> inbox) {
        this.place = place;
        this.floor = floor;
        this.state = state;
        this.clock = floor.clock();
        this.inbox = inbox;
    }

    /**
     * Opens the shard's state and log, and has it begin to replay.
     *
     * @throws IOException where state or log cannot be read; the message names file, position and what to do
     */
    void start() throws IOException {
        beganNanos = clock.nanos();
        FileDisk logDisk = new FileDisk(floor.directory().log(place.shard()));
        LocalLog log = new LocalLog(logDisk, clock, floor.log(), new SecureRandom().nextInt());
        shard = new ShardAgent(place, floor.broker(), clock, log, state.metadata(), inbox);
        try {
            shard.start();
        } catch (IOException | RuntimeException e) {
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

    /**
     * The only shard of a node works on the thread of whoever brings it something while its own sleeps. Among several, one that
     * syncs would hold up the others there.
     */
    private void wakeBy(AgentRunner agent) {
        if (place.others().shards() == 1) {
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

    /** How the shard stands; from any thread, once it was started. */
    ShardCounters counters() {
        return shard.counters();
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
        } else {
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

    /** On the shard's thread, which ends after this. */
    private void failed(Throwable cause) {
        LOG.error(
                "Shard {} stopped by an error in the node itself; its clients are refused until a restart. Please report"
                        + " this",
                place.shard(),
                cause);
        failed.completeExceptionally(cause);
        if (standIn == null) {
            AgentRunner second = new AgentRunner(
                    new StoppedShard(place, inbox),
                    clock,
                    again -> LOG.error(
                            "Clients of stopped shard {} are not even refused any more", place.shard(), again));
            standIn = second;
            inbox.wakes(second::wake);
            second.start();
        }
    }
}
