package io.duramen.simulation.broker;

import io.duramen.metadata.Projection;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardRows;
import io.duramen.metadata.StateLostException;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A database of the state of one shard, as unsafe as it may be: it is slow at times, fails at times, and with the process
 * goes what was committed last, or everything. Confined to the simulation.
 */
public final class SimulatedDatabase {
    private static final int VERSIONS_MAX = 4;
    private static final int NANOS_MAX = 3_000_000;
    private static final int SLOW_NANOS_MAX = 60_000_000;

    private final Simulation simulation;
    private final SeededRandom random;
    private final boolean headFirst;

    /** The newest last. */
    private final Deque<ShardImage> versions = new ArrayDeque<>();

    private Optional<Life> life = Optional.empty();

    /** @param headFirst whether it does it wrong: commits how far the state is before the rows are in */
    public SimulatedDatabase(Simulation simulation, boolean headFirst) {
        this.simulation = simulation;
        this.random = simulation.random().split();
        this.headFirst = headFirst;
    }

    /** The same database, as it is now, for another world. */
    public SimulatedDatabase copyFor(Simulation world) {
        SimulatedDatabase copy = new SimulatedDatabase(world, headFirst);
        copy.versions.addAll(versions);
        return copy;
    }

    /** What a process has of it. */
    Projection mount() {
        Life now = new Life();
        life = Optional.of(now);
        return now;
    }

    /** The process ends without warning. */
    void crash() {
        life.ifPresent(now -> now.dead = true);
        life = Optional.empty();
        if (random.oneIn(8)) {
            simulation.note("database", "is lost", 0, 0);
            versions.clear();
        }
        for (int lost = random.oneIn(3) ? random.between(1, VERSIONS_MAX - 1) : 0; lost > 0; lost--) {
            versions.pollLast();
        }
    }

    private void commit(ShardImage image) {
        versions.addLast(image);
        while (versions.size() > VERSIONS_MAX) {
            versions.pollFirst();
        }
    }

    private final class Life implements Projection {
        private final List<Runnable> due = new ArrayList<>();
        private Runnable wake = () -> {};
        private ShardRows rows = new ShardRows(0);
        private long freeNanos;
        private boolean dead;

        @Override
        public Optional<ShardImage> load(int shard) {
            ShardImage last = versions.peekLast();
            if (last != null) {
                rows = ShardRows.of(last);
            }
            return Optional.ofNullable(last);
        }

        @Override
        public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
            later(() -> {
                Optional<IOException> outcome = stored(changes);
                return () -> done.accept(outcome);
            });
        }

        private Optional<IOException> stored(ShardChanges changes) {
            if (random.oneIn(20)) {
                return Optional.of(new IOException("the database is locked"));
            }
            if (random.oneIn(100)) {
                rows = new ShardRows(0);
                versions.clear();
                return Optional.of(new StateLostException("the database is damaged"));
            }
            ShardImage before = rows.toImage();
            try {
                rows.apply(changes);
            } catch (StateLostException e) {
                return Optional.of(e);
            }
            ShardImage after = rows.toImage();
            if (headFirst) {
                commit(new ShardImage(
                        after.head(),
                        before.destinations(),
                        before.subscriptions(),
                        before.cursors(),
                        before.producers(),
                        before.openBodies(),
                        before.pins(),
                        before.branches(),
                        before.facts(),
                        before.dedup()));
            }
            commit(after);
            return Optional.empty();
        }

        @Override
        public <T> void read(int shard, Function<ShardImage, T> use, Reading<T> done) {
            later(() -> {
                if (random.oneIn(20)) {
                    return () -> done.failed(new IOException("the database is locked"));
                }
                if (rows.head().appliedIndex() == 0) {
                    return () -> done.failed(new StateLostException("the database has nothing"));
                }
                T result = use.apply(rows.toImage());
                return () -> done.succeeded(result);
            });
        }

        /** One after the other, as a thread of its own would. */
        private void later(Supplier<Runnable> work) {
            long nanos = random.below(random.oneIn(10) ? SLOW_NANOS_MAX : NANOS_MAX);
            freeNanos = Math.max(freeNanos, simulation.nowNanos()) + nanos;
            simulation.after(freeNanos - simulation.nowNanos(), () -> {
                if (!dead) {
                    due.add(work.get());
                    wake.run();
                }
            });
        }

        @Override
        public int poll() {
            List<Runnable> now = List.copyOf(due);
            due.clear();
            now.forEach(Runnable::run);
            return now.size();
        }

        @Override
        public void onDue(Runnable toWake) {
            wake = toWake;
        }

        /** What is still on its way is lost, too: it may be. */
        @Override
        public void close() {
            dead = true;
            life = Optional.empty();
        }
    }
}
