package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.shard.OperatorRequest.DeleteDestination;
import io.duramen.broker.shard.OperatorRequest.FindStretches;
import io.duramen.broker.shard.OperatorRequest.Look;
import io.duramen.broker.shard.OperatorRequest.RequireUnused;
import io.duramen.broker.shard.OperatorRequest.Seen;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardMessage.FinishBranch;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Browse;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ShardPart;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.Prepare;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What whoever has committed over several shards finds in those that have still to carry it out. Queue b lies in shard 1. */
class CarryingOutTest {
    private static final Duration RETRY = Duration.ofMillis(200);

    private final TestNode node = TestNode.ofShards(2, 1).started();
    private NodeClient client;

    @BeforeEach
    void connect() {
        client = node.aClient().knowsQueue("a").knowsQueue("b");
    }

    private Commit.Request commit(long sequence, String text) {
        return new Commit.Request(
                0,
                77,
                0,
                sequence,
                List.of(client.aSend("a", text)),
                List.of(),
                "",
                List.of(new ShardPart(1, List.of(client.aSend("b", text)), List.of())));
    }

    /** A commit that is decided, and that the other shard has on its way to its disk. */
    private Answer committed(long sequence, String text) {
        node.dyingAt(FinishBranch.class::isInstance);
        Answer answer = client.says(commit(sequence, text));
        node.run();
        node.withoutSync(1).lives();
        node.run();
        return answer;
    }

    @Test
    void shouldAnswerWhenTheDecisionIsOnDisk() {
        committed(1, "m").isSuccess();
    }

    @Test
    void shouldAnswerAManagerWhenTheDecisionIsOnDisk() {
        BranchId branch = new BranchId(1, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {2}));
        client.asks(new Prepare.Request(
                        0,
                        branch,
                        List.of(client.aSend("a", "m")),
                        List.of(),
                        List.of(new ShardPart(1, List.of(client.aSend("b", "m")), List.of()))))
                .isSuccess();
        node.withoutSync(1);
        client.asks(new EndBranch.Request(0, branch, true)).isSuccess();
    }

    /** As {@code receiveNoWait} does. */
    @Test
    void shouldNotSayThatThereIsNothingBeforeItIsThere() {
        int consumer = client.consumes("b", SubscriptionKind.QUEUE, "", 0).get(1);
        committed(1, "m").isSuccess();
        client.drains(1, consumer, 10);
        node.run();
        assertThat(client.drained()).isZero();
        assertThat(client.texts()).isEmpty();

        node.withoutSync(-1).run();
        assertThat(client.texts()).containsExactly("m");
        assertThat(client.drained()).isEqualTo(1);
    }

    @Test
    void shouldShowItToABrowser() {
        committed(1, "m").isSuccess();
        Answer page = client.says(new Browse.Request(
                1,
                "b",
                client.place("b").partition(),
                "",
                Browse.NOW,
                0,
                new Browse.Place(Browse.ANY_PRIORITY, 0, 0),
                10));
        node.run();
        assertThat(page.isThere()).isFalse();
        node.withoutSync(-1).run();
        assertThat(page.response(Browse.Response.class).count()).isEqualTo(1);
    }

    /** The operator's tool asks every shard before it asks for the delete. */
    @Test
    void shouldNotTellAnOperatorThatItIsPreparedStill() {
        committed(1, "m").isSuccess();
        CompletableFuture<Boolean> unused = node.asks(1, new RequireUnused("b"));
        CompletableFuture<Boolean> deleted = node.operatorSays(new DeleteDestination("b"));
        node.run();
        assertThat(unused).isNotDone();
        node.withoutSync(-1).run();
        assertThat(unused).isCompletedWithValue(true);
        assertThat(deleted).isCompletedWithValue(true);
    }

    /** As a purge does, and a move. */
    @Test
    void shouldShowItToAnOperatorWhoSweeps() {
        committed(1, "m").isSuccess();
        CompletableFuture<List<Stretch>> found = node.asks(1, new FindStretches(new Target.OfQueue("b"), ""));
        CompletableFuture<Seen> seen = node.asks(
                1,
                new Look(new Target.OfQueue("b"), new Stretch(client.place("b").partition(), 0, 10), "", 10, 0, false));
        node.run();
        assertThat(found).isNotDone();
        assertThat(seen).isNotDone();
        node.withoutSync(-1).run();
        assertThat(found.join()).containsExactly(new Stretch(client.place("b").partition(), 0, 1));
        assertThat(seen.join().messages()).hasSize(1);
    }

    @Test
    void shouldTellAnOperatorWhenTheLogStopsOnTheWay() {
        committed(1, "m").isSuccess();
        CompletableFuture<Boolean> unused = node.asks(1, new RequireUnused("b"));
        node.run();
        node.log(1).fail("disk");
        node.withoutSync(-1).run();
        assertThat(unused).isCompletedExceptionally();
    }

    @Test
    void shouldEndADrainWhenTheLogStopsOnTheWay() {
        int consumer = client.consumes("b", SubscriptionKind.QUEUE, "", 0).get(1);
        committed(1, "m").isSuccess();
        client.drains(1, consumer, 10);
        node.run();
        node.log(1).fail("disk");
        node.withoutSync(-1).run();
        assertThat(client.drained()).isEqualTo(1);
    }

    /** Who looks or sweeps may be who makes room. */
    @Test
    void shouldHoldNobodyUpWhileItWaitsForRoom() {
        int consumer = client.consumes("b", SubscriptionKind.QUEUE, "", 0).get(1);
        node.dyingAt(FinishBranch.class::isInstance);
        Answer answer = client.says(commit(1, "m1"));
        node.run();
        node.log(1).setFull(true);
        node.lives();
        node.run();
        answer.isSuccess();
        client.drains(1, consumer, 10);
        CompletableFuture<List<Stretch>> found = node.asks(1, new FindStretches(new Target.OfQueue("b"), ""));
        node.run();
        assertThat(client.drained()).isEqualTo(1);
        assertThat(found)
                .isCompletedWithValue(List.of(new Stretch(client.place("b").partition(), 0, 0)));

        node.log(1).setFull(false);
        node.passes(RETRY);
        client.drains(1, consumer, 10);
        node.run();
        assertThat(client.texts()).containsExactly("m1");
    }

    /** What a producer sends after its commit stays behind what it committed, also where that waits for room. */
    @Test
    void shouldLetNothingOvertakeWhatWaitsForRoom() {
        node.dyingAt(FinishBranch.class::isInstance);
        Answer answer = client.says(commit(1, "m1"));
        node.run();
        node.log(1).setFull(true);
        node.lives();
        node.run();
        answer.isSuccess();
        client.asks(commit(2, "refused")).isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);

        node.log(1).setFull(false);
        client.publishes(client.place("b"), "too early").isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        node.passes(RETRY);
        client.publishes(client.place("b"), "m2").isSuccess();
        client.consumes("b", SubscriptionKind.QUEUE, "", 10);
        assertThat(client.handed().stream().map(NodeClient.Handed::text)).containsExactly("m1", "m2");
    }
}
