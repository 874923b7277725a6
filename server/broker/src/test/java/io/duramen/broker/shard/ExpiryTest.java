package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** JMS 3.1 §3.4.9: an expired message is not delivered; here it is also gone without anyone asking for it. */
class ExpiryTest {
    private TestShard shard = aShard().with("window", "16")
            .with("timers-max", "16")
            .with("expiry-interval", "1s")
            .started();
    private TestClient client = shard.aClient().knowsQueue("orders");

    private void publishes(int seconds, String... texts) {
        client.publishes("orders", Acks.ALL, Batches.of(texts).expiringAt(shard.nowMillis() + seconds * 1000L))
                .isSuccess();
    }

    private long settledBelow() {
        CursorRow row = shard.image().cursors().get(0);
        assertThat(row.settledBeyond().hasRemaining()).isFalse();
        return row.settledBelow();
    }

    @Test
    void shouldSettleWhatExpiresThoughNobodyAsks() {
        publishes(10, "m1", "m2");
        shard.passes(Duration.ofSeconds(9));
        shard.passes(Duration.ofMillis(999));
        assertThat(settledBelow()).isZero();
        shard.passes(Duration.ofSeconds(2));
        assertThat(settledBelow()).isEqualTo(2);
    }

    @Test
    void shouldSettleWhatExpiredWhileItWasDown() {
        publishes(10, "m1", "m2");
        client.publishes("orders", "stays").isSuccess();
        shard = shard.restarts();
        shard.passes(Duration.ofSeconds(20));
        assertThat(settledBelow()).isEqualTo(2);
    }

    @Test
    void shouldSettleEachAtItsTimeHoweverManyWait() {
        for (int i = 1; i <= 100; i++) {
            publishes(i, "m" + i);
        }
        for (int second = 1; second <= 100; second++) {
            shard.passes(Duration.ofMillis(500));
            shard.passes(Duration.ofMillis(500));
            assertThat(settledBelow()).isBetween(second - 2L, (long) second);
        }
    }

    @Test
    void shouldNotTakeFromAConsumerWhatItHolds() {
        publishes(10, "held", "other");
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        assertThat(consumer.receives()).containsExactly("held");
        shard.passes(Duration.ofSeconds(20));
        consumer.accepts("held").isSuccess();
        assertThat(settledBelow()).isEqualTo(2);
    }

    @Test
    void shouldSettleAnExpiredMessageThatComesBack() {
        publishes(10, "held");
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        shard.passes(Duration.ofSeconds(20));
        consumer.rejects("held").isSuccess();
        client.closes();
        shard.passes(Duration.ofSeconds(2));
        shard.passes(Duration.ofSeconds(2));
        assertThat(settledBelow()).isEqualTo(1);
    }

    @Test
    void shouldMoveWhatExpiresWhereItIsAsked() {
        shard = aShard().with("expiry-destination", "expired").started();
        client = shard.aClient().knowsQueue("orders");
        publishes(10, "m1", "m2");
        shard.passes(Duration.ofSeconds(20));
        assertThat(settledBelow()).as("of the expiry queue, the first").isZero();
        TestClient other = shard.aClient().knowsQueue("expired").knowsQueue("orders");
        assertThat(other.consumes("orders").withCredit(5).receives()).isEmpty();
        TestConsumer consumer = other.consumes("expired").withCredit(5);
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        shard.passes(Duration.ofDays(1));
        consumer.rejects("m1", "m2").isSuccess();
        shard = shard.restartsWithoutImage();
        TestClient again = shard.aClient().knowsQueue("expired").knowsQueue("orders");
        assertThat(again.consumes("expired").withCredit(5).receives()).containsExactly("m1", "m2");
        assertThat(again.consumes("orders").withCredit(5).receives()).isEmpty();
    }

    @Test
    void shouldMoveInPiecesHoweverMuchExpiresTogether() {
        shard = aShard().with("expiry-destination", "expired")
                .with("deliver-size", "1KiB")
                .started();
        client = shard.aClient().knowsQueue("orders");
        for (int i = 0; i < 200; i++) {
            publishes(10, "m" + i);
        }
        shard.passes(Duration.ofSeconds(20));
        assertThat(shard.aClient()
                        .knowsQueue("expired")
                        .consumes("expired")
                        .withCredit(500)
                        .receives())
                .hasSize(200)
                .startsWith("m0", "m1")
                .endsWith("m199");
    }

    @Test
    void shouldNotDeliverADelayedMessageThatExpiresBefore() {
        client.publishes(
                        "orders",
                        Acks.ALL,
                        Batches.of("m1").expiringAt(shard.nowMillis() + 5_000).deliveredAt(shard.nowMillis() + 10_000))
                .isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        shard.passes(Duration.ofSeconds(30));
        assertThat(consumer.receives()).isEmpty();
        assertThat(settledBelow()).isEqualTo(1);
    }
}
