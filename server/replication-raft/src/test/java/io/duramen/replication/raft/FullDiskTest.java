package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What replicas do whose disks have room for some segments of 64 KiB and no more. */
class FullDiskTest {
    private static final int LENGTH = 4096;

    @TempDir
    private Path directory;

    private Trio trio;
    private int appended;

    @AfterEach
    void close() {
        trio.close();
    }

    /** Room for so many, and the small files. */
    private static long segments(int count) {
        return count * 64 * 1024L + 32 * 1024;
    }

    private void append(Replica leader) {
        int before = leader.bodies.size();
        leader.append(++appended, LENGTH, true);
        trio.until("the entry", () -> leader.bodies.size() > before || !leader.leads());
    }

    @Test
    void shouldHaveAnotherLeadBeforeAnythingIsRefusedWhenTheLeadersDiskIsFullAndTheOthersIsNot() throws IOException {
        trio = new Trio(directory, 2, Map.of("one", segments(4)));
        RaftPeer one = trio.peers.get(0);
        trio.lead(one);
        Replica full = trio.replica(one);
        while (full.leads()) {
            assertThat(full.log.hasRoomFor(LENGTH)).isTrue();
            append(full);
        }
        assertThat(full.log.room().isNeeded()).isTrue();
        assertThat(full.log.room().chosen()).isPresent();
        trio.closeWhileOthersWork(one);

        RaftPeer next = trio.awaitLeader(full.epoch);
        assertThat(next).isNotEqualTo(one);
        int before = trio.replica(next).bodies.size();
        assertThat(before).isGreaterThanOrEqualTo(full.bodies.size());
        trio.open(one);
        Replica leader = trio.replica(next);
        for (int i = 0; i < 60; i++) {
            append(leader);
        }
        trio.until("all of them", () -> leader.bodies.size() == before + 60);
        assertThat(leader.leads()).isTrue();
    }

    @Test
    void shouldGoOnLeadingWhenTheDisksOfTheOthersAreFullToo() throws IOException {
        trio = new Trio(directory, 2, Map.of("one", segments(3), "two", segments(2), "three", segments(2)));
        RaftPeer one = trio.peers.get(0);
        trio.lead(one);
        Replica leader = trio.replica(one);
        for (int i = 0; i < 40; i++) {
            leader.append(++appended, LENGTH, true);
        }
        trio.until(
                "full disks",
                () -> trio.replicas().stream()
                        .allMatch(replica -> replica.log.room().isNeeded()));
        trio.clock.skip(Duration.ofSeconds(2));
        AtomicInteger turns = new AtomicInteger();
        trio.until("what the others say", () -> turns.incrementAndGet() > 500);
        assertThat(leader.leads()).isTrue();
        assertThat(leader.log.room().chosen()).isEmpty();
    }

    @Test
    void shouldEndWhenItHasNoRoomForWhatTheLeaderSends() throws IOException {
        trio = new Trio(directory, 2, Map.of("one", segments(4)));
        RaftPeer one = trio.peers.get(0);
        trio.lead(trio.peers.get(1));
        Replica leader = trio.replica(trio.peers.get(1));
        for (int i = 0; i < 100; i++) {
            append(leader);
        }
        Replica full = trio.replica(one);
        trio.until(
                "all of them at two",
                () -> leader.bodies.size() == appended && full.log.room().isNeeded());
        assertThat(full.log.status().durableIndex())
                .isLessThan(leader.log.status().durableIndex());
        trio.closeWhileOthersWork(one);
        assertThat(leader.leads()).isTrue();
    }
}
