package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.NodeClient.Handed;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.transaction.Spread;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.ShardPart;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.ListBranches;
import io.duramen.protocol.frame.Prepare;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Branches of distributed transactions over several shards: queues a, b and c lie in shards 0, 1 and 2. */
class SpanningBranchTest {
    private static final BranchId BRANCH =
            new BranchId(7, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {2}));

    private TestNode node = TestNode.ofShards(3, 1).started();
    private NodeClient client;
    private Handed given;

    private void begin() {
        client = node.aClient();
        client.knowsQueue("a").knowsQueue("b").knowsQueue("c");
        client.publishes(client.place("c"), "given");
        client.consumes("c", SubscriptionKind.QUEUE, "", 10);
        given = client.handed().get(0);
    }

    /** Addressed to shard 1: sends to b and a, accepts from c. */
    private Prepare.Request prepare() {
        return new Prepare.Request(
                1,
                BRANCH,
                List.of(client.aSend("b", "to 1")),
                List.of(),
                List.of(
                        new ShardPart(0, List.of(client.aSend("a", "to 0")), List.of()),
                        new ShardPart(2, List.of(), List.of(given.settlement()))));
    }

    private List<BranchId> listed() {
        List<BranchId> all = new ArrayList<>();
        NodeClient manager = node.aClient();
        for (int shard = 0; shard < 3; shard++) {
            manager.asks(new ListBranches.Request(shard)).response(ListBranches.Response.class).branches().stream()
                    .map(ListBranches.Prepared::branch)
                    .forEach(all::add);
        }
        return all;
    }

    private Answer ends(boolean commit) {
        return node.aClient().asks(new EndBranch.Request(1, BRANCH, commit));
    }

    private List<String> queues() {
        NodeClient reader = node.aClient();
        for (String queue : List.of("a", "b", "c")) {
            reader.knowsQueue(queue).consumes(queue, SubscriptionKind.QUEUE, "", 100);
        }
        List<String> texts = reader.texts();
        reader.vanishes();
        return texts;
    }

    private void requireNothingPrepared(String what) {
        for (int shard = 0; shard < 3; shard++) {
            assertThat(node.image(shard).branches()).as(what).isEmpty();
        }
    }

    @Test
    void shouldListABranchOnceWhenItIsPreparedInSeveralShards() {
        begin();

        client.asks(prepare()).isSuccess();

        assertThat(listed()).containsExactly(BRANCH);
        client.vanishes();
        assertThat(queues()).isEmpty();
        node.isKilledAndRestarts();
        assertThat(node.isSettled()).isTrue();
        assertThat(listed()).containsExactly(BRANCH);
        assertThat(queues()).isEmpty();
    }

    @Test
    void shouldCommitInEveryShardWhenTheManagerSaysSo() {
        begin();
        client.asks(prepare()).isSuccess();
        client.vanishes();
        node.losesPowerAndRestarts();

        ends(true).isSuccess();

        assertThat(queues()).containsExactly("to 0", "to 1");
        assertThat(listed()).isEmpty();
        requireNothingPrepared("committed");
    }

    @Test
    void shouldBringDeliveriesBackCountedWhenTheManagerRollsBack() {
        begin();
        client.asks(prepare()).isSuccess();

        ends(false).isSuccess();

        client.vanishes();
        assertThat(queues()).containsExactly("given");
        requireNothingPrepared("rolled back");
        NodeClient reader = node.aClient().knowsQueue("c");
        reader.consumes("c", SubscriptionKind.QUEUE, "", 1);
        assertThat(reader.handed().get(0).count()).isGreaterThan(1);
    }

    @Test
    void shouldPrepareNowhereWhenAShardRefuses() {
        begin();
        Prepare.Request broken = new Prepare.Request(
                1,
                BRANCH,
                List.of(client.aSend("b", "to 1")),
                List.of(),
                List.of(
                        new ShardPart(0, List.of(client.aSend("c", "astray")), List.of()),
                        new ShardPart(2, List.of(), List.of(given.settlement()))));

        client.asks(broken).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);

        requireNothingPrepared("refused");
        client.asks(prepare()).isSuccess();
    }

    /**
     * What a dropped part had accepted came back before the part's end is replayed: by then it waits or leaves.
     *
     * @param policy of redelivery
     * @param later how often it comes once it has waited
     */
    @ParameterizedTest
    @CsvSource({"at-once:0 delay:1s, 1", "max:1 dead-letters:failed, 0"})
    void shouldLeaveToRedeliveryWhatCameBackWhenAShardRefusesAndTheConnectionIsLost(String policy, int later) {
        node = TestNode.ofShards(3, 1).with("redelivery-of", "c=" + policy).started();
        begin();
        node.dyingAt(message -> message instanceof ShardMessage.Voted);
        client.says(new Prepare.Request(
                1,
                BRANCH,
                List.of(),
                List.of(),
                List.of(
                        new ShardPart(0, List.of(client.aSend("c", "astray")), List.of()),
                        new ShardPart(2, List.of(), List.of(given.settlement())))));
        node.run();
        client.vanishes();
        node.lives();
        node.dyingAt(message -> false).run();

        requireNothingPrepared("refused");
        NodeClient reader = node.aClient().knowsQueue("c");
        reader.consumes("c", SubscriptionKind.QUEUE, "", 10);
        assertThat(reader.texts()).isEmpty();
        node.passes(Duration.ofSeconds(2));
        assertThat(reader.texts()).hasSize(later);
    }

    @Test
    void shouldRefuseNamesThatTheNodeGives() {
        begin();
        BranchId inner = Spread.name(1, 1, 1);

        client.asks(new Prepare.Request(1, inner, List.of(), List.of())).isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.asks(new EndBranch.Request(1, inner, true)).isRefusedWith(ErrorCode.INVALID_REQUEST);
    }

    static Stream<Class<? extends ShardMessage>> steps() {
        return Stream.of(
                ShardMessage.PrepareBranch.class,
                ShardMessage.Voted.class,
                ShardMessage.FinishBranch.class,
                ShardMessage.Finished.class);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void shouldBeWholeWhenTheNodeDiesAtAStep(Class<? extends ShardMessage> step) {
        for (boolean power : new boolean[] {false, true}) {
            for (boolean commit : new boolean[] {false, true}) {
                for (int nth = 1; nth <= 4; nth++) {
                    for (long seed = 1; seed <= 10; seed++) {
                        dieAt(step, nth, power, commit, seed);
                    }
                }
            }
        }
    }

    private static void dieAt(Class<? extends ShardMessage> step, int nth, boolean power, boolean commit, long seed) {
        String what = (commit ? "commit" : "rollback") + " killed at " + step.getSimpleName() + " " + nth
                + (power ? ", without power" : "") + ", seed " + seed;
        SpanningBranchTest run = new SpanningBranchTest();
        run.node = TestNode.ofShards(3, seed).started();
        run.begin();
        int[] count = new int[1];
        run.node.withLazyDisks().dyingAt(message -> step.isInstance(message) && ++count[0] == nth);
        boolean prepared = run.client.asks(run.prepare()).isThere();
        boolean ended = prepared && !run.node.isDying() && run.ends(commit).isThere();
        if (power) {
            run.node.losesPowerAndRestarts();
        } else {
            run.node.isKilledAndRestarts();
        }
        assertThat(run.node.isSettled()).as(what).isTrue();
        List<BranchId> listed = run.listed();
        if (prepared && !run.node.isDying() && count[0] < nth) {
            assertThat(ended).as(what).isTrue();
        }
        if (listed.isEmpty()) {
            boolean committed = prepared && commit;
            List<String> expected = committed ? List.of("to 0", "to 1") : List.of("given");
            assertThat(run.queues()).as(what).isEqualTo(expected);
        } else {
            assertThat(listed).as(what).containsExactly(BRANCH);
            run.ends(commit).isSuccess();
            assertThat(run.queues()).as(what).isEqualTo(commit ? List.of("to 0", "to 1") : List.of("given"));
        }
        run.requireNothingPrepared(what);
    }
}
