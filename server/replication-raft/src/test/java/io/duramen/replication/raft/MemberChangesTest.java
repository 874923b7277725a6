package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who belongs to a group changes while it is appended to. */
class MemberChangesTest {
    private static final RaftPeer FOUR = new RaftPeer("four", "127.0.0.1", 4);
    private static final RaftPeer FIVE = new RaftPeer("five", "127.0.0.1", 5);

    @TempDir
    Path directory;

    private Trio trio;
    private int appended;

    /** What was appended, by the index that was told for it. */
    private final Map<Long, Integer> promised = new HashMap<>();

    @BeforeEach
    void open() throws IOException {
        trio = new Trio(directory, 0);
    }

    @AfterEach
    void close() {
        trio.close();
    }

    /** Goal: the one that is added has everything, and each entry has the index that was told for it, wherever the engine's own stand. */
    @Test
    void shouldAddOneWhileEntriesAreAppended() throws IOException {
        RaftPeer leader = awaitSettledLeader();
        append(leader, 200);
        CompletableFuture<String> added = changes(leader).add(FOUR);
        untilWithLoad(leader, "one that may follow", added::isDone);
        assertThat(added.join()).startsWith("adding four@127.0.0.1:4");
        assertThat(trio.replica(leader).roster.joining()).containsExactly(FOUR);
        assertThat(changes(leader).state()).contains("has not answered yet");

        trio.join(FOUR);
        untilWithLoad(leader, "a vote", () -> votes(leader, FOUR));
        untilWithLoad(
                leader, "the end of the change", () -> changes(leader).state().endsWith("is done"));
        append(leader, 50);
        trio.awaitEverywhere(appended);

        assertThat(trio.replicas()).hasSize(4).allSatisfy(replica -> {
            assertThat(replica.stopped).isEmpty();
            assertThat(replica.bodies).containsExactlyElementsOf(numbers());
            assertThat(replica.bodyAt).containsAllEntriesOf(promised);
            assertThat(replica.roster.voters()).hasSize(4).contains(FOUR);
        });
        assertThat(trio.replica(leader).epoch)
                .isEqualTo(trio.replica(leader).log.epoch());
    }

    /** Goal: of four two are no majority, of three two are: the one that was removed counts no more. */
    @Test
    void shouldRemoveOneAndDecideWithoutIt() throws IOException {
        RaftPeer leader = awaitSettledLeader();
        RaftPeer removed = trio.others(leader).get(0);
        RaftPeer left = trio.others(leader).get(1);
        append(leader, 20);
        change(leader, changes(leader).remove(removed.name()));

        assertThat(trio.replica(leader).roster.voters()).containsExactlyInAnyOrder(leader, left);
        append(leader, 20);
        trio.until("what is left", () -> trio.replica(left).bodies.size() == appended);
        // It does not know that it is removed, and stands for election in vain.
        long epoch = trio.replica(leader).epoch;
        trio.clock.skip(Duration.ofSeconds(3));
        trio.network.cutOff(left);
        long undecided = trio.replica(leader).append(-1, 100, true);
        trio.until("the end of a leader without majority", () -> trio.replica(leader).ended == epoch);
        assertThat(trio.replica(leader).bodyAt).doesNotContainKey(undecided);
        assertThat(trio.replica(removed).epoch).isZero();
    }

    @Test
    void shouldHandOnWhenTheLeaderIsRemoved() throws IOException {
        RaftPeer old = awaitSettledLeader();
        append(old, 100);
        trio.awaitEverywhere(appended);
        long epoch = trio.replica(old).epoch;
        CompletableFuture<String> removed = changes(old).remove(old.name());
        trio.until("its end", () -> trio.replica(old).ended == epoch && removed.isDone());
        assertThat(removed.join()).startsWith("removing " + old.name() + " is done");
        trio.closeWhileOthersWork(old);

        RaftPeer next = trio.awaitLeader(epoch);
        append(next, 50);
        trio.awaitEverywhere(appended);
        assertThat(trio.replica(next).roster.voters()).containsExactlyInAnyOrderElementsOf(trio.others(old));
        assertThat(trio.replicas())
                .hasSize(2)
                .allSatisfy(replica -> assertThat(replica.bodies).containsExactlyElementsOf(numbers()));
    }

    /** Goal: a dead one goes and a new one comes in one decision, and the new one is as good as the others. */
    @Test
    void shouldReplaceADeadOne() throws IOException {
        RaftPeer leader = awaitSettledLeader();
        RaftPeer dead = trio.others(leader).get(0);
        RaftPeer left = trio.others(leader).get(1);
        append(leader, 100);
        trio.close(dead);
        change(leader, changes(leader).replace(dead.name(), FOUR, false));
        trio.join(FOUR);
        untilWithLoad(leader, "a vote", () -> votes(leader, FOUR));
        assertThat(trio.replica(leader).roster.voters()).containsExactlyInAnyOrder(leader, left, FOUR);

        trio.until("everybody", () -> trio.replicas().stream().allMatch(one -> one.bodies.size() == appended));
        long epoch = trio.replica(leader).epoch;
        trio.close(leader);
        RaftPeer next = trio.awaitLeader(epoch);
        append(next, 20);
        trio.awaitEverywhere(appended);
        assertThat(trio.replica(FOUR).bodies).containsExactlyElementsOf(numbers());
    }

    /** Goal: whoever leads afterwards, all have the members from before, or all have the new ones; and they go on. */
    @Test
    void shouldHaveTheOldOrTheNewMembersWhenTheLeaderIsLostInTheMiddle() throws IOException {
        for (int polls : new int[] {0, 1, 2, 4, 8, 16}) {
            trio.close();
            trio = new Trio(directory.resolve("after-" + polls), 0);
            appended = 0;
            RaftPeer leader = awaitSettledLeader();
            append(leader, 30);
            trio.awaitEverywhere(appended);
            long epoch = trio.replica(leader).epoch;
            RaftPeer removed = trio.others(leader).get(0);
            changes(leader).remove(removed.name());
            trio.until("its beginning", () -> changes(leader).state().contains("is being decided"));
            for (int i = 0; i < polls; i++) {
                trio.replicas().forEach(replica -> replica.log.poll());
                LockSupport.parkNanos(500_000);
            }
            trio.network.cutOff(leader);

            trio.until("the end of the old one", () -> trio.replica(leader).ended == epoch);
            // Where the change has reached another, it takes both that are left to decide anything.
            trio.network.heal(leader);
            RaftPeer next = awaitMemberThatLeads(epoch);
            append(next, 30);
            Roster roster = trio.replica(next).roster;
            trio.until(
                    "all that belong to it, after " + polls + " polls",
                    () -> roster.voters().stream()
                            .allMatch(peer -> trio.replica(peer).bodies.size() == appended
                                    && trio.replica(peer).roster.voters().equals(roster.voters())));
            assertThat(roster.voters())
                    .as("after %d polls", polls)
                    .contains(leader, trio.others(leader).get(1));
            assertThat(roster.voters().size()).isIn(2, 3);
            for (RaftPeer peer : roster.voters()) {
                assertThat(trio.replica(peer).stopped).isEmpty();
                assertThat(trio.replica(peer).bodies).containsExactlyElementsOf(numbers());
            }
        }
    }

    /** Goal: whether the engine gives up or this leader does, the group goes on with those from before, and may try again. */
    @Test
    void shouldGoOnWithoutTheNewOneWhenThatIsLostAsItGetsItsVote() throws IOException {
        RaftPeer leader = awaitSettledLeader();
        append(leader, 50);
        change(leader, changes(leader).add(FOUR));
        trio.join(FOUR);
        untilWithLoad(leader, "the decision", () -> changes(leader).state().endsWith("it is being decided"));
        trio.network.cutOff(FOUR);
        long epoch = trio.replica(leader).epoch;
        trio.until("its end", () -> changes(leader).state().contains("failed") || trio.replica(leader).ended == epoch);
        if (trio.replica(leader).ended == epoch) {
            trio.closeWhileOthersWork(leader);
            trio.open(leader);
        }
        RaftPeer next = trio.awaitLeader(0);
        trio.until("what the new leader has", () -> trio.replica(next).log.isLeased());
        appended = trio.replica(next).bodies.size();
        append(next, 50);
        trio.until(
                "all of it at three",
                () -> trio.peers.stream()
                        .allMatch(peer -> trio.replica(peer).bodies.equals(numbers())));
        assertThat(trio.replica(next).roster.voters()).containsExactlyInAnyOrderElementsOf(trio.peers);
        assertThat(trio.peers)
                .allSatisfy(peer -> assertThat(trio.replica(peer).stopped).isEmpty());

        trio.network.heal(FOUR);
        if (!trio.replica(next).roster.joining().contains(FOUR)) {
            change(next, changes(next).add(FOUR));
        }
        trio.until("a vote", () -> votes(next, FOUR));
        trio.awaitEverywhere(appended);
        assertThat(trio.replica(FOUR).bodies).containsExactlyElementsOf(numbers());
    }

    @Test
    void shouldShrinkToOneAndGrowAgain() throws IOException {
        RaftPeer leader = awaitSettledLeader();
        append(leader, 50);
        for (RaftPeer other : trio.others(leader)) {
            change(leader, changes(leader).remove(other.name()));
            trio.closeWhileOthersWork(other);
            append(leader, 20);
        }
        trio.until("all of it", () -> trio.replica(leader).bodies.size() == appended);
        assertThat(trio.replica(leader).roster.voters()).containsExactly(leader);
        trio.close(leader);
        trio.open(leader);
        RaftPeer alone = awaitSettledLeader();
        assertRefused(changes(alone).remove(alone.name()), "is the only node that ");

        change(alone, changes(alone).add(FOUR));
        trio.join(FOUR);
        untilWithLoad(alone, "a vote", () -> votes(alone, FOUR));
        trio.awaitEverywhere(appended);
        assertThat(trio.replica(FOUR).bodies).containsExactlyElementsOf(numbers());
        assertThat(trio.replica(alone).stopped).isEmpty();
    }

    @Test
    void shouldRefuseWhatCannotBe() throws IOException {
        RaftPeer leader = awaitSettledLeader();
        RaftPeer removed = trio.others(leader).get(0);
        RaftPeer left = trio.others(leader).get(1);
        assertRefused(changes(leader).add(new RaftPeer(left.name(), "127.0.0.1", 9)), "belongs to the cluster already");
        assertRefused(
                changes(leader).add(new RaftPeer("six", left.host(), left.port())),
                "the name or the address of " + left);
        assertRefused(changes(leader).remove("nobody"), "'nobody' is none of the cluster's nodes");

        change(leader, changes(leader).add(FOUR));
        assertRefused(changes(leader).add(FIVE), "another change is under way: adding four@127.0.0.1:4");
        change(leader, changes(leader).remove(FOUR.name()));
        assertThat(trio.replica(leader).roster.everyone()).doesNotContain(FOUR);

        change(leader, changes(leader).remove(removed.name()));
        assertRefused(
                changes(leader).add(removed), "a node of the name " + removed.name() + " was removed from the cluster");
        trio.network.cutOff(left);
        trio.clock.skip(Duration.ofSeconds(3));
        CompletableFuture<String> late = changes(leader).remove(left.name());
        trio.until("an answer", late::isDone);
        assertThatThrownBy(late::join).isInstanceOf(CompletionException.class);
        assertThat(trio.replica(leader).roster.voters()).containsExactlyInAnyOrder(leader, left);
    }

    private void assertRefused(CompletableFuture<String> change, String why) {
        trio.until("an answer", change::isDone);
        assertThatThrownBy(change::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }

    private RaftPeer awaitSettledLeader() {
        RaftPeer leader = trio.awaitLeader(0);
        trio.until(
                "all in sync",
                () -> trio.replica(leader).log.replicas().stream().allMatch(ReplicaRow::inSync));
        trio.until("a lease", () -> trio.replica(leader).log.isLeased());
        return leader;
    }

    /**
     * The one that leads, and that leads with a higher epoch than this, as a member. Whoever is removed may be chosen once more, and ends once the
     * change is decided: what it was given meanwhile may be lost.
     */
    private RaftPeer awaitMemberThatLeads(long afterEpoch) {
        Predicate<RaftPeer> leads = peer -> {
            Replica replica = trio.replica(peer);
            return replica.leads() && replica.epoch > afterEpoch && votes(peer, peer);
        };
        trio.until(
                "a member that leads after epoch " + afterEpoch,
                () -> trio.peers.stream().anyMatch(leads));
        return trio.peers.stream().filter(leads).findFirst().orElseThrow();
    }

    private MemberChanges changes(RaftPeer leader) {
        return trio.replica(leader).log.members();
    }

    private void change(RaftPeer leader, CompletableFuture<String> change) {
        untilWithLoad(leader, "a change", change::isDone);
        change.join();
    }

    private boolean votes(RaftPeer leader, RaftPeer peer) {
        return trio.replica(leader).roster.voters().contains(peer);
    }

    private void append(RaftPeer leader, int count) {
        for (int i = 0; i < count; i++) {
            promised.put(trio.replica(leader).append(++appended, 200, true), appended);
        }
    }

    private void untilWithLoad(RaftPeer leader, String what, BooleanSupplier holds) {
        trio.until(what, () -> {
            Replica replica = trio.replica(leader);
            if (replica.leads() && replica.bodies.size() > appended - 100) {
                append(leader, 5);
            }
            return holds.getAsBoolean();
        });
    }

    private List<Integer> numbers() {
        return IntStream.rangeClosed(1, appended).boxed().toList();
    }
}
