package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a leader notices who has forgotten what it has counted on, and suspects nobody else. */
class ForgottenEntriesTest {
    @TempDir
    Path directory;

    private Trio trio;

    @BeforeEach
    void open() throws IOException {
        trio = new Trio(directory);
    }

    @AfterEach
    void close() {
        trio.close();
    }

    @Test
    void shouldTellWhoComesBackWithAnOlderLogWhileItLeads() throws IOException {
        RaftPeer leader = trio.awaitLeader(0);
        long epoch = trio.replica(leader).epoch;
        RaftPeer restored = trio.others(leader).get(0);
        append(leader, 1, 100);
        trio.closeWhileOthersWork(restored);
        Path backup = directory.resolve("backup");
        copy(trio.directory(restored), backup);
        trio.open(restored);
        append(leader, 101, 200);
        trio.until("its answers", () -> lagOf(leader, restored) == 0);
        trio.closeWhileOthersWork(restored);
        assertThat(trio.forgotten).isEmpty();

        ReplicaFiles.deleteAll(trio.directory(restored));
        copy(backup, trio.directory(restored));
        trio.open(restored);
        trio.until("that is noticed", () -> !trio.forgotten.isEmpty());

        assertThat(trio.replica(leader).epoch).isEqualTo(epoch);
        assertThat(trio.forgotten)
                .first()
                .asString()
                .matches(restored.name() + " had stored entry \\d+, and has none behind \\d+ of trio");
    }

    @Test
    void shouldSuspectNobodyWhenReplicasAreClosedCutOffAndBehind() throws IOException {
        RaftPeer leader = trio.awaitLeader(0);
        RaftPeer closed = trio.others(leader).get(0);
        RaftPeer cutOff = trio.others(leader).get(1);
        for (int round = 0; round < 3; round++) {
            append(leader, round * 200 + 1, round * 200 + 100);
            trio.closeWhileOthersWork(closed);
            append(leader, round * 200 + 101, round * 200 + 150);
            trio.open(closed);
            trio.awaitEverywhere(round * 200 + 150);
            trio.network.cutOff(cutOff);
            append(leader, round * 200 + 151, round * 200 + 200);
            trio.network.heal(cutOff);
            trio.awaitEverywhere(round * 200 + 200);
        }

        assertThat(trio.forgotten).isEmpty();
    }

    private long lagOf(RaftPeer leader, RaftPeer other) {
        return trio.replica(leader).log.replicas().stream()
                .filter(row -> row.peer().equals(other))
                .flatMap(row -> row.lagEntries().stream())
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    private void append(RaftPeer leader, int from, int to) {
        for (int i = from; i <= to; i++) {
            trio.replica(leader).append(i, 500, true);
        }
        trio.until("entry " + to, () -> trio.replica(leader).bodies.size() >= to);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            all.forEach(path -> {
                try {
                    Files.createDirectories(to.getParent());
                    Files.copy(path, to.resolve(from.relativize(path).toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
