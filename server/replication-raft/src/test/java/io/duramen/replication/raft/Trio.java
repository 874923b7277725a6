package io.duramen.replication.raft;

import io.duramen.log.EntryReader;
import io.duramen.log.ShardLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/** Three replicas of one log in this process. Confined to the test's thread, which is the agent of all. */
final class Trio implements AutoCloseable {
    final List<RaftPeer> peers = List.of(
            new RaftPeer("one", "127.0.0.1", 1),
            new RaftPeer("two", "127.0.0.1", 2),
            new RaftPeer("three", "127.0.0.1", 3));
    final TestNetwork network = new TestNetwork();
    final SkippingClock clock = new SkippingClock();

    /** Who was found by a leader to have forgotten what it had stored, and what. */
    final Queue<String> forgotten = new ConcurrentLinkedQueue<>();

    private final Map<RaftPeer, Replica> open = new HashMap<>();
    private final Map<RaftPeer, Mending> mendings = new HashMap<>();
    private final Map<RaftPeer, Unread> unread = new HashMap<>();
    private final Path directory;
    private final int copies;
    private final Map<String, Long> quotas;

    Trio(Path directory) throws IOException {
        this(directory, 2);
    }

    /** @param copies that have to be on disk before an entry is kept */
    Trio(Path directory, int copies) throws IOException {
        this(directory, copies, Map.of());
    }

    /** @param quotas bytes of the disks of those that have no room for more, by their names */
    Trio(Path directory, int copies, Map<String, Long> quotas) throws IOException {
        this.directory = directory;
        this.copies = copies;
        this.quotas = quotas;
        for (RaftPeer peer : peers) {
            open(peer);
        }
    }

    Replica open(RaftPeer peer) throws IOException {
        Replica replica = Replica.openAsItStands(place(peer), clock, quotas.getOrDefault(peer.name(), Long.MAX_VALUE));
        open.put(peer, replica);
        return replica;
    }

    private RaftReplica.Place place(RaftPeer peer) {
        List<RaftPeer> known = new ArrayList<>(peers);
        if (!known.contains(peer)) {
            known.add(peer);
        }
        RaftConfig config = new RaftConfig("trio", peer, known, Duration.ofMillis(1000), 64 << 20, copies, List.of());
        return new RaftReplica.Place(
                        config,
                        new ReplicaFiles(directory(peer)),
                        network.clientOf(peer),
                        network.loansOf(peer),
                        new Introduction.Register() {
                            @Override
                            public void met(String node, Introduction.Said said) {
                                // Nobody greets here.
                            }

                            @Override
                            public void forgot(String node, String what) {
                                forgotten.add(node + " " + what);
                            }
                        })
                .with(mending(peer), unread.computeIfAbsent(peer, of -> new Unread()));
    }

    /** What that node knows of its log's damage. */
    Mending mending(RaftPeer peer) {
        return mendings.computeIfAbsent(peer, of -> new Mending(Mending.OtherShards.NONE));
    }

    /** Begins with another's log in place of its own, where that is due, as a node does; or as it stands. */
    void beginAnew(RaftPeer peer) throws IOException {
        replace(peer, () -> false);
        open(peer);
    }

    /** Puts another's log in place of its own, where that is due, and does not open it. */
    void replace(RaftPeer peer, BooleanSupplier givenUp) {
        if (open.containsKey(peer)) {
            closeWhileOthersWork(peer);
        }
        if (mending(peer).isBegun()) {
            RaftReplica.Place place = place(peer);
            aside(peer.name() + " to have copied", () -> new Replacement(place, Replica.CONFIG).run(givenUp));
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Done by another thread, which the replicas that are open may have to answer. */
    private void aside(String what, Step step) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try {
                step.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        until(what, done::isDone);
        done.join();
    }

    /** Takes in one that is added, as a node on an empty directory does. */
    void join(RaftPeer peer) throws IOException {
        RaftReplica.Place place = place(peer);
        aside(peer.name() + " to have joined", () -> new Join(place, Replica.CONFIG).run(() -> false));
        open(peer);
    }

    /** Of its log. */
    Path directory(RaftPeer peer) {
        return directory.resolve(peer.name()).resolve("log");
    }

    Replica replica(RaftPeer peer) {
        return open.get(peer);
    }

    List<Replica> replicas() {
        return List.copyOf(open.values());
    }

    void close(RaftPeer peer) {
        open.remove(peer).close();
    }

    /** As {@link #close(RaftPeer)}, which waits for the others: they need an agent meanwhile. */
    void closeWhileOthersWork(RaftPeer peer) {
        Replica closing = open.remove(peer);
        Thread closer = new Thread(closing::close);
        closer.start();
        until("the end of " + peer.name(), () -> !closer.isAlive());
    }

    void until(String what, BooleanSupplier holds) {
        Waiting.until(replicas(), what, holds);
    }

    /** The one that leads, and that leads with a higher epoch than this. */
    RaftPeer awaitLeader(long afterEpoch) {
        until("a leader after epoch " + afterEpoch, () -> leader(afterEpoch) != null);
        return leader(afterEpoch);
    }

    /** Has that one lead; the others may have begun anew for that. */
    void lead(RaftPeer peer) throws IOException {
        for (RaftPeer leader = awaitLeader(0); !leader.equals(peer); ) {
            RaftPeer old = leader;
            Replica deposed = replica(old);
            deposed.log.stepDown(Optional.of(peer));
            until("its end", () -> deposed.ended != 0);
            closeWhileOthersWork(old);
            leader = awaitLeader(deposed.epoch);
            open(old);
        }
    }

    private RaftPeer leader(long afterEpoch) {
        return open.keySet().stream()
                .filter(peer -> open.get(peer).leads() && open.get(peer).epoch > afterEpoch)
                .findFirst()
                .orElse(null);
    }

    List<RaftPeer> others(RaftPeer than) {
        return peers.stream().filter(peer -> !peer.equals(than)).toList();
    }

    void awaitEverywhere(int bodies) {
        until(
                bodies + " entries everywhere",
                () -> replicas().stream().allMatch(replica -> replica.bodies.size() >= bodies));
    }

    /** Closes and begins anew whoever was replaced by a copy, as a node does. */
    void succeed() throws IOException {
        for (RaftPeer peer : peers) {
            if (open.containsKey(peer) && open.get(peer).replaced) {
                close(peer);
                open(peer);
            }
        }
    }

    /**
     * What stands in the files of a replica that is closed, from where no entry is missing: index, epoch, time and bytes of each
     * entry.
     */
    List<String> entriesOf(RaftPeer peer) throws IOException {
        List<String> entries = new ArrayList<>();
        FileDisk disk = new FileDisk(directory(peer));
        ShardLog log = new ShardLog(disk, new SystemClock(), Replica.CONFIG, 7);
        log.open(appliedOf(peer));
        EntryReader reader = log.reader(log.firstWholeIndex());
        while (!reader.isDone() && reader.failure().isEmpty()) {
            reader.poll(entry -> {
                byte[] body = new byte[entry.body().remaining()];
                entry.body().get(0, body);
                entries.add(entry.index() + "/" + entry.epoch() + " " + entry.timestampMillis() + " "
                        + entry.baseOffset() + " " + entry.configuration() + " " + java.util.Arrays.hashCode(body));
            });
            disk.awaitDue();
            disk.poll();
        }
        log.close();
        return entries;
    }

    private long appliedOf(RaftPeer peer) throws IOException {
        Path image = directory(peer).resolveSibling("image").resolve("image-0");
        return Files.exists(image) ? ByteBuffer.wrap(Files.readAllBytes(image)).getLong() : 0;
    }

    @Override
    public void close() {
        open.values().forEach(Replica::close);
        network.close();
    }
}
