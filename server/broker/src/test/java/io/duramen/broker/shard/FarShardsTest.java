package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.shard.ShardMessage.FinishBranch;
import io.duramen.broker.shard.ShardMessage.PrepareBranch;
import io.duramen.broker.shard.ShardMessage.Voted;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ShardPart;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.ResolveDestination;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Shards of which each is led by a node of its own, which changes: queues a, b and c lie in shards 0, 1 and 2. */
class FarShardsTest {
    private final TestNode node =
            TestNode.ofShards(3, 1).overNodes().with("redelivery-delay", "0s").started();
    private final NodeClient client = node.aClient();

    private void connect() {
        client.knowsQueue("a").knowsQueue("b").knowsQueue("c");
    }

    private List<ShardPart> others() {
        return Stream.of("b", "c")
                .map(queue -> new ShardPart(
                        client.place(queue).shard(), List.of(client.aSend(queue, "to " + queue)), List.of()))
                .toList();
    }

    private Commit.Request transaction(long sequence) {
        return new Commit.Request(0, 77, 0, sequence, List.of(client.aSend("a", "to a")), List.of(), "", others());
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

    /** Begins a transaction, and stops when some shard has said that. */
    private Answer commitsUntil(Class<? extends ShardMessage> said) {
        connect();
        node.dyingAt(said::isInstance);
        Answer answer = client.says(transaction(1));
        node.run();
        assertThat(node.isDying()).isTrue();
        node.dyingAt(message -> false).lives();
        return answer;
    }

    private void assertSettledAndEmpty() {
        assertThat(node.isSettled()).isTrue();
        for (int shard = 0; shard < 3; shard++) {
            assertThat(node.image(shard).branches()).as("of shard %d", shard).isEmpty();
        }
    }

    @Test
    void shouldCommitInEveryShardWhenLinksAreFaulty() {
        node.withFaultyLinks(true);
        connect();

        client.asks(transaction(1)).isSuccess();

        assertThat(queues()).containsExactly("to a", "to b", "to c");
        assertSettledAndEmpty();
    }

    @Test
    void shouldAskForTheTransactionAgainWhenTheShardOfAPartIsLost() {
        Answer answer = commitsUntil(PrepareBranch.class);
        node.breaksLinks().failsOver(1).run();
        answer.isRefusedWith(ErrorCode.NOT_LEADER);

        client.asks(transaction(1)).isSuccess();
        assertThat(queues()).containsExactly("to a", "to b", "to c");
        assertSettledAndEmpty();
    }

    @Test
    void shouldDropWhatIsNotDecidedWhenTheShardThatDecidesIsLost() {
        Answer answer = commitsUntil(Voted.class);
        node.failsOver(0).run();

        answer.isMissing();
        assertThat(queues()).isEmpty();
        assertSettledAndEmpty();
        client.asks(transaction(1)).isSuccess();
        assertThat(queues()).containsExactly("to a", "to b", "to c");
    }

    @Test
    void shouldCarryOutWhatIsDecidedWhenTheShardOfAPartIsLost() {
        Answer answer = commitsUntil(FinishBranch.class);
        node.breaksLinks().failsOver(1).run();

        answer.isSuccess();
        assertThat(queues()).containsExactly("to a", "to b", "to c");
        assertSettledAndEmpty();
    }

    @Test
    void shouldCarryOutWhatIsDecidedWhenTheShardThatDecidesIsLost() {
        commitsUntil(FinishBranch.class);
        node.breaksLinks().failsOver(0).run();

        assertThat(queues()).containsExactly("to a", "to b", "to c");
        assertSettledAndEmpty();
        client.asks(transaction(1)).isSuccess();
        assertThat(queues()).as("it was committed before").containsExactly("to a", "to b", "to c");
    }

    @Test
    void shouldCarryOutWhatIsDecidedWhenAllLeadersAreLost() {
        commitsUntil(FinishBranch.class);
        node.breaksLinks().failsOver(2).failsOver(1).failsOver(0).run();

        assertThat(queues()).containsExactly("to a", "to b", "to c");
        assertSettledAndEmpty();
    }

    /** Whatever a client that knows of the commit asks of the other shard is to come behind it. */
    @Test
    void shouldAnswerACommitOnlyOnceTheOthersHaveHeardOfIt() {
        Answer answer = commitsUntil(FinishBranch.class);
        node.withSleeping(1).run();
        answer.isMissing();

        node.awake();
        answer.isSuccess();
    }

    @Test
    void shouldRefuseATransactionWhenTheShardOfAPartWasNotMet() {
        connect();
        node.withSleeping(1).failsOver(0).run();

        client.asks(transaction(1)).isRefusedWith(ErrorCode.NOT_LEADER);
        node.awake();
        client.asks(transaction(1)).isSuccess();
    }

    @Test
    void shouldRefuseWhatAShardDoesNotVoteOnInTimeAndTakeItOnceThatAnswers() {
        connect();
        node.withSleeping(1);
        Answer answer = client.says(transaction(1));
        node.run();
        answer.isMissing();

        node.passes(Duration.ofSeconds(10));
        answer.isRefusedWith(ErrorCode.NOT_LEADER);
        client.asks(transaction(1)).isRefusedWith(ErrorCode.NOT_LEADER);
        node.awake();
        assertThat(queues()).isEmpty();

        client.asks(transaction(1)).isSuccess();
        assertThat(queues()).containsExactly("to a", "to b", "to c");
        assertSettledAndEmpty();
    }

    @Test
    void shouldMakeADestinationInAShardThatGetsAnotherLeaderMeanwhile() {
        client.knowsQueue("a");
        node.withSleeping(1);
        Answer answer = client.asks(new ResolveDestination.Request("b", DestinationKind.QUEUE, true));
        answer.isMissing();

        node.failsOver(1).awake();
        answer.isSuccess();
        client.knowsQueue("b").publishes(client.place("b"), "text").isSuccess();
    }

    @Test
    void shouldMakeADestinationEverywhereWhenTheCatalogueGetsAnotherLeaderMeanwhile() {
        client.knowsQueue("a");
        node.withSleeping(1);
        client.asks(new ResolveDestination.Request("b", DestinationKind.QUEUE, true))
                .isMissing();
        node.failsOver(0).awake();

        client.knowsQueue("b").publishes(client.place("b"), "text").isSuccess();
        assertThat(node.isSettled()).isTrue();
    }

    @Test
    void shouldEndABranchInEveryShardWhenTheyGetOtherLeadersMeanwhile() {
        connect();
        BranchId branch = new BranchId(7, ByteBuffer.allocate(4), ByteBuffer.allocate(4));
        client.asks(new Prepare.Request(0, branch, List.of(client.aSend("a", "to a")), List.of(), others()))
                .isSuccess();
        node.failsOver(1).run();
        node.failsOver(0).run();
        assertThat(queues()).isEmpty();

        node.dyingAt(FinishBranch.class::isInstance);
        Answer answer = client.says(new EndBranch.Request(0, branch, true));
        node.run();
        node.dyingAt(message -> false).lives();
        node.breaksLinks().failsOver(2).run();
        answer.isSuccess();
        assertThat(queues()).containsExactly("to a", "to b", "to c");
        assertSettledAndEmpty();
    }
}
