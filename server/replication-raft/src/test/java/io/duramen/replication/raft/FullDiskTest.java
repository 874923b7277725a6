package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What replicas do whose disks have room for some segments of 64 KiB and no more. */
class FullDiskTest {
    private static final long QUOTA = 4 * 64 * 1024 + 32 * 1024;
    private static final int LENGTH = 4096;

    @TempDir
    private Path directory;

    private Trio trio;
    private int appended;

    @AfterEach
    void close() {
        trio.close();
    }

    private void append(Replica leader) {
        leader.append(++appended, LENGTH, true);
        trio.until("room for more at once", () -> leader.bodies.size() > appended - 8 || !leader.leads());
    }

    @Test
    void shouldHaveAnotherLeadBeforeAnythingIsRefusedWhenTheLeadersDiskIsFullAndTheOthersIsNot() throws IOException {
        trio = new Trio(directory, 2, Map.of("one", QUOTA));
        RaftPeer one = trio.peers.get(0);
        trio.lead(one);
        Replica full = trio.replica(one);
        while (full.leads()) {
            assertThat(full.log.hasRoomFor(LENGTH)).isTrue();
            append(full);
        }
        assertThat(full.log.isFull()).isTrue();
        assertThat(full.log.relievedBy()).isPresent();
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
    void shouldGoOnLeadingAndRefuseMessagesWhenAllDisksAreFull() throws IOException {
        trio = new Trio(directory, 2, Map.of("one", QUOTA, "two", QUOTA, "three", QUOTA));
        Replica leader = trio.replica(trio.awaitLeader(0));
        while (leader.log.hasRoomFor(LENGTH)) {
            append(leader);
        }
        trio.until("full disks", () -> trio.replicas().stream().allMatch(replica -> replica.log.isFull()));
        trio.clock.skip(Duration.ofSeconds(2));
        leader.append(++appended, 10, true);
        trio.until("the small one", () -> leader.bodies.size() == appended);
        assertThat(leader.leads()).isTrue();
        assertThat(leader.log.relievedBy()).isEmpty();
    }

    @Test
    void shouldEndWhenItHasNoRoomForWhatTheLeaderSends() throws IOException {
        trio = new Trio(directory, 2, Map.of("one", QUOTA));
        RaftPeer one = trio.peers.get(0);
        trio.lead(trio.peers.get(1));
        Replica leader = trio.replica(trio.peers.get(1));
        for (int i = 0; i < 100; i++) {
            append(leader);
        }
        Replica full = trio.replica(one);
        trio.until("all of them at two", () -> leader.bodies.size() == appended && full.log.isFull());
        assertThat(full.log.status().durableIndex()).isLessThan(leader.log.status().durableIndex());
        trio.closeWhileOthersWork(one);
        assertThat(leader.leads()).isTrue();
    }
}
