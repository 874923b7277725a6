package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.AttachedEntry;
import io.duramen.broker.shard.OperatorRequest.EndConsumer;
import io.duramen.broker.shard.OperatorRequest.ListAttached;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Settle;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Operators have consumers leave: by their clients, or at once. */
class ConsumerEndingsTest {
    private final TestShard shard = aShard().with("redelivery-delay", "0s").started();
    private final TestClient client = shard.aClient("shop").knowsQueue("orders").knowsTopic("news");

    private CompletableFuture<Boolean> ends(TestConsumer consumer, boolean now) {
        return shard.asks(new EndConsumer(client.id(), consumer.id(), now));
    }

    private List<AttachedEntry> attached(int after, int limit) {
        return shard.asks(new ListAttached(client.id(), after, limit)).join();
    }

    @Test
    void shouldListWhatAConnectionConsumes() {
        client.publishes("orders", "m1", "m2").isSuccess();
        TestConsumer orders = client.consumes("orders").withCredit(10);
        TestConsumer news = client.subscribes("news", SubscriptionKind.DURABLE, "archive");
        assertThat(attached(0, 10))
                .containsExactly(
                        new AttachedEntry(orders.id(), "orders", "", 2),
                        new AttachedEntry(news.id(), "news", "archive", 0));
        assertThat(attached(0, 1)).hasSize(1);
        assertThat(attached(orders.id(), 10))
                .extracting(AttachedEntry::consumer)
                .containsExactly(news.id());
        assertThat(shard.asks(new ListAttached(999, 0, 10)).join()).isEmpty();
    }

    @Test
    void shouldAskTheClientAndAnswerOnceItsConsumerHasLeft() {
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        CompletableFuture<Boolean> answer = ends(consumer, false);
        assertThat(client.ended()).containsExactly(consumer.id());
        assertThat(answer).isNotDone();
        consumer.detaches().isSuccess();
        assertThat(answer).isCompletedWithValue(true);
        assertThat(ends(consumer, false)).isCompletedWithValue(false);
    }

    @Test
    void shouldAnswerWhereTheConnectionEndsInstead() {
        TestConsumer consumer = client.consumes("orders");
        CompletableFuture<Boolean> answer = ends(consumer, false);
        client.vanishes();
        shard.run();
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void shouldCutOffAtOnceAndGiveBackInOrderCountingWhatMayHaveBeenSeen() {
        client.publishes("orders", "m1", "m2", "m3", "m4").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(10).hasSeen(1);
        consumer.withCredit(1);
        CompletableFuture<Boolean> asked = ends(consumer, false);
        assertThat(ends(consumer, true)).isCompletedWithValue(true);
        assertThat(asked).isCompletedWithValue(true);
        assertThat(client.ended()).hasSize(2);
        TestConsumer other =
                shard.aClient().knowsQueue("orders").consumes("orders").withCredit(10);
        assertThat(other.receives()).containsExactly("m1", "m2", "m3", "m4");
        other.isRedelivered("m1", 2)
                .isRedelivered("m2", 2)
                .isRedelivered("m3", 1)
                .isRedelivered("m4", 1);
        assertThat(consumer.accepts("m3").response(Settle.Response.class).stale())
                .hasSize(1);
        client.consumes("orders");
    }

    @Test
    void shouldKnowNoConsumerOfAnother() {
        TestConsumer consumer = client.consumes("orders");
        assertThat(shard.asks(new EndConsumer(client.id(), consumer.id() + 1, true)))
                .isCompletedWithValue(false);
        assertThat(shard.asks(new EndConsumer(999, consumer.id(), true))).isCompletedWithValue(false);
        assertThat(attached(0, 10)).hasSize(1);
    }
}
