package io.duramen.simulation.log;

import io.duramen.log.DamagedLogException;
import io.duramen.log.EntryBuffer;
import io.duramen.log.PartitionChunk;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.disk.Disk;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.SimulatedClock;
import io.duramen.simulation.SimulatedThread;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.SimulationFailure;
import io.duramen.simulation.disk.PowerCut;
import io.duramen.simulation.disk.SimulatedDisk;
import io.duramen.simulation.disk.SimulatedMedium;
import io.duramen.simulation.message.TestMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One run of a log alone: random appends, reads and releases over some lives that end by power cuts, kills and clean
 * closes, every callback and every read checked against a {@link LogModel}.
 */
final class LogCrashRun {
    private static final int PARTITIONS = 3;
    private static final int UNIFORM_LENGTH = 16;
    private static final int UNIFORM_LIVES_MAX = 12;
    private static final int UNIFORM_ACTIONS_MAX = 9;
    private static final int LIVES_MAX = 5;
    private static final int ACTIONS_MAX = 40;
    private static final int PAUSE_NANOS_MAX = 300_000;

    /** Opens the log under test on a disk. */
    @FunctionalInterface
    interface Opener {
        ReplicatedLog open(Disk disk, Clock clock);
    }

    /** Makes the opener of a run. */
    @FunctionalInterface
    interface OpenerOfSeed {
        Opener opener(SeededRandom random);
    }

    private enum End {
        POWER_CUT,
        KILL,
        CLOSE
    }

    private final Simulation simulation;
    private final SeededRandom random;
    private final SimulatedMedium medium;
    private final SimulatedClock clock;
    private final Opener opener;
    private final LogModel model = new LogModel();
    private final TreeMap<Integer, Long> needed = new TreeMap<>();
    /**
     * Whether lives are short and all entries unsynced and of one length, so that stale ones behind a lost one often stand
     * just where the next is due.
     */
    private final boolean uniform;

    private long imageIndex;
    private int life;

    LogCrashRun(long seed, OpenerOfSeed openerOfSeed) {
        simulation = new Simulation(seed);
        random = simulation.random();
        uniform = random.oneIn(3);
        medium = new SimulatedMedium(simulation);
        clock = new SimulatedClock(simulation);
        opener = openerOfSeed.opener(random.split());
    }

    Simulation simulation() {
        return simulation;
    }

    /** @throws io.duramen.simulation.SimulationFailure where the log broke a promise */
    LogCrashRun run() {
        try {
            End last = End.CLOSE;
            int lives = random.between(2, uniform ? UNIFORM_LIVES_MAX : LIVES_MAX);
            for (life = 0; life < lives; life++) {
                last = live(last);
            }
        } catch (SimulationFailure e) {
            throw e;
        } catch (RuntimeException | AssertionError | IOException e) {
            throw simulation.failure(e.toString(), e);
        }
        return this;
    }

    private End live(End before) throws IOException {
        medium.faults().clear();
        if (life > 0 && random.oneIn(4)) {
            medium.faults().cutPowerInCall(random.between(1, 12));
        }
        Life now;
        try {
            now = new Life(before);
        } catch (PowerCut cut) {
            return End.POWER_CUT;
        } finally {
            medium.faults().clear();
        }
        planFaults();
        return now.live();
    }

    private void planFaults() {
        switch (random.below(10)) {
            case 0 -> medium.faults().slowBy(50);
            case 1 -> medium.faults().failOperation(random.between(1, 40));
            default -> {}
        }
    }

    /** One process with the log open. */
    private final class Life implements Agent, ReplicatedLog.Listener {
        private final End before;
        private final ReplicatedLog log;
        private final SimulatedThread thread;
        private final long failuresBefore = medium.faults().failures();
        private long durableBefore;
        private boolean leading;
        private boolean stopped;

        Life(End before) throws IOException {
            this.before = before;
            SimulatedDisk disk = medium.mount();
            log = opener.open(disk, clock);
            long applied = imageIndex + random.below(model.durableFloor() - imageIndex + 1);
            model.restarted(applied);
            simulation.note("run", "start of life " + life + " from", applied, model.lastIndex());
            log.start(applied, this);
            thread = new SimulatedThread(simulation, clock, this);
            disk.onDue(thread::wake);
        }

        End live() {
            while (!leading && !stopped && simulation.step()) {
                // Recovery hands over what it found.
            }
            if (stopped && !leading) {
                medium.killProcess();
                thread.kill();
                return before;
            }
            if (!leading) {
                throw new AssertionError("the log never led");
            }
            for (int actions = random.below(uniform ? UNIFORM_ACTIONS_MAX : ACTIONS_MAX); actions > 0; actions--) {
                act();
                simulation.runFor(random.below(PAUSE_NANOS_MAX));
            }
            return end(uniform && random.oneIn(2) ? End.POWER_CUT : random.pick(List.of(End.values())));
        }

        private void act() {
            switch (random.below(10)) {
                case 0, 1 -> read();
                case 2 -> release();
                case 3 -> simulation.runFor(random.below(40_000_000L));
                default -> append();
            }
        }

        private End end(End how) {
            simulation.note("run", "end by " + how, model.committed(), model.durableFloor());
            switch (how) {
                case POWER_CUT -> medium.cutPower();
                case KILL -> medium.killProcess();
                case CLOSE -> close();
            }
            thread.kill();
            if (how == End.KILL && random.oneIn(3)) {
                medium.cutPower();
                return End.POWER_CUT;
            }
            return how;
        }

        private void close() {
            medium.faults().clear();
            log.close();
            if (!stopped) {
                model.closed();
            }
        }

        private void append() {
            if (!log.isWritable() || !log.hasRoomFor(4096)) {
                return;
            }
            EntryBuffer entry = log.newEntry();
            EntryPlan plan = new EntryPlan(entry);
            if (uniform) {
                byte[] body = new byte[UNIFORM_LENGTH];
                java.util.Arrays.fill(body, (byte) random.below(256));
                plan.control((byte) 2, body);
            }
            for (int records = uniform ? 0 : random.between(1, 3); records > 0; records--) {
                if (random.oneIn(3)) {
                    byte[] body = new byte[random.below(200)];
                    java.util.Arrays.fill(body, (byte) random.below(256));
                    plan.control((byte) random.between(2, 9), body);
                } else {
                    int partition = random.between(1, PARTITIONS);
                    plan.messages(partition, Math.max(model.appendedEnd(partition), plan.end(partition)), messages());
                }
            }
            Durability durability = random.oneIn(uniform ? 1 : 3) ? Durability.WRITTEN : Durability.SYNCED;
            long index = log.append(entry, durability);
            model.appended(index, durability, plan.digest(), plan.batches());
            thread.wake();
        }

        private List<TestMessage> messages() {
            List<TestMessage> messages = new ArrayList<>();
            for (int count = random.between(1, 3); count > 0; count--) {
                messages.add(new TestMessage(life, model.lastIndex(), 0, true, random.below(600)));
            }
            return messages;
        }

        private void read() {
            int partition = random.between(1, PARTITIONS);
            long from = needed.getOrDefault(partition, 0L);
            long end = model.committedEnd(partition);
            if (end > from) {
                read(partition, from + random.below(end - from), random.between(1, 5000));
            }
        }

        private void read(int partition, long offset, int maxBytes) {
            if (offset < needed.getOrDefault(partition, 0L)) {
                return; // released while the read was under way
            }
            try {
                Optional<PartitionChunk> chunk =
                        log.read(partition, offset, maxBytes, () -> read(partition, offset, maxBytes));
                simulation.note("run", "read partition " + partition + (chunk.isEmpty() ? " later" : ""), offset, 0);
                chunk.ifPresent(found -> model.read(partition, offset, found));
            } catch (DamagedLogException e) {
                if (medium.faults().failures() == failuresBefore) {
                    throw new AssertionError("read of partition " + partition + " at " + offset, e);
                }
            }
        }

        private void release() {
            int partition = random.between(1, PARTITIONS);
            long end = model.committedEnd(partition);
            needed.merge(partition, random.below(end + 1), Math::max);
            imageIndex += random.below(Math.min(model.durableFloor(), model.committed()) - imageIndex + 1);
            simulation.note("run", "release partition " + partition, imageIndex, needed.get(partition));
            log.release(imageIndex, p -> needed.getOrDefault(p, 0L));
        }

        @Override
        public void onCommitted(CommittedEntry entry) {
            simulation.note("log", "committed", entry.index(), entry.epoch());
            model.committed(entry);
        }

        @Override
        public void onDurable(long index) {
            simulation.note("log", "durable", index, 0);
            if (index < durableBefore) {
                throw new AssertionError("durable went back from " + durableBefore + " to " + index);
            }
            durableBefore = index;
            model.durable(index);
        }

        @Override
        public void onLeading(long epoch) {
            simulation.note("log", "leads", epoch, model.committed());
            leading = true;
            model.recovered(before == End.POWER_CUT);
        }

        @Override
        public void onStopped(IOException cause) {
            simulation.note("log", "stopped", 0, 0);
            stopped = true;
        }

        @Override
        public String name() {
            return "log";
        }

        @Override
        public int doWork() {
            return log.poll();
        }

        @Override
        public long deadlineNanos() {
            return log.deadlineNanos();
        }

        @Override
        public void onClose() {}
    }

    /** Fills an entry and remembers what it holds. */
    private static final class EntryPlan {
        private final EntryBuffer entry;
        private final List<LogModel.Batch> batches = new ArrayList<>();
        private final List<long[]> digests = new ArrayList<>();

        EntryPlan(EntryBuffer entry) {
            this.entry = entry;
        }

        void control(byte type, byte[] body) {
            entry.addControl(type, ByteBuffer.wrap(body));
            digests.add(new long[] {type, 0, 0, 0, LogModel.crc(ByteBuffer.wrap(body))});
        }

        void messages(int partition, long baseOffset, List<TestMessage> messages) {
            ByteBuffer batch = TestMessage.batch(1, baseOffset, messages);
            entry.addMessages(partition, baseOffset, messages.size(), batch);
            batches.add(new LogModel.Batch(partition, baseOffset, messages.size(), LogModel.crc(batch)));
            digests.add(new long[] {1, partition, baseOffset, messages.size(), LogModel.crc(batch)});
        }

        long end(int partition) {
            return batches.stream()
                    .filter(batch -> batch.partition() == partition)
                    .mapToLong(batch -> batch.baseOffset() + batch.count())
                    .max()
                    .orElse(0);
        }

        List<LogModel.Batch> batches() {
            return batches;
        }

        long digest() {
            long digest = digests.size();
            for (long[] d : digests) {
                digest = ((digest * 31 + d[0]) * 31 + d[1]) * 31 + d[2] * 7 + d[3] + d[4] * 1_000_003;
            }
            return digest;
        }
    }
}
