package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.replication.ReplicatedLog.Shortage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many replicas have what is committed, where more than a majority has to. */
class CopiesTest {
    @TempDir
    Path directory;

    private Trio trio;

    @AfterEach
    void close() {
        trio.close();
    }

    @Test
    void shouldKeepWhatAllHaveAndTellWhoIsMissing() throws IOException {
        trio = new Trio(directory, 3);
        RaftPeer leader = trio.awaitLeader(0);
        RaftLog log = trio.replica(leader).log;
        long first = trio.replica(leader).append(1, 100, true);
        trio.until("copies everywhere", () -> log.keptIndex() >= first);
        assertThat(log.shortage()).isEmpty();

        RaftPeer away = trio.others(leader).get(0);
        trio.network.cutOff(away);
        long second = trio.replica(leader).append(2, 100, true);
        trio.until("a majority", () -> trio.replica(leader).durable >= second);
        assertThat(log.keptIndex()).isBetween(first, second - 1);
        trio.clock.skip(Duration.ofSeconds(3));
        trio.until("who is missing", () -> log.shortage().equals(Optional.of(new Shortage(2, 3, 3))));

        trio.network.heal(away);
        trio.until("copies everywhere again", () -> log.keptIndex() >= second);
        trio.until("all of them", () -> log.shortage().isEmpty());
    }

    @Test
    void shouldAskForNoMoreThanAMajorityByItself() throws IOException {
        trio = new Trio(directory);
        RaftPeer leader = trio.awaitLeader(0);
        List<RaftPeer> others = trio.others(leader);
        trio.network.cutOff(others.get(0));
        trio.clock.skip(Duration.ofSeconds(3));
        long index = trio.replica(leader).append(1, 100, true);
        trio.until("a majority", () -> trio.replica(leader).durable >= index);

        assertThat(trio.replica(leader).log.keptIndex()).isEqualTo(Long.MAX_VALUE);
        assertThat(trio.replica(leader).log.shortage()).isEmpty();
    }
}
