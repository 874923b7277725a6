package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leaders that change as often as they store an image, which begins a log anew each time. */
class ShortLeadershipsTest {
    private static final int ROUNDS = 8;

    /** Of a kilobyte each: more than two segments. */
    private static final int ENTRIES = 200;

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

    /** Goal: the log does not grow for ever where no log lives long enough to be told twice what may go. */
    @Test
    void shouldLetSegmentsGoThoughNoLogSeesTwoImages() throws IOException {
        List<RaftPeer> leaders = trio.peers.subList(0, 2);
        for (int round = 0; round < ROUNDS; round++) {
            trio.lead(leaders.get(round % 2));
            RaftPeer leader = trio.awaitLeader(0);
            append(leader, round * ENTRIES, (round + 1) * ENTRIES);
            Replica replica = trio.replica(leader);
            long marked = replica.log.markIndex();
            replica.storeImage();
            trio.until("the engine is told", () -> replica.log.markIndex() > marked);
        }
        trio.lead(leaders.get(ROUNDS % 2));

        for (RaftPeer peer : leaders) {
            assertThat(trio.replica(peer).log.status().firstIndex())
                    .as("first entry of %s, of %d", peer.name(), ROUNDS * ENTRIES)
                    .isGreaterThan(ENTRIES);
        }
        trio.awaitEverywhere(ROUNDS * ENTRIES - 1);
    }

    private void append(RaftPeer leader, int from, int to) {
        for (int i = from; i < to; i++) {
            trio.replica(leader).append(i, 1000, true);
        }
        trio.until("entry " + to, () -> trio.replica(leader).bodies.size() >= to);
    }
}
