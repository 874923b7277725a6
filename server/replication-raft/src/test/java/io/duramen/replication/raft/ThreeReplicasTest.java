package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What three replicas agree on, whoever of them leads or is cut off. */
class ThreeReplicasTest {
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
    void shouldHaveTheSameEntriesInTheirFilesWhenOneLeads() throws IOException {
        RaftPeer leader = trio.awaitLeader(0);
        for (int i = 1; i <= 500; i++) {
            trio.replica(leader).append(i, 1000, i % 2 == 0);
        }
        trio.awaitEverywhere(500);
        for (RaftPeer peer : trio.peers) {
            assertThat(trio.replica(peer).bodies).as(peer.name()).containsExactlyElementsOf(numbers(1, 500));
        }

        assertSameFiles();
    }

    @Test
    void shouldTellFollowersNothingOfLeadingAndRefuseThemAppends() {
        RaftPeer leader = trio.awaitLeader(0);
        for (RaftPeer peer : trio.others(leader)) {
            assertThat(trio.replica(peer).epoch).isZero();
            assertThatThrownBy(() -> trio.replica(peer).append(1, 4, true)).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Goal: what the old leader alone has on its disk, synced, gives way to what the group decided on meanwhile. */
    @Test
    void shouldTakeBackASyncedTailThatOnlyTheOldLeaderHas() throws IOException {
        RaftPeer old = trio.awaitLeader(0);
        Replica oldLeader = trio.replica(old);
        oldLeader.append(1, 1000, true);
        trio.awaitEverywhere(1);
        long epoch = oldLeader.epoch;
        appendAlone(old, 100);

        RaftPeer next = trio.awaitLeader(epoch);
        trio.until("the old leader's end", () -> oldLeader.ended == epoch);
        assertThatThrownBy(() -> oldLeader.append(7, 4, true)).isInstanceOf(IllegalStateException.class);
        for (int i = 2; i <= 50; i++) {
            trio.replica(next).append(i, 1000, true);
        }
        trio.until("the new", () -> trio.replica(next).bodies.size() == 50);
        trio.network.heal(old);
        trio.awaitEverywhere(50);

        assertThat(oldLeader.bodies).containsExactlyElementsOf(numbers(1, 50));
        assertThat(oldLeader.stopped).isEmpty();
        assertSameFiles();
    }

    @Test
    void shouldTakeBackASyncedTailWhenTheOldLeaderComesBackFromTheDead() throws IOException {
        RaftPeer old = trio.awaitLeader(0);
        trio.replica(old).append(1, 1000, true);
        trio.awaitEverywhere(1);
        long epoch = trio.replica(old).epoch;
        appendAlone(old, 200);
        trio.close(old);

        RaftPeer next = trio.awaitLeader(epoch);
        for (int i = 2; i <= 20; i++) {
            trio.replica(next).append(i, 1000, true);
        }
        trio.awaitEverywhere(20);
        trio.network.heal(old);
        trio.open(old);
        trio.awaitEverywhere(20);

        assertThat(trio.replica(old).bodies).containsExactlyElementsOf(numbers(1, 20));
        assertSameFiles();
    }

    @Test
    void shouldBringUpAReplicaThatWasAwayForLong() throws IOException {
        RaftPeer leader = trio.awaitLeader(0);
        RaftPeer away = trio.others(leader).get(0);
        trio.close(away);
        for (int i = 1; i <= 3000; i++) {
            trio.replica(leader).append(i, 500, true);
        }
        trio.awaitEverywhere(3000);

        trio.open(away);
        trio.awaitEverywhere(3000);

        assertThat(trio.replica(away).bodies).containsExactlyElementsOf(numbers(1, 3000));
        assertSameFiles();
    }

    @Test
    void shouldCommitNothingWhenTheOthersAreGoneAndAllOfItWhenOneIsBack() throws IOException {
        RaftPeer leader = trio.awaitLeader(0);
        List<RaftPeer> others = trio.others(leader);
        trio.replica(leader).append(1, 4, true);
        trio.awaitEverywhere(1);
        others.forEach(trio::close);
        long last = trio.replica(leader).append(2, 4, true);
        trio.until("on the disk", () -> trio.replica(leader).log.status().lastIndex() == last);
        long epoch = trio.replica(leader).epoch;
        trio.until("its end", () -> trio.replica(leader).ended == epoch);
        assertThat(trio.replica(leader).bodies).containsExactly(1);

        trio.open(others.get(0));
        trio.awaitLeader(epoch);
        trio.awaitEverywhere(2);

        for (Replica replica : trio.replicas()) {
            assertThat(replica.bodies).containsExactly(1, 2);
        }
    }

    @Test
    void shouldHaveOneLeaderInAnEpochWhenLeadersAreCutOffInTurn() throws IOException {
        HashSet<Long> epochs = new HashSet<>();
        long epoch = 0;
        for (int round = 1; round <= 4; round++) {
            RaftPeer leader = trio.awaitLeader(epoch);
            epoch = trio.replica(leader).epoch;
            assertThat(epochs.add(epoch)).isTrue();
            int bodies = round;
            trio.replica(leader).append(round, 100, true);
            trio.until("an entry", () -> trio.replica(leader).bodies.size() == bodies);
            trio.until("a lease", () -> trio.replica(leader).log.isLeased());
            trio.network.cutOff(leader);
            long ending = epoch;
            trio.awaitLeader(ending);
            // It may not have heard yet that it leads no more; but it does not count on it.
            assertThat(trio.replica(leader).log.isLeased()).isFalse();
            trio.network.heal(leader);
            trio.until("its end", () -> trio.replica(leader).ended == ending);
            trio.awaitEverywhere(round);
        }

        assertSameFiles();
    }

    /** Goal: an operator says who leads next; nothing that was committed is lost, and the figures are the new leader's. */
    @Test
    void shouldHandOnToTheOneThatWasNamedAndKnowHowFarTheOthersAre() throws IOException {
        RaftPeer old = trio.awaitLeader(0);
        RaftPeer named = trio.others(old).get(1);
        for (int i = 1; i <= 200; i++) {
            trio.replica(old).append(i, 1000, true);
        }
        trio.awaitEverywhere(200);
        trio.until("all in sync", () -> inSync(old) == 3);
        assertThat(trio.replica(old).log.replicas()).allSatisfy(row -> {
            assertThat(row.lagEntries()).contains(0L);
            assertThat(row.silentMillis()).isPresent();
        });
        assertThat(trio.replica(named).log.replicas()).noneMatch(ReplicaRow::inSync);
        assertThat(trio.replica(named).log.epoch()).isEqualTo(trio.replica(old).epoch);

        long epoch = trio.replica(old).epoch;
        assertThat(stepDown(named, Optional.empty())).isFalse();
        assertThat(stepDown(old, Optional.of(named))).isTrue();
        assertThat(trio.replica(old).ended).isEqualTo(epoch);
        assertThatThrownBy(() -> trio.replica(old).append(9, 4, true)).isInstanceOf(IllegalStateException.class);
        trio.closeWhileOthersWork(old);
        assertThat(trio.awaitLeader(epoch)).isEqualTo(named);
        trio.open(old);
        trio.replica(named).append(201, 1000, true);
        trio.awaitEverywhere(201);

        trio.until("all in sync with the new", () -> inSync(named) == 3);
        RaftPeer away = trio.others(named).get(0);
        trio.close(away);
        trio.replica(named).append(202, 1000, true);
        trio.until("one behind", () -> inSync(named) == 2);
        assertThat(trio.replica(named).log.replicas().stream()
                        .filter(row -> row.peer().equals(away))
                        .map(ReplicaRow::lagEntries))
                .containsExactly(Optional.of(1L));
        trio.open(away);
        trio.awaitEverywhere(202);
        assertSameFiles();
    }

    private long inSync(RaftPeer leader) {
        return trio.replica(leader).log.replicas().stream()
                .filter(ReplicaRow::inSync)
                .count();
    }

    private boolean stepDown(RaftPeer peer, Optional<RaftPeer> to) {
        CompletableFuture<Boolean> done = trio.replica(peer).log.stepDown(to);
        trio.until("an answer", done::isDone);
        return done.join();
    }

    /** Goal: a vote that no restart would know of is no vote; the others go on without who could not store it. */
    @Test
    void shouldStopAndNotLeadWhenItsVoteCannotBeStored() throws IOException {
        RaftPeer old = trio.awaitLeader(0);
        RaftPeer mute = trio.others(old).get(0);
        trio.replica(old).append(1, 4, true);
        trio.awaitEverywhere(1);
        long epoch = trio.replica(old).epoch;
        Files.deleteIfExists(inTheWay(mute));
        Files.createDirectory(inTheWay(mute)); // of its vote for itself, or for the other one
        trio.network.cutOff(old);
        trio.until("its end", () -> trio.replica(mute).stopped.isPresent());
        assertThat(trio.others(old)).allMatch(peer -> trio.replica(peer).epoch == 0);

        Files.delete(inTheWay(mute));
        trio.network.heal(old);
        RaftPeer next = trio.awaitLeader(epoch);
        trio.replica(next).append(2, 4, true);
        trio.until("the next entry", () -> trio.replica(next).bodies.size() == 2);
    }

    private Path inTheWay(RaftPeer peer) {
        return trio.directory(peer).resolve("raft.vote.spare");
    }

    /** Goal: who waits for no more than the leader is told so without the others; what they do not have is gone with it. */
    @Test
    void shouldTellThatAnEntryIsWrittenThoughOthersLackItAndTakeItBackWhenAnotherLeads() throws IOException {
        RaftPeer old = trio.awaitLeader(0);
        Replica oldLeader = trio.replica(old);
        oldLeader.append(1, 1000, true);
        trio.awaitEverywhere(1);
        long epoch = oldLeader.epoch;
        trio.network.cutOff(old);
        long alone = oldLeader.append(-1, 1000, false);
        trio.until("the entry in its log", () -> oldLeader.log.writtenIndex() == alone);
        assertThat(oldLeader.bodies).as("committed").containsExactly(1);
        assertThat(oldLeader.durable).isLessThan(alone);

        RaftPeer next = trio.awaitLeader(epoch);
        trio.until("the old leader's end", () -> oldLeader.ended == epoch);
        assertThat(oldLeader.log.writtenIndex()).isZero();
        trio.replica(next).append(2, 1000, false);
        trio.network.heal(old);
        trio.awaitEverywhere(2);
        assertThat(oldLeader.bodies).containsExactly(1, 2);
        assertSameFiles();
    }

    /** Entries that reach the leader's own disk, and nobody else. */
    private void appendAlone(RaftPeer leader, int count) {
        trio.network.cutOff(leader);
        Replica replica = trio.replica(leader);
        long last = 0;
        for (int i = 1; i <= count; i++) {
            last = replica.append(-i, 1000, true);
        }
        long lastIndex = last;
        trio.until(
                "the tail on the old leader's disk", () -> replica.log.status().lastIndex() == lastIndex);
    }

    /**
     * What is committed everywhere is the same everywhere. Behind it there may be the engine's own entry of an election, which
     * they hold when one of them is closed before the others.
     */
    private void assertSameFiles() throws IOException {
        int end = (int) trio.replicas().stream()
                .mapToLong(replica -> replica.log.status().committedIndex())
                .min()
                .orElseThrow();
        trio.peers.forEach(trio::close);
        List<String> first = trio.entriesOf(trio.peers.get(0));
        assertThat(end).isGreaterThan(1);
        for (RaftPeer peer : trio.peers) {
            List<String> entries = trio.entriesOf(peer);
            assertThat(entries.subList(0, end)).as(peer.name()).isEqualTo(first.subList(0, end));
            assertThat(entries.subList(end, entries.size()))
                    .as(peer.name())
                    .allMatch(entry -> entry.contains(" true "));
        }
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().toList();
    }
}
