package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.AddPartitions;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.ResolveDestination;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Destinations that get further partitions while they are used. */
class LiveGrowthTest {
    private static final int CREDIT = 1000;

    private TestNode node = node(1);

    private static TestNode node(long seed) {
        return TestNode.ofShards(3, seed)
                .with("partitions-of", "wide*=2")
                .with("dedicated", "alone")
                .started();
    }

    private boolean grows(String name, int partitions) {
        CompletableFuture<Boolean> answer = node.operatorSays(new AddPartitions(name, partitions));
        node.run();
        return answer.join();
    }

    private void isRefused(String name, int partitions, ErrorCode code, String why) {
        CompletableFuture<Boolean> answer = node.operatorSays(new AddPartitions(name, partitions));
        node.run();
        assertThat(answer).isCompletedExceptionally();
        assertThat(answer.handle((done, refusal) -> refusal).join())
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .hasMessageContaining(name)
                .hasMessageContaining(why);
    }

    private static void publishToAll(NodeClient client, String destination, String text) {
        int index = 0;
        for (PartitionRef place : client.places(destination)) {
            client.publishes(place, text + " " + index++).isSuccess();
        }
    }

    private static List<String> texts(String text, int partitions) {
        return IntStream.range(0, partitions).mapToObj(i -> text + " " + i).toList();
    }

    /** An answer is encoded later, by another thread. */
    @Test
    void shouldNotChangeAnAnswerThatWasGivenBefore() {
        ResolveDestination.Response before = node.aClient()
                .asks(new ResolveDestination.Request("wide", DestinationKind.QUEUE, true))
                .response(ResolveDestination.Response.class);
        assertThat(before.partitions()).hasSize(2);
        assertThat(grows("wide", 5)).isTrue();
        assertThat(before.partitions()).hasSize(2);
    }

    @Test
    void shouldFeedThoseWhoConsumeAlreadyWhenPartitionsAreAdded() {
        NodeClient queue = node.aClient().knowsQueue("wide");
        queue.consumes("wide", SubscriptionKind.QUEUE, "", CREDIT);
        NodeClient durable = node.aClient("me").knows("wide topic", DestinationKind.TOPIC);
        durable.consumes("wide topic", SubscriptionKind.DURABLE, "mine", CREDIT);
        NodeClient plain = node.aClient().knows("wide topic", DestinationKind.TOPIC);
        plain.consumes("wide topic", SubscriptionKind.EXCLUSIVE, "", CREDIT);

        assertThat(grows("wide", 5)).isTrue();
        assertThat(grows("wide topic", 6)).isTrue();

        NodeClient sender = node.aClient().knowsQueue("wide").knows("wide topic", DestinationKind.TOPIC);
        publishToAll(sender, "wide", "q");
        publishToAll(sender, "wide topic", "t");
        assertThat(queue.texts()).isEqualTo(texts("q", 5));
        assertThat(durable.texts()).isEqualTo(texts("t", 6));
        assertThat(plain.texts()).isEqualTo(texts("t", 6));
        assertThat(sender.asks(new ResolveDestination.Request("wide", DestinationKind.QUEUE, false))
                        .response(ResolveDestination.Response.class)
                        .keyed())
                .isEqualTo(2);
    }

    @Test
    void shouldKeepWhatWasAddedAndWhatIsUnsettledThereWhenTheNodeRestarts() {
        node.aClient().knowsQueue("wide");
        grows("wide", 4);
        grows("wide", 7);
        NodeClient sender = node.aClient().knowsQueue("wide");
        publishToAll(sender, "wide", "m");
        node.losesPowerAndRestarts();
        NodeClient again = node.aClient().knowsQueue("wide");
        assertThat(again.places("wide")).isEqualTo(sender.places("wide")).hasSize(7);
        again.consumes("wide", SubscriptionKind.QUEUE, "", CREDIT);
        assertThat(again.texts()).isEqualTo(texts("m", 7));
    }

    @Test
    void shouldRefuseAndChangeNothingWhereTheNumberIsNotToBeHad() {
        NodeClient client = node.aClient().knowsQueue("wide").knowsQueue("alone");
        isRefused("wide", 1, ErrorCode.INVALID_REQUEST, "it has 2");
        isRefused("wide", 0, ErrorCode.INVALID_REQUEST, "1 to 64");
        isRefused("wide", 65, ErrorCode.INVALID_REQUEST, "1 to 64");
        isRefused("alone", 2, ErrorCode.INVALID_REQUEST, "broker.dedicated");
        isRefused("nobody", 2, ErrorCode.DESTINATION_NOT_FOUND, "no destination");
        assertThat(grows("wide", 2)).as("what it has already").isTrue();
        assertThat(node.aClient().knowsQueue("wide").places("wide")).isEqualTo(client.places("wide"));
    }

    /** Nobody may send to a partition of which its shard has not heard. */
    @Test
    void shouldTellNobodyOfPartitionsBeforeEveryShardHasThem() {
        NodeClient client = node.aClient().knowsQueue("wide");
        int other = client.places("wide").stream()
                .mapToInt(PartitionRef::shard)
                .max()
                .orElseThrow();
        node.withSleeping(other);
        CompletableFuture<Boolean> grown = node.operatorSays(new AddPartitions("wide", 6));
        node.run();
        var asked = client.says(new ResolveDestination.Request("wide", DestinationKind.QUEUE, true));
        node.run();
        assertThat(grown).isNotDone();
        assertThat(asked.isThere()).isFalse();
        node.awake();
        assertThat(grown).isCompletedWithValue(true);
        assertThat(asked.response(ResolveDestination.Response.class).partitions())
                .hasSize(6);
    }

    @Test
    void shouldDecideOneAfterTheOtherWhenOperatorsAskAtOnce() {
        node.aClient().knowsQueue("wide");
        List<CompletableFuture<Boolean>> asked = new ArrayList<>();
        for (int partitions : new int[] {4, 3, 6, 6}) {
            asked.add(node.operatorSays(new AddPartitions("wide", partitions)));
        }
        node.run();
        assertThat(asked.get(0)).isCompletedWithValue(true);
        assertThat(asked.get(1)).as("fewer than there are by then").isCompletedExceptionally();
        assertThat(asked.get(2)).isCompletedWithValue(true);
        assertThat(asked.get(3)).isCompletedWithValue(true);
        assertThat(node.aClient().knowsQueue("wide").places("wide")).hasSize(6);
    }

    @Test
    void shouldGrowWhollyOrNotAtAllWhenTheNodeDiesMeanwhile() {
        for (int nth = 1; nth <= 4; nth++) {
            for (long seed = 1; seed <= 20; seed++) {
                dieAt(nth, seed);
            }
        }
    }

    private static void dieAt(int nth, long seed) {
        String what = "killed at message " + nth + ", seed " + seed;
        LiveGrowthTest run = new LiveGrowthTest();
        run.node = node(seed);
        NodeClient client = run.node.aClient().knowsQueue("wide");
        client.consumes("wide", SubscriptionKind.QUEUE, "", CREDIT);
        int[] count = new int[1];
        run.node.withLazyDisks().dyingAt(message -> ++count[0] == nth);
        CompletableFuture<Boolean> answer = run.node.operatorSays(new AddPartitions("wide", 6));
        run.node.run();
        run.node.losesPowerAndRestarts();
        NodeClient again = run.node.aClient().knowsQueue("wide");
        if (answer.isDone()) {
            assertThat(again.places("wide")).as(what).hasSize(6);
        }
        int partitions = again.places("wide").size();
        assertThat(partitions).as(what).isIn(2, 6);
        publishToAll(again, "wide", "m");
        again.consumes("wide", SubscriptionKind.QUEUE, "", CREDIT);
        assertThat(again.texts()).as(what).isEqualTo(texts("m", partitions));
    }

    /** A partition's index feeds them, or, where the memory for indexes is used up, they look by themselves. */
    @Test
    void shouldFeedConsumersWithSelectorsWhenPartitionsAreAdded() {
        for (String budget : List.of("100000", "2", "0")) {
            TestShard shard = TestShard.aShard().with("index-messages", budget).started();
            TestClient client = shard.aClient().knowsQueue("orders");
            TestConsumer byEquality = selecting(client, "JMSCorrelationID = 'a'");
            TestConsumer byLooking = selecting(client, "number > 5");
            TestConsumer plain = client.consumes("orders");

            CompletableFuture<Boolean> answer = shard.asks(new AddPartitions("orders", 3));
            assertThat(answer).isCompletedWithValue(true);
            client.knowsQueue("orders");
            for (int i = 0; i < 3; i++) {
                publish(client, client.partitionOf("orders", i), i);
            }
            assertThat(byEquality.withCredit(CREDIT).receives())
                    .as("budget %s", budget)
                    .containsExactlyInAnyOrder("a0", "a1", "a2");
            assertThat(byLooking.withCredit(CREDIT).receives())
                    .as("budget %s", budget)
                    .containsExactlyInAnyOrder("b9", "b9", "b9");
            assertThat(plain.withCredit(CREDIT).receives())
                    .as("budget %s", budget)
                    .containsExactlyInAnyOrder("c1", "c1", "c1");
        }
    }

    private static TestConsumer selecting(TestClient client, String selector) {
        TestConsumer consumer =
                client.consumer("orders", SubscriptionKind.QUEUE, "").selecting(selector);
        consumer.attaches().isSuccess();
        return consumer;
    }

    private static void publish(TestClient client, int partition, int index) {
        client.publishes(
                        partition,
                        Acks.ALL,
                        Batches.of("a" + index, "b9", "c1")
                                .each(text -> Records.aRecord()
                                        .correlated(text.substring(0, 1))
                                        .with("number", text.charAt(0) == 'b' ? 9 : 1)))
                .isSuccess();
    }
}
