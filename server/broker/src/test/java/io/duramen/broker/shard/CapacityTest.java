package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.ChangeDestination;
import io.duramen.broker.shard.OperatorRequest.FindFull;
import io.duramen.broker.shard.OperatorRequest.FullEntry;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Sweep;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle.Outcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A destination takes no more than it may have, and takes again what there is room for. */
class CapacityTest {
    private static final BranchId BRANCH =
            new BranchId(7, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[1]));
    private static final String KILO = "x".repeat(1000);

    private TestShard shard =
            aShard().with("deliveries-max", "1").with("redelivery-delay", "0s").started();
    private TestClient client =
            shard.aClient("shop").knowsQueue("orders").knowsQueue("bills").knowsTopic("news");

    private <A> A told(OperatorRequest<A> request) {
        CompletableFuture<A> answer = shard.asks(request);
        assertThat(answer).isCompleted();
        return answer.join();
    }

    private void limits(String destination, String settings) {
        told(new ChangeDestination(destination, settings));
    }

    private void stores(String destination, String... texts) {
        client.publishes(destination, texts).isSuccess();
    }

    private void isFull(String destination, String... texts) {
        client.publishes(destination, texts).isRefusedWith(ErrorCode.DESTINATION_FULL);
    }

    private List<String> all(String queue) {
        TestClient reader = shard.aClient().knowsQueue(queue);
        List<String> texts = reader.consumes(queue).withCredit(100).receives();
        reader.closes();
        return texts;
    }

    private List<FullEntry> full() {
        return told(new FindFull("")).entries();
    }

    @Test
    void shouldRefuseMessagesBeyondTheMostAndTakeThemOnceSomeAreSettled() {
        limits("orders", "max-messages:3");
        stores("orders", "m1", "m2");
        isFull("orders", "m3", "m4");
        stores("orders", "m3");
        isFull("orders", "m4");
        client.publishes("orders", Acks.NONE, Batches.of("m4")).isRefusedWith(ErrorCode.DESTINATION_FULL);
        stores("bills", "b1");
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        isFull("orders", "m4");
        consumer.accepts("m2").isSuccess();
        stores("orders", "m4");
        isFull("orders", "m5");
        consumer.accepts("m1", "m3").isSuccess();
        stores("orders", "m5", "m6");
        assertThat(consumer.receives()).containsExactly("m1", "m2", "m3", "m4", "m5", "m6");
    }

    @Test
    void shouldNameDestinationAndLimit() {
        limits("orders", "max-messages:2");
        stores("orders", "m1", "m2");
        assertThat(client.publishes("orders", "m3").failure().detail())
                .isEqualTo("queue 'orders' is full: it has 2 messages and takes no 1 more, its max-messages is 2");
        limits("orders", "max-messages: max-bytes:10");
        assertThat(client.publishes("orders", KILO).failure().detail())
                .contains("queue 'orders' is full: it has 0 bytes of messages")
                .endsWith("its max-bytes is 10");
    }

    @Test
    void shouldCountTheSameWhateverHappensToTheNode() {
        limits("orders", "max-messages:5 max-bytes:6000");
        for (int i = 0; i < 5; i++) {
            stores("orders", i + KILO);
        }
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        consumer.accepts(1 + KILO, 3 + KILO).isSuccess();
        client.closes();
        List<FullEntry> none = full();
        for (int way = 0; way < 4; way++) {
            shard = switch (way) {
                case 0 -> shard.losesPowerAndRestarts();
                case 1 -> shard.restarts();
                case 2 -> shard.restartsWithoutImage();
                default -> shard.isKilledAndRestarts();
            };
            client = shard.aClient().knowsQueue("orders");
            isFull("orders", "a" + way, "b" + way, "c" + way);
            assertThat(full()).as("way %d", way).singleElement().satisfies(one -> {
                assertThat(one.messages()).isEqualTo(3);
                assertThat(one.bytes()).isBetween(3000L, 3400L);
            });
        }
        stores("orders", "a", "b");
        assertThat(none).isEmpty();
        assertThat(full()).singleElement().extracting(FullEntry::messages).isEqualTo(5L);
    }

    @Test
    void shouldLimitBytes() {
        limits("orders", "max-bytes:4000");
        stores("orders", 1 + KILO);
        stores("orders", 2 + KILO);
        stores("orders", 3 + KILO);
        isFull("orders", 4 + KILO);
        stores("orders", "small");
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        consumer.accepts(2 + KILO).isSuccess();
        stores("orders", 4 + KILO);
        isFull("orders", 5 + KILO);
        limits("orders", "max-bytes:6000");
        stores("orders", 5 + KILO);
        limits("orders", "max-bytes:");
        stores("orders", IntStream.range(0, 20).mapToObj(i -> i + KILO).toArray(String[]::new));
        isFullNowhere();
    }

    private void isFullNowhere() {
        assertThat(full()).isEmpty();
    }

    @Test
    void shouldTakeABatchThatIsMoreThanItMayHaveWhereItIsEmpty() {
        limits("orders", "max-messages:2");
        stores("orders", "m1");
        isFull("orders", "n1", "n2", "n3");
        client.consumes("orders").withCredit(10).accepts("m1").isSuccess();
        stores("orders", "n1", "n2", "n3");
        isFull("orders", "n4");
    }

    @Test
    void shouldRefuseTransactionsAsAWholeAndPromiseRoomToPreparedOnes() {
        limits("orders", "max-messages:3");
        client.commits(
                        1,
                        List.of(client.aSend("bills", "b1"), client.aSend("orders", "m1", "m2", "m3", "m4")),
                        List.of())
                .isRefusedWith(ErrorCode.DESTINATION_FULL);
        assertThat(all("bills")).isEmpty();
        client.commits(2, List.of(client.aSend("orders", "m1")), List.of()).isSuccess();
        client.asks(new Prepare.Request(0, BRANCH, List.of(client.aSend("orders", "p1", "p2")), List.of()))
                .isSuccess();
        isFull("orders", "m2");
        shard = shard.restarts();
        client = shard.aClient().knowsQueue("orders");
        isFull("orders", "m2");
        assertThat(full()).hasSize(1);
        client.asks(new EndBranch.Request(0, BRANCH, true)).isSuccess();
        isFull("orders", "m2");
        assertThat(all("orders")).containsExactly("m1", "p1", "p2");
        limits("orders", "max-messages:5");
        client.asks(new Prepare.Request(0, BRANCH, List.of(client.aSend("orders", "p3", "p4")), List.of()))
                .isSuccess();
        isFull("orders", "m2");
        client.asks(new EndBranch.Request(0, BRANCH, false)).isSuccess();
        stores("orders", "m2", "m3");
    }

    @Test
    void shouldNeverRefuseADeadLetterAndCountIt() {
        stores("orders", "m1", "m2");
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        consumer.rejects("m1").isSuccess();
        limits("DLQ.orders", "max-messages:1");
        consumer.withCredit(10);
        consumer.rejects("m2").isSuccess();
        client.knowsQueue("DLQ.orders");
        isFull("DLQ.orders", "m3");
        assertThat(all("DLQ.orders")).containsExactly("m1", "m2");
    }

    @Test
    void shouldCountWhatWaitsForATime() {
        limits("orders", "max-messages:1");
        client.publishes("orders", Acks.ALL, Batches.of("late").deliveredAt(shard.nowMillis() + 5000))
                .isSuccess();
        isFull("orders", "m1");
        shard.passes(Duration.ofSeconds(6));
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        consumer.settles(Outcome.ACCEPTED, true, consumer.rangesOf("late")).isSuccess();
        stores("orders", "m1");
    }

    @Test
    void shouldCountOfATopicWhatItsDurableSubscriptionFurthestBehindHas() {
        limits("news", "max-messages:2");
        stores("news", "n1");
        stores("news", "n2", "n3");
        TestConsumer slow =
                client.subscribes("news", SubscriptionKind.DURABLE, "slow").withCredit(10);
        TestConsumer fast =
                client.subscribes("news", SubscriptionKind.DURABLE, "fast").withCredit(10);
        stores("news", "n4", "n5");
        fast.accepts("n4", "n5").isSuccess();
        isFull("news", "n6");
        slow.accepts("n4").isSuccess();
        stores("news", "n6");
    }

    @Test
    void shouldRefuseWhatOperatorsPutThereToo() {
        limits("orders", "max-messages:1");
        stores("bills", "b1", "b2");
        int from = client.partitionOf("bills");
        int to = client.partitionOf("orders");
        Sweep move = new Sweep(
                new Target.OfQueue("bills"),
                new Stretch(from, 0, 2),
                "",
                Action.MOVE,
                List.of(new PartitionRef(to, 0)),
                10);
        assertThat(shard.asks(move))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("queue 'orders' is full");
        assertThat(all("bills")).containsExactly("b1", "b2");
        assertThat(all("orders")).isEmpty();
        limits("orders", "max-messages:2");
        assertThat(told(move).done()).isEqualTo(2);
        assertThat(all("bills")).isEmpty();
        assertThat(all("orders")).containsExactly("b1", "b2");
    }

    @Test
    void shouldTellWhichAreFullUntilTheyAreNot() {
        limits("orders", "max-messages:2");
        limits("bills", "max-messages:9");
        isFullNowhere();
        stores("orders", "m1");
        isFullNowhere();
        isFull("orders", "m2", "m3");
        assertThat(full()).extracting(FullEntry::destination).containsExactly("orders");
        stores("orders", "m2");
        assertThat(full()).hasSize(1);
        assertThat(told(new FindFull("orders")).entries()).isEmpty();
        client.consumes("orders").withCredit(10).accepts("m1", "m2").isSuccess();
        isFullNowhere();
    }
}
