package io.duramen.node.cluster;

import io.duramen.log.LogConfig;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.snapshot.SnapshotMetadataStore;
import io.duramen.node.directory.DataDirectory;
import io.duramen.replication.raft.Join;
import io.duramen.replication.raft.RaftReplica;
import io.duramen.replication.raft.Seed;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What a node does with its shards before it serves, on a directory that is new in its cluster. Used by one thread, which it blocks; other
 * threads ask whether that is not wanted any more.
 */
final class FirstStart {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<RaftReplica.Place> places;
    private final LogConfig config;
    private final BooleanSupplier givenUp;

    /** @param places where the replicas of the shards stand, by number */
    FirstStart(List<RaftReplica.Place> places, LogConfig config, BooleanSupplier givenUp) {
        this.places = places;
        this.config = config;
        this.givenUp = givenUp;
    }

    /**
     * Copies what the others have, one shard after the other.
     *
     * @throws IOException where it was given up
     */
    void join() throws IOException {
        for (RaftReplica.Place place : places) {
            new Join(place, config).run(givenUp);
        }
    }

    /** Which shards this node is to have a replica of. Used by one thread, which it may block. */
    interface Belonging {
        /** Empty where it is not known at the moment. */
        Optional<Boolean> to(int shard);
    }

    /**
     * As {@link #join()}, of the shards alone that this node belongs to; that with the catalogue is the first, and on all nodes.
     *
     * @param without called with those that it does not belong to
     * @throws IOException where it was given up
     */
    void join(Belonging belonging, Without without) throws IOException {
        for (int shard = 0; shard < places.size(); shard++) {
            Join join = new Join(places.get(shard), config);
            if (shard == 0 || belongs(shard, join, belonging)) {
                join.run(givenUp);
            } else {
                without.shard(shard);
            }
        }
    }

    /** Notes that this node has no replica of a shard. */
    interface Without {
        void shard(int shard) throws IOException;
    }

    private boolean belongs(int shard, Join join, Belonging belonging) throws IOException {
        while (!givenUp.getAsBoolean()) {
            if (join.isSeeded()) {
                return true;
            }
            Optional<Boolean> belongs = belonging.to(shard);
            if (belongs.isPresent()) {
                return belongs.get();
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        throw new IOException("the node ends before it was known whether it belongs to shard " + shard);
    }

    /**
     * Lends all shards to others until a majority has all of them.
     *
     * @throws IOException where it was given up, or a log cannot be read
     */
    void seed(DataDirectory own, ClusterFile file) throws IOException {
        AtomicReference<Exception> failure = new AtomicReference<>();
        List<Thread> seeds = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            int shard = i;
            Thread seed = new Thread(
                    () -> {
                        try {
                            new Seed(places.get(shard), config, new SystemClock(), file.joined(shard, places.size()))
                                    .run(
                                            appliedIndex(own, shard),
                                            () -> failure.get() != null || givenUp.getAsBoolean());
                        } catch (IOException | RuntimeException e) {
                            failure.compareAndSet(null, e);
                        }
                    },
                    "seed-shard-" + shard);
            seed.start();
            seeds.add(seed);
        }
        try {
            for (Thread seed : seeds) {
                seed.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure.compareAndSet(null, e);
        }
        if (failure.get() != null) {
            throw new IOException(failure.get().getMessage(), failure.get());
        }
    }

    private static long appliedIndex(DataDirectory own, int shard) throws IOException {
        try (FileDisk disk = new FileDisk(own.image(shard))) {
            return new SnapshotMetadataStore(disk)
                    .load(shard)
                    .map(ShardImage::appliedIndex)
                    .orElse(0L);
        }
    }
}
