package io.duramen.replication.raft;

import io.duramen.log.EntryBuffer;
import io.duramen.log.LogConfig;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.LocalLog;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.agent.AgentRunner;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Not a test: a log of one node without an engine beside one with it, in turns, as a shard's agent drives them. Arguments:
 * directory, rounds, entries a round, bytes a record, records an entry, entries in flight. Prints a line for each round: entries
 * a second, latency from append to commit (median and 99 of 100), and the process's CPU time for an entry.
 */
final class OneReplicaThroughput implements Agent, ReplicatedLog.Listener {
    private static final RaftPeer SELF = new RaftPeer("one", "127.0.0.1", 1);
    private static final int WARM_UP = 10;

    private final ReplicatedLog log;
    private final Shape shape;
    private final long[] appendedNanos;
    private final long[] latencies;
    private final ByteBuffer record;
    private final CountDownLatch done = new CountDownLatch(1);
    private long appended;
    private long committed;
    private boolean leads;
    private long firstIndex;
    private long beganNanos;
    private long beganCpuNanos;
    private String result = "";

    /** @param inFlight entries appended and not committed, at most */
    private record Shape(int entries, int recordBytes, int records, int inFlight) {}

    private OneReplicaThroughput(ReplicatedLog log, Shape shape) {
        this.log = log;
        this.shape = shape;
        appendedNanos = new long[shape.entries()];
        latencies = new long[shape.entries()];
        record = ByteBuffer.allocate(shape.recordBytes());
    }

    public static void main(String[] arguments) throws Exception {
        Shape shape = new Shape(
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                Integer.parseInt(arguments[5]));
        for (int round = 0; round < Integer.parseInt(arguments[1]); round++) {
            System.out.println("local " + run(Path.of(arguments[0], "local-" + round), shape, false));
            System.out.println("raft  " + run(Path.of(arguments[0], "raft-" + round), shape, true));
        }
        System.exit(0);
    }

    private static String run(Path directory, Shape shape, boolean raft) throws Exception {
        Files.createDirectories(directory);
        FileDisk disk = new FileDisk(directory);
        try (TestNetwork network = new TestNetwork()) {
            RaftConfig config = new RaftConfig("bench", SELF, List.of(SELF), Duration.ofSeconds(1));
            RaftLog raftLog = new RaftLog(
                    disk,
                    new SystemClock(),
                    LogConfig.defaults(),
                    7,
                    new RaftReplica.Place(config, new ReplicaFiles(directory), network.clientOf(SELF), new LoanDesk()));
            ReplicatedLog log = raft ? raftLog : new LocalLog(disk, new SystemClock(), LogConfig.defaults(), 7);
            OneReplicaThroughput bench = new OneReplicaThroughput(log, shape);
            log.start(0, bench);
            AgentRunner runner = new AgentRunner(bench, new SystemClock(), Throwable::printStackTrace);
            disk.onDue(runner::wake);
            raftLog.onDue(runner::wake);
            disk.lendAgent(() -> true, Duration.ofMillis(1));
            runner.start();
            bench.done.await();
            runner.close();
            return bench.result;
        }
    }

    @Override
    public String name() {
        return "shard";
    }

    @Override
    public int doWork() {
        int work = log.poll();
        while (leads && appended < shape.entries() && appended - committed < shape.inFlight()) {
            append();
            work++;
        }
        return work;
    }

    private void append() {
        if (appended == shape.entries() / WARM_UP) {
            beganNanos = System.nanoTime();
            beganCpuNanos = cpuNanos();
        }
        EntryBuffer entry = log.newEntry();
        for (int i = 0; i < shape.records(); i++) {
            entry.addControl((byte) 9, record);
        }
        appendedNanos[(int) appended] = System.nanoTime();
        long index = log.append(entry, ReplicatedLog.Durability.SYNCED);
        firstIndex = appended == 0 ? index : firstIndex;
        appended++;
    }

    @Override
    public void onCommitted(CommittedEntry entry) {
        if (entry.count() == 0) {
            return;
        }
        int at = (int) (entry.index() - firstIndex);
        latencies[at] = System.nanoTime() - appendedNanos[at];
        committed++;
        if (committed == shape.entries()) {
            report();
            done.countDown();
        }
    }

    private void report() {
        int from = shape.entries() / WARM_UP;
        int measured = shape.entries() - from;
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        double cpuMicros = (cpuNanos() - beganCpuNanos) / 1e3 / measured;
        long[] sorted = Arrays.copyOfRange(latencies, from, shape.entries());
        Arrays.sort(sorted);
        result = String.format(
                "%,9.0f entries/s  p50 %,6d us  p99 %,6d us  %,6.1f us CPU",
                measured / seconds,
                TimeUnit.NANOSECONDS.toMicros(sorted[measured / 2]),
                TimeUnit.NANOSECONDS.toMicros(sorted[measured * 99 / 100]),
                cpuMicros);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    @Override
    public long deadlineNanos() {
        return log.deadlineNanos();
    }

    @Override
    public void onClose() {
        log.close();
    }

    @Override
    public void onDurable(long index) {}

    @Override
    public void onLeading(long epoch) {
        leads = true;
    }

    @Override
    public void onStopped(IOException cause) {
        cause.printStackTrace();
        done.countDown();
    }
}
