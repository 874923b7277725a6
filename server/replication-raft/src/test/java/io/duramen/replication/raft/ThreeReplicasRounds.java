package io.duramen.replication.raft;

import io.duramen.log.EntryBuffer;
import io.duramen.log.LogConfig;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.agent.Agent;
import io.duramen.runtime.agent.AgentRunner;
import io.duramen.runtime.disk.FileDisk;
import io.duramen.runtime.disk.SyncTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * Not a test: three replicas in one process, as the agents of shards drive them, and senders that each wait for an entry to be committed
 * before they send the next. Arguments: directory, senders, entries of each, bytes a record. Prints how many entries went in one request to
 * a follower, which counts the same on a machine that is busy with something else.
 */
final class ThreeReplicasRounds {
    private static final List<RaftPeer> PEERS = List.of(
            new RaftPeer("one", "127.0.0.1", 1),
            new RaftPeer("two", "127.0.0.1", 2),
            new RaftPeer("three", "127.0.0.1", 3));

    private final int senders;
    private final int entries;
    private final ByteBuffer record;
    private final CountDownLatch done;
    private final CountDownLatch led = new CountDownLatch(1);
    private volatile Member leader;

    private ThreeReplicasRounds(int senders, int entries, int recordBytes) {
        this.senders = senders;
        this.entries = entries;
        this.record = ByteBuffer.allocate(recordBytes);
        this.done = new CountDownLatch(senders);
    }

    public static void main(String[] arguments) throws Exception {
        ThreeReplicasRounds bench = new ThreeReplicasRounds(
                Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        bench.run(Path.of(arguments[0]));
        System.exit(0);
    }

    private void run(Path directory) throws Exception {
        List<Member> members = new ArrayList<>();
        TestNetwork network = new TestNetwork();
        for (RaftPeer peer : PEERS) {
            members.add(new Member(directory.resolve(peer.name()), peer, network));
        }
        members.forEach(member -> member.runner.start());
        led.await();
        long beganNanos = System.nanoTime();
        for (int i = 0; i < senders; i++) {
            new Thread(this::send).start();
        }
        done.await();
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        int all = senders * entries;
        System.out.printf("%,9.0f entries/s%n", all / seconds);
        for (Member member : members) {
            System.out.printf(
                    "%s: %.2f entries a request, %.2f a sync%n",
                    member == leader ? "leader" : "follower",
                    (double) all / network.filledAppends(member.peer),
                    (double) all / member.syncs.count());
        }
        members.forEach(member -> member.runner.close());
    }

    private void send() {
        Semaphore committed = new Semaphore(0);
        for (int i = 0; i < entries; i++) {
            leader.inbox.add(committed);
            leader.runner.wake();
            committed.acquireUninterruptibly();
        }
        done.countDown();
    }

    /** A replica with its agent. */
    private final class Member implements Agent, ReplicatedLog.Listener {
        private final RaftPeer peer;
        private final RaftLog log;
        private final SyncTimes syncs = new SyncTimes();
        private final AgentRunner runner;
        private final ConcurrentLinkedQueue<Semaphore> inbox = new ConcurrentLinkedQueue<>();
        private final Map<Long, Semaphore> waiting = new HashMap<>();

        Member(Path directory, RaftPeer peer, TestNetwork network) throws IOException {
            this.peer = peer;
            Files.createDirectories(directory);
            FileDisk disk = new FileDisk(directory);
            disk.countSyncs(syncs);
            RaftConfig config = new RaftConfig("bench", peer, PEERS, Duration.ofSeconds(1));
            log = new RaftLog(
                    disk,
                    new SystemClock(),
                    LogConfig.defaults(),
                    7,
                    new RaftReplica.Place(
                            config, new ReplicaFiles(directory), network.clientOf(peer), network.loansOf(peer)));
            runner = new AgentRunner(this, new SystemClock(), Throwable::printStackTrace);
            disk.onDue(runner::wake);
            log.onDue(runner::wake);
            log.start(0, this);
            disk.lendAgent(() -> true, Duration.ofMillis(1));
        }

        @Override
        public String name() {
            return peer.name();
        }

        @Override
        public int doWork() {
            int work = log.poll();
            for (Semaphore sent = inbox.poll(); sent != null; sent = inbox.poll()) {
                EntryBuffer entry = log.newEntry();
                entry.addControl((byte) 9, record);
                waiting.put(log.append(entry, ReplicatedLog.Durability.SYNCED), sent);
                work++;
            }
            return work;
        }

        @Override
        public void onCommitted(CommittedEntry entry) {
            Semaphore sent = waiting.remove(entry.index());
            if (sent != null) {
                sent.release();
            }
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
            leader = this;
            led.countDown();
        }

        @Override
        public void onStopped(IOException cause) {
            cause.printStackTrace();
        }
    }
}
