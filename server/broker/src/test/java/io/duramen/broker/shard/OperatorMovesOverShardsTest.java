package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.FindStretches;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Sweep;
import io.duramen.broker.shard.OperatorRequest.Swept;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardMessage.FinishBranch;
import io.duramen.broker.shard.ShardMessage.Finished;
import io.duramen.broker.shard.ShardMessage.PrepareBranch;
import io.duramen.broker.shard.ShardMessage.Voted;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.PartitionRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An operator moves messages to a queue in another shard: each is in one of the two at any time. */
class OperatorMovesOverShardsTest {
    private static final Target FROM = new Target.OfQueue("a");

    private static List<String> left(TestNode node, String queue) {
        NodeClient reader = node.aClient().knowsQueue(queue);
        reader.consumes(queue, SubscriptionKind.QUEUE, "", 100);
        List<String> texts = reader.texts();
        reader.closes();
        return texts;
    }

    private static CompletableFuture<Swept> begin(TestNode node, Action action) {
        NodeClient client = node.aClient().knowsQueue("a").knowsQueue("b");
        PartitionRef from = client.place("a");
        PartitionRef to = client.place("b");
        assertThat(from.shard()).isNotEqualTo(to.shard());
        client.publishes(from, "m1").isSuccess();
        client.publishes(from, "m2").isSuccess();
        CompletableFuture<List<Stretch>> stretches = node.asks(from.shard(), new FindStretches(FROM, ""));
        node.run();
        return node.asks(from.shard(), new Sweep(FROM, stretches.join().get(0), "", action, List.of(to), 100));
    }

    @Test
    void shouldMoveAndCopyToAnotherShard() {
        TestNode node = TestNode.ofShards(2, 1).started();
        CompletableFuture<Swept> copied = begin(node, Action.COPY);
        node.run();
        assertThat(copied).isCompletedWithValue(new Swept(2, 0, 2));
        CompletableFuture<Swept> moved = begin(node, Action.MOVE);
        node.run();
        assertThat(moved).isCompletedWithValue(new Swept(4, 0, 4));
        node = node.losesPowerAndRestarts();
        assertThat(left(node, "a")).isEmpty();
        assertThat(left(node, "b")).containsExactlyInAnyOrder("m1", "m2", "m1", "m2", "m1", "m2");
    }

    @Test
    void shouldLeaveThemWhereTheyWereWhenTheOtherDiskIsFull() {
        TestNode node = TestNode.ofShards(2, 1).started();
        CompletableFuture<Swept> moved = begin(node, Action.MOVE);
        node.log(0).setFull(true);
        node.log(1).setFull(true);
        node.run();
        assertThat(moved).isCompletedExceptionally();
        node.log(0).setFull(false);
        node.log(1).setFull(false);
        assertThat(left(node, "a")).containsExactly("m1", "m2");
        assertThat(left(node, "b")).isEmpty();
    }

    @Test
    void shouldHaveEachInOnePlaceWheneverTheNodeDies() {
        for (Class<?> step : List.of(PrepareBranch.class, Voted.class, FinishBranch.class, Finished.class)) {
            for (boolean power : new boolean[] {false, true}) {
                for (long seed = 0; seed < 10; seed++) {
                    TestNode node = TestNode.ofShards(2, seed).withLazyDisks().started();
                    begin(node, Action.MOVE);
                    node.dyingAt(step::isInstance).run();
                    node = power ? node.losesPowerAndRestarts() : node.isKilledAndRestarts();
                    node.passes(Duration.ofSeconds(10));
                    List<String> all = new ArrayList<>(left(node, "a"));
                    all.addAll(left(node, "b"));
                    assertThat(all)
                            .as("%s, power %s, seed %d", step.getSimpleName(), power, seed)
                            .containsExactly("m1", "m2");
                }
            }
        }
    }
}
