package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.runtime.ports.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three replicas that talk over sockets, as they do between processes. */
class ReplicasOverTcpTest {
    @TempDir
    Path directory;

    private final List<RaftPeer> peers = new ArrayList<>();
    private final Map<RaftPeer, PeerNetwork> networks = new HashMap<>();
    private final Map<RaftPeer, Replica> replicas = new HashMap<>();

    @AfterEach
    void close() {
        List.copyOf(replicas.keySet()).forEach(this::close);
    }

    @Test
    void shouldReplicateAndGoOnWhenTheLeaderEndsAndComesBack() throws Exception {
        form(null);
        replicateAcrossTheEndOfALeader();
    }

    @Test
    void shouldReplicateOverTlsAndGoOnWhenTheLeaderEndsAndComesBack() throws Exception {
        form(new TestCertificates(directory.resolve("certificates"), List.of("one", "two", "three")));
        replicateAcrossTheEndOfALeader();
    }

    private TestCertificates certificates;

    private void form(TestCertificates made) throws IOException {
        certificates = made;
        int port = FreePorts.inARow(3);
        for (String name : List.of("one", "two", "three")) {
            peers.add(new RaftPeer(name, "127.0.0.1", port + peers.size()));
        }
        for (RaftPeer peer : peers) {
            open(peer);
        }
    }

    private void replicateAcrossTheEndOfALeader() throws IOException {
        RaftPeer leader = awaitLeader(0);
        for (int i = 1; i <= 400; i++) {
            replicas.get(leader).append(i, 3000, true);
        }
        awaitEverywhere(400);
        long epoch = replicas.get(leader).epoch;
        close(leader);

        RaftPeer next = awaitLeader(epoch);
        for (int i = 401; i <= 600; i++) {
            replicas.get(next).append(i, 3000, true);
        }
        awaitEverywhere(600);
        open(leader);
        awaitEverywhere(600);

        for (Replica replica : replicas.values()) {
            assertThat(replica.bodies)
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, 600).boxed().toList());
        }
    }

    private void open(RaftPeer peer) throws IOException {
        PeerNetwork network = PeerNetwork.open(new PeerNetworkConfig(
                "cluster", peer, peers, certificates == null ? Optional.empty() : certificates.of(peer.name())));
        networks.put(peer, network);
        RaftConfig config = new RaftConfig("shard-0", peer, peers, Duration.ofSeconds(1));
        replicas.put(peer, Replica.open(config, directory.resolve(peer.name()), network.client(), Replica.CONFIG, 0));
    }

    private void close(RaftPeer peer) {
        replicas.remove(peer).close();
        networks.remove(peer).close();
    }

    private RaftPeer awaitLeader(long afterEpoch) {
        Waiting.until(
                all(),
                "a leader after epoch " + afterEpoch,
                () -> leader(afterEpoch).isPresent());
        return leader(afterEpoch).orElseThrow();
    }

    private Optional<RaftPeer> leader(long afterEpoch) {
        return replicas.entrySet().stream()
                .filter(entry -> entry.getValue().leads() && entry.getValue().epoch > afterEpoch)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private void awaitEverywhere(int bodies) {
        Waiting.until(
                all(),
                bodies + " entries everywhere",
                () -> all().stream().allMatch(replica -> replica.bodies.size() == bodies));
    }

    private List<Replica> all() {
        return List.copyOf(replicas.values());
    }
}
