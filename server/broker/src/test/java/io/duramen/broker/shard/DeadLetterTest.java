package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that nobody could process go to a queue for those, in the write that settles them. */
class DeadLetterTest {
    private static final String DEAD = "DLQ.orders";

    private TestShard shard =
            aShard().with("deliveries-max", "3").with("redelivery-delay", "0s").started();
    private TestClient client = shard.aClient("shop").knowsQueue("orders").knowsTopic("news");

    private List<String> dead(String queue, String selector) {
        TestClient reader = shard.aClient().knowsQueue(queue);
        TestConsumer consumer =
                reader.consumer(queue, SubscriptionKind.QUEUE, "").selecting(selector);
        consumer.attaches().isSuccess();
        List<String> texts = consumer.withCredit(100).receives();
        consumer.releases(texts.toArray(String[]::new));
        reader.closes();
        return texts;
    }

    private void rejectsAll(TestConsumer consumer, String text, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(consumer.receives()).contains(text);
            consumer.rejects(text).isSuccess();
        }
    }

    @Test
    void shouldLeaveAfterItsLastDelivery() {
        client.publishes("orders", "m1", "m2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(100);
        rejectsAll(consumer, "m1", 3);
        assertThat(consumer.receives()).isEmpty();
        consumer.accepts("m2").isSuccess();
        assertThat(dead(
                        DEAD,
                        "JMS_Duramen_Origin = 'orders' AND JMS_Duramen_DeliveryCount = 3"
                                + " AND JMS_Duramen_CauseCode = 'DELIVERIES_MAX' AND JMS_Duramen_DeadAt > 0"
                                + " AND JMS_Duramen_Cause = 'delivered 3 times and never accepted'"
                                + " AND JMS_Duramen_Subscription IS NULL"))
                .containsExactly("m1");
        assertThat(shard.agent().moveCounts()).isEqualTo(new MoveCounts(0, 1, 0));
        assertThat(shard.image().cursors().get(0).settledBelow()).isEqualTo(2);
    }

    @Test
    void shouldLeaveAtOnceWhenRefused() {
        client.publishes(
                        "orders",
                        Acks.ALL,
                        Batches.of("m1")
                                .each(text -> Records.aRecord()
                                        .withId(7, 8)
                                        .with("colour", "red")
                                        .with("JMS_Duramen_Origin", "elsewhere")))
                .isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(100);
        consumer.refuses("m1", "no such article").isSuccess();
        assertThat(consumer.receives()).containsExactly("m1");
        assertThat(dead(
                        DEAD,
                        "colour = 'red' AND JMS_Duramen_Origin = 'orders'"
                                + " AND JMS_Duramen_CauseCode = 'REFUSED' AND JMS_Duramen_DeliveryCount = 1"
                                + " AND JMS_Duramen_Cause = 'refused by its consumer: no such article'"
                                + " AND JMS_Duramen_MessageId = 'ID:0000000000000007-8'"))
                .containsExactly("m1");
        assertThat(shard.agent().moveCounts()).isEqualTo(new MoveCounts(0, 0, 1));
    }

    @Test
    void shouldBeInOnePlaceWheneverThePowerFails() {
        client.publishes("orders", "m1").isSuccess();
        rejectsAll(client.consumes("orders").withCredit(100), "m1", 2);
        TestConsumer last =
                shard.aClient().knowsQueue("orders").consumes("orders").withCredit(1);
        client.closes();
        shard.log().holdSyncs();
        last.rejects("m1");
        shard = shard.losesPowerAndRestarts();
        TestConsumer again =
                shard.aClient().knowsQueue("orders").consumes("orders").withCredit(1);
        int delivered = again.receives().size();
        assertThat(delivered + dead(DEAD, "").size()).isEqualTo(1);
    }

    @Test
    void shouldLeaveAfterARestartWhatHadItsLastDeliveryBefore() {
        client.publishes("orders", "m1", "m2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(100);
        rejectsAll(consumer, "m1", 2);
        client.closes();
        for (boolean image : new boolean[] {true, false}) {
            shard.with("deliveries-max", "2");
            shard = image ? shard.restarts() : shard.restartsWithoutImage();
            assertThat(dead(DEAD, "")).containsExactly("m1");
        }
        assertThat(shard.aClient()
                        .knowsQueue("orders")
                        .consumes("orders")
                        .withCredit(9)
                        .receives())
                .containsExactly("m2");
    }

    @Test
    void shouldNeverGoRound() {
        client.publishes("orders", "m1").isSuccess();
        client.consumes("orders").withCredit(1).refuses("m1", "").isSuccess();
        TestConsumer consumer = client.knowsQueue(DEAD).consumes(DEAD).withCredit(100);
        rejectsAll(consumer, "m1", 20);
        consumer.refuses("m1", "still not").isSuccess();
        assertThat(consumer.receives()).containsExactly("m1", "m1");
        consumer.isRedelivered("m1", 22);
    }

    @Test
    void shouldLeaveEachSubscriptionByItself() {
        TestConsumer one = client.subscribes("news", SubscriptionKind.DURABLE, "one");
        TestConsumer two = client.subscribes("news", SubscriptionKind.SHARED_DURABLE, "two");
        TestConsumer soft = client.subscribes("news", SubscriptionKind.EXCLUSIVE, "");
        client.publishes("news", "m1").isSuccess();
        two.withCredit(9).accepts("m1").isSuccess();
        rejectsAll(one.withCredit(9), "m1", 3);
        assertThat(dead("DLQ.news", "JMS_Duramen_Subscription = 'one' AND JMS_Duramen_ClientId = 'shop'"))
                .containsExactly("m1");
        assertThat(soft.withCredit(9).receives()).containsExactly("m1");
        soft.refuses("m1", "").isSuccess();
        assertThat(dead("DLQ.news", "JMS_Duramen_Subscription IS NULL")).containsExactly("m1");
        assertThat(dead("DLQ.news", "")).hasSize(2);
    }

    @Test
    void shouldStayAndBeNobodysWhereItCannotGo() {
        client.knowsTopic(DEAD).publishes("orders", "m1", "m2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        consumer.refuses("m1", "").isSuccess();
        consumer.withCredit(9);
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        shard = shard.restarts();
        shard.passes(Duration.ofMinutes(1));
        assertThat(shard.image().cursors().get(0).settledBelow()).isZero();
        shard.with("dead-letter-queue", "dead");
        shard = shard.restarts();
        assertThat(dead("dead", "JMS_Duramen_CauseCode = 'REFUSED'")).containsExactly("m1");
    }

    @Test
    void shouldShareAQueueAndHaveOneForTemporaryOnes() {
        shard = aShard().with("redelivery-of", "or*=max:1 dead-letters:failed").started();
        client = shard.aClient("shop").knowsQueue("orders").knowsQueue("orphans");
        client.publishes("orders", "m1").isSuccess();
        client.publishes("orphans", "m2").isSuccess();
        client.consumes("orders").withCredit(1).rejects("m1").isSuccess();
        client.consumes("orphans").withCredit(1).rejects("m2").isSuccess();
        assertThat(dead("failed", "JMS_Duramen_Origin LIKE 'or%'")).containsExactly("m1", "m2");
        client.knowsTemporary("temp.1", DestinationKind.TEMPORARY_QUEUE, 1);
        client.publishes("temp.1", "m3").isSuccess();
        client.consumes("temp.1").withCredit(1).refuses("m3", "").isSuccess();
        assertThat(dead("DLQ.temporary", "")).containsExactly("m3");
    }

    @Test
    void shouldLeaveThoughManyDo() {
        shard = aShard().with("deliveries-max", "1")
                .with("deliver-size", "1KiB")
                .started();
        client = shard.aClient("shop").knowsQueue("orders");
        String[] texts = IntStream.range(0, 100).mapToObj(i -> "m" + i).toArray(String[]::new);
        client.publishes("orders", texts).isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(100);
        consumer.receives();
        consumer.rejects(texts).isSuccess();
        assertThat(dead(DEAD, "")).containsExactly(texts);
    }
}
