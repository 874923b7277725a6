package io.duramen.node.shard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows whether this node leads the shards that other nodes have, too: has shards lead, and begin anew from what they have stored, as when a
 * node is started, where they lead no more, or were replaced by a copy. All of that is decided on one thread, one thing after the other. A
 * shard that copies another's log first, in place of a damaged one, does so meanwhile, on a thread of its own, and the rest goes on without it.
 */
abstract class Succession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Succession.class);
    private static final int CLOSE_SECONDS_MAX = 60;

    /** So often it is looked in an election timeout where the shards are led. */
    private static final int LOOKS_PER_TIMEOUT = 10;

    private static final long LOOK_MILLIS_MAX = 200;

    /** What cannot be done about a replica is tried again after so many election timeouts. */
    private static final int RETRY_TIMEOUTS = 10;

    /** Makes and starts the next one of a shard. From any thread. */
    interface Next {
        /** Whether another's log is copied before. */
        boolean takesLong(int shard);

        /**
         * Empty where it turns out that another's log is to be copied before: with the next attempt.
         *
         * @throws IOException where state or log cannot be read
         */
        Optional<ShardHost> start(int shard) throws IOException;

        /** Whether this node has a replica of it. */
        boolean isHeld(int shard);

        /** See {@link Logs#due}. */
        Logs.Due due(int shard);

        /** See {@link Logs#take}. */
        boolean take(int shard) throws IOException;

        /**
         * See {@link Logs#drop}; the shard's host was closed.
         *
         * @return one that is not started
         */
        ShardHost drop(int shard) throws IOException;

        /** See {@link Logs#lookAround}. */
        void lookAround();
    }

    final Clients clients;
    final Leaderships leaderships;
    private final Next next;
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, Succession::made);

    /** For what takes long. */
    private final ExecutorService aside = Executors.newCachedThreadPool(Succession::made);

    private volatile boolean ends;

    // ---- of the thread alone

    private ShardHost[] hosts;

    /** Whether a shard takes part no more until a restart. */
    private boolean broken;

    /** Shards that a replica is copied of, or of which something failed a while ago. */
    private final Set<Integer> taking = new HashSet<>();

    Succession(Clients clients, Leaderships leaderships, Next next) {
        this.clients = clients;
        this.leaderships = leaderships;
        this.next = next;
    }

    private static Thread made(Runnable task) {
        Thread made = new Thread(task, "duramen-succession");
        made.setDaemon(true);
        return made;
    }

    /**
     * Begins with shards that were started.
     *
     * @param damaged those that were not: another's log is to take the place of theirs
     */
    void follow(List<ShardHost> first, List<Integer> damaged) {
        later(() -> {
            hosts = first.toArray(ShardHost[]::new);
            for (int shard = 0; shard < hosts.length; shard++) {
                if (damaged.contains(shard)) {
                    beginAnew(shard);
                } else if (next.isHeld(shard)) {
                    begin(shard, hosts[shard]);
                }
            }
        });
        if (first.size() > 1) {
            long millis =
                    Math.min(LOOK_MILLIS_MAX, leaderships.electionTimeout().toMillis() / LOOKS_PER_TIMEOUT);
            thread.scheduleWithFixedDelay(guarded(this::look), millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    // ---- what a kind of it decides, on the thread

    /** Who leads may have changed: a shard was elected, or time has gone by. */
    abstract void look();

    /** A shard that was let lead takes requests. */
    abstract void settled(int shard, ShardHost host);

    /**
     * A shard leads no more, or was replaced by a copy; it is to {@link #replace begin anew}.
     *
     * @param breaks whether it has stopped instead, and takes part no more
     */
    abstract void ended(int shard, boolean breaks);

    // ---- what it has to go by, on the thread

    int shards() {
        return hosts.length;
    }

    ShardHost host(int shard) {
        return hosts[shard];
    }

    boolean isBroken() {
        return broken;
    }

    /** Who leads each shard, as far as this node knows. */
    List<Optional<String>> leaders() {
        return IntStream.range(0, hosts.length).mapToObj(leaderships::leader).toList();
    }

    // ---- to have a replica, or none

    /** Does what is due about which shards this node has replicas of, where it needs not have all. */
    void haveWhatIsDue() {
        next.lookAround();
        for (int shard = 0; shard < hosts.length; shard++) {
            switch (taking.contains(shard) ? Logs.Due.NOTHING : next.due(shard)) {
                case NOTHING -> {}
                case TAKE -> take(shard);
                case DROP -> drop(shard);
            }
        }
    }

    private void take(int shard) {
        LOG.info("This node is to have a replica of shard {}, and copies what others have", shard);
        taking.add(shard);
        aside.execute(() -> {
            try {
                boolean taken = next.take(shard);
                later(() -> {
                    taking.remove(shard);
                    if (taken) {
                        replace(List.of(shard));
                    }
                });
            } catch (IOException | RuntimeException e) {
                LOG.error("This node cannot have a replica of shard {} yet", shard, e);
                later(() -> leave(shard));
            }
        });
    }

    /** What failed is tried again a while later. */
    private void leave(int shard) {
        taking.add(shard);
        if (!ends) {
            long millis = RETRY_TIMEOUTS * leaderships.electionTimeout().toMillis();
            thread.schedule(() -> taking.remove(shard), millis, TimeUnit.MILLISECONDS);
        }
    }

    private void drop(int shard) {
        close(List.of(hosts[shard]));
        try {
            hosts[shard] = next.drop(shard);
        } catch (IOException | RuntimeException e) {
            LOG.error("What this node has of shard {}, and is to have no more, cannot be removed", shard, e);
            leave(shard);
        }
    }

    // ---- to begin and to end

    private void begin(int shard, ShardHost begun) {
        hosts[shard] = begun;
        begun.elected().thenRun(() -> later(this::look));
        begun.settled().thenRun(() -> later(() -> settled(shard, begun)));
        begun.over().whenComplete((over, failure) -> later(() -> end(shard, begun, failure)));
    }

    /** From any thread. */
    private void later(Runnable task) {
        try {
            thread.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("The node ends, and whether it leads is of no interest any more", e);
        }
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("Clients are sent away: this node cannot follow who leads", e);
                clients.sendAway();
            }
        };
    }

    private void end(int shard, ShardHost ended, Throwable failure) {
        if (ended != hosts[shard]) {
            return;
        }
        if (failure != null) {
            broken = true;
            leaderships.standAside();
            clients.sendAway();
            LOG.error(
                    "Clients are sent away: shard {} of this node has stopped, and takes part again after a restart",
                    shard,
                    failure);
        }
        ended(shard, failure != null);
    }

    /** Closes them all before others begin: none hears then what one of them has said. */
    void replace(List<Integer> shards) {
        long endedNanos = System.nanoTime();
        close(shards.stream().map(shard -> hosts[shard]).toList());
        List<Integer> later = shards.stream().filter(next::takesLong).toList();
        later.forEach(this::beginAnew);
        List<Integer> soon = new ArrayList<>(shards);
        soon.removeAll(later);
        ShardHost[] begun = new ShardHost[hosts.length];
        Together.run(soon, shard -> begun[shard] = start(shard, hosts[shard]));
        soon.forEach(shard -> began(shard, begun[shard]));
        LOG.info(
                "Shards {} take part again, {} ms after they led or were replaced",
                soon,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - endedNanos));
    }

    private static void close(List<ShardHost> ended) {
        Together.run(ended, ShardHost::close);
        boolean said = true;
        while (said) {
            said = false;
            for (ShardHost host : ended) {
                said |= host.refuseLast();
            }
        }
    }

    /** Once another's log is in place of its own, which nothing waits for. */
    private void beginAnew(int shard) {
        if (ends) {
            return;
        }
        ShardHost ended = hosts[shard];
        LOG.info("Shard {} takes part again once it has copied what others have", shard);
        aside.execute(() -> {
            ShardHost begun = start(shard, ended);
            later(() -> began(shard, begun));
        });
    }

    /** @param begun null where it did not begin */
    private void began(int shard, ShardHost begun) {
        if (begun != null) {
            begin(shard, begun);
        } else if (hosts[shard].isLost()) {
            broken = true;
            leaderships.standAside();
        } else {
            beginAnew(shard);
        }
    }

    /** @return null where it is lost, or has to be tried again */
    private ShardHost start(int shard, ShardHost ended) {
        try {
            return next.start(shard).orElse(null);
        } catch (IOException | RuntimeException | Error e) {
            if (ends) {
                LOG.info("Shard {} does not begin any more: {}", shard, e.getMessage());
                return null;
            }
            LOG.error("Shard {} of this node cannot follow who leads; it takes part again after a restart", shard, e);
            ended.breaks(e);
            return null;
        }
    }

    /** Waits for what is being done; the shards that are there then are whose made it. */
    @Override
    public void close() {
        ends = true;
        thread.shutdown();
        aside.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)
                    || !aside.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("A change of leaders has not ended within {} s", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
