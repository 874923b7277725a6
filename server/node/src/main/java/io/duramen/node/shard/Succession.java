package io.duramen.node.shard;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows whether this node leads a shard that other nodes have, too. Clients are let in once it leads and takes requests. Once it
 * leads no more they are sent away, the agent is closed, and another begins from what that has stored, as when a node is started:
 * so nothing that only a leader knows is left. All of that happens on one thread, one thing after the other.
 */
final class Succession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Succession.class);
    private static final int CLOSE_SECONDS_MAX = 60;

    /** Makes and starts the next one. */
    interface Next {
        /** @throws IOException where state or log cannot be read */
        ShardHost start() throws IOException;
    }

    private final Clients clients;
    private final Next next;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "duramen-succession");
        made.setDaemon(true);
        return made;
    });

    /** Of the thread alone. */
    private ShardHost host;

    /** The last one that clients were let in to, of the thread alone, too; null for none yet. */
    private ShardHost letIn;

    Succession(Clients clients, Next next) {
        this.clients = clients;
        this.next = next;
    }

    /** Begins with a shard that was started. */
    void follow(ShardHost first) {
        later(() -> begin(first));
    }

    private void begin(ShardHost begun) {
        host = begun;
        begun.settled().thenRun(() -> later(() -> letIn(begun)));
        begun.over().whenComplete((over, failure) -> later(() -> end(begun, failure)));
    }

    /** From any thread. */
    private void later(Runnable task) {
        try {
            thread.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.error("Clients are sent away: this node cannot follow who leads", e);
                    clients.sendAway();
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("The node ends, and whether it leads is of no interest any more", e);
        }
    }

    private void letIn(ShardHost leading) {
        if (leading == host && !leading.over().isDone()) {
            letIn = leading;
            clients.letIn();
            LOG.info("This node leads, and clients are let in");
        }
    }

    private void end(ShardHost ended, Throwable failure) {
        if (ended != host) {
            return;
        }
        boolean served = letIn == ended;
        clients.sendAway();
        if (failure != null) {
            LOG.error(
                    "Clients are sent away: this node's shard has stopped, and takes part again after a restart",
                    failure);
            return;
        }
        if (served) {
            LOG.info("This node leads no more, and clients were sent away");
        }
        long endedNanos = System.nanoTime();
        ended.close();
        ended.refuseLast();
        try {
            begin(next.start());
            LOG.info(
                    "This node takes part again, {} ms after the shard that led or was replaced was over",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - endedNanos));
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("This node cannot follow who leads; it takes part again after a restart", e);
            ended.breaks(e);
        }
    }

    /** Waits for what is being done; the shard that is there then is whose made it. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("A change of leaders has not ended within {} s", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
