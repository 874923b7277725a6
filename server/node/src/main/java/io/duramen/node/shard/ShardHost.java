package io.duramen.node.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.log.LogConfig;
import io.duramen.node.directory.DataDirectory;
import io.duramen.replication.LocalLog;
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

/** Starts and ends the one shard of this node. Used by the thread that starts and closes the node. */
public final class ShardHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardHost.class);
    /** A shard that waits for nothing but its disk syncs by itself while syncs take no longer: a wake-up costs as much. */
    private static final Duration SHORT_SYNC = Duration.ofMillis(1);

    static final int SHARD = 0;

    private final DataDirectory directory;
    private final BrokerConfig brokerConfig;
    private final StateStore state;
    private final LogConfig logConfig;
    private final Clock clock;
    private final MpscInbox<ShardRequest> inbox;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private AgentRunner runner;
    private volatile AgentRunner standIn;

    public ShardHost(
            DataDirectory directory,
            BrokerConfig brokerConfig,
            StateStore state,
            LogConfig logConfig,
            Clock clock,
            MpscInbox<ShardRequest> inbox) {
        this.directory = directory;
        this.brokerConfig = brokerConfig;
        this.state = state;
        this.logConfig = logConfig;
        this.clock = clock;
        this.inbox = inbox;
    }

    /**
     * Recovers the shard and returns when it takes requests.
     *
     * @throws IOException where state or log cannot be read; the message names file, position and what to do
     */
    public void start() throws IOException {
        long began = clock.nanos();
        FileDisk logDisk = new FileDisk(directory.log(SHARD));
        LocalLog log = new LocalLog(logDisk, clock, logConfig, new SecureRandom().nextInt());
        ShardAgent shard = new ShardAgent(SHARD, brokerConfig, clock, log, state.metadata(), inbox);
        try {
            shard.start();
        } catch (IOException | RuntimeException e) {
            logDisk.close();
            state.close();
            throw e;
        }
        var status = log.status();
        runner = new AgentRunner(new ShardOnDisk(shard, state), clock, this::failed);
        logDisk.onDue(runner::wake);
        logDisk.lendAgent(inbox::isEmpty, SHORT_SYNC);
        state.onDue(runner::wake);
        inbox.wakes(runner::wake);
        runner.start();
        awaitLeading(shard);
        LOG.info(
                "Shard {} recovered in {} ms: {} segments, {} bytes, last entry {}",
                SHARD,
                Duration.ofNanos(clock.nanos() - began).toMillis(),
                status.segments(),
                status.lengthBytes(),
                status.lastIndex());
    }

    /**
     * Recovers the shard and ends it again, so that its state is stored.
     *
     * @throws IOException as {@link #start}
     */
    public void startAndClose() throws IOException {
        start();
        close();
    }

    /** Lets the shard finish, syncs and closes its log, and stores its state. */
    @Override
    public void close() {
        if (runner != null) {
            runner.close();
        }
        AgentRunner second = standIn;
        if (second != null) {
            second.close();
        }
    }

    private void awaitLeading(ShardAgent shard) throws IOException {
        try {
            CompletableFuture.anyOf(shard.leading(), failed).get();
        } catch (ExecutionException e) {
            runner.close();
            throw new IOException("shard " + SHARD + " cannot be recovered: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            runner.close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while shard " + SHARD + " was recovering", e);
        }
    }

    /** On the shard's thread, which ends after this. */
    private void failed(Throwable cause) {
        LOG.error(
                "Shard {} stopped by an error in the node itself; its clients are refused until a restart. Please report"
                        + " this",
                SHARD,
                cause);
        failed.completeExceptionally(cause);
        if (standIn == null) {
            AgentRunner second = new AgentRunner(
                    new StoppedShard("shard-" + SHARD, inbox),
                    clock,
                    again -> LOG.error("Clients of stopped shard {} are not even refused any more", SHARD, again));
            standIn = second;
            inbox.wakes(second::wake);
            second.start();
        }
    }
}
