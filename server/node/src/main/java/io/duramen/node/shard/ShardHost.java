package io.duramen.node.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.MetadataConfig;
import io.duramen.broker.shard.ShardAgent;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.log.LogConfig;
import io.duramen.metadata.snapshot.SnapshotMetadataStore;
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

    private static final int SHARD = 0;

    private final DataDirectory directory;
    private final BrokerConfig brokerConfig;
    private final MetadataConfig metadataConfig;
    private final LogConfig logConfig;
    private final Clock clock;
    private final MpscInbox<ShardRequest> inbox;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private AgentRunner runner;
    private volatile AgentRunner standIn;

    public ShardHost(
            DataDirectory directory,
            BrokerConfig brokerConfig,
            MetadataConfig metadataConfig,
            LogConfig logConfig,
            Clock clock,
            MpscInbox<ShardRequest> inbox) {
        this.directory = directory;
        this.brokerConfig = brokerConfig;
        this.metadataConfig = metadataConfig;
        this.logConfig = logConfig;
        this.clock = clock;
        this.inbox = inbox;
    }

    /**
     * Recovers the shard and returns when it takes requests.
     *
     * @throws IOException where image or log cannot be read; the message names file, position and what to do
     */
    public void start() throws IOException {
        long began = clock.nanos();
        FileDisk logDisk = new FileDisk(directory.log(SHARD));
        FileDisk imageDisk = new FileDisk(directory.image(SHARD));
        LocalLog log = new LocalLog(logDisk, clock, logConfig, new SecureRandom().nextInt());
        ShardAgent.Metadata metadata = new ShardAgent.Metadata(new SnapshotMetadataStore(imageDisk), metadataConfig);
        ShardAgent shard = new ShardAgent(SHARD, brokerConfig, clock, log, metadata, inbox);
        try {
            shard.start();
        } catch (IOException | RuntimeException e) {
            logDisk.close();
            imageDisk.close();
            throw e;
        }
        var status = log.status();
        runner = new AgentRunner(new ShardOnDisk(shard, imageDisk), clock, this::failed);
        logDisk.onDue(runner::wake);
        logDisk.lendAgent(inbox::isEmpty, SHORT_SYNC);
        imageDisk.onDue(runner::wake);
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

    /** Lets the shard finish, syncs and closes its log, and stores a last image. */
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
