package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** JMS 3.1 §7.9: a message is not delivered before its delivery time. */
class DeliveryDelayTest {
    private TestShard shard =
            aShard().with("window", "16").with("timers-max", "16").started();
    private TestClient client = shard.aClient("c1").knowsQueue("orders").knowsTopic("news");

    private void publishes(String destination, int delaySeconds, String... texts) {
        client.publishes(destination, Acks.ALL, Batches.of(texts).deliveredAt(shard.nowMillis() + delaySeconds * 1000L))
                .isSuccess();
    }

    private void restart(TestShard again) {
        shard = again;
        client = shard.aClient("c1").knowsQueue("orders").knowsTopic("news");
    }

    @Test
    void shouldHandOutInTheOrderOfTimeAndNotBefore() {
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        publishes("orders", 60, "late");
        publishes("orders", 10, "soon1", "soon2");
        client.publishes("orders", "now").isSuccess();
        assertThat(consumer.receives()).containsExactly("now");
        shard.passes(Duration.ofMillis(9_999));
        assertThat(consumer.receives()).isEmpty();
        shard.passes(Duration.ofMillis(1));
        assertThat(consumer.receives()).containsExactly("soon1", "soon2");
        shard.passes(Duration.ofSeconds(50));
        assertThat(consumer.receives()).containsExactly("late");
    }

    @Test
    void shouldAskToBeWokenWhenTheNextIsDue() {
        client.consumes("orders").withCredit(10);
        publishes("orders", 5, "soon");
        long inNanos = shard.agent().deadlineNanos() - shard.nowNanos();
        assertThat(inNanos)
                .isPositive()
                .isLessThanOrEqualTo(Duration.ofSeconds(5).toNanos());
    }

    @Test
    void shouldKeepTheOrderOfTimeAmongThoseDueTogether() {
        publishes("orders", 60, "third");
        publishes("orders", 10, "first");
        publishes("orders", 30, "second");
        shard.passes(Duration.ofMinutes(5));
        assertThat(client.consumes("orders").withCredit(1).receives()).containsExactly("first");
        assertThat(client.consumes("orders").withCredit(2).receives()).containsExactly("second", "third");
    }

    @Test
    void shouldWaitOnAcrossRestarts() {
        publishes("orders", 3600, "later");
        publishes("orders", 60, "sooner");
        restart(shard.restarts());
        TestConsumer consumer = client.consumes("orders").withCredit(5);
        assertThat(consumer.receives()).isEmpty();
        shard.passes(Duration.ofSeconds(60));
        assertThat(consumer.receives()).containsExactly("sooner");
        consumer.accepts("sooner").isSuccess();
        restart(shard.restartsWithoutImage());
        consumer = client.consumes("orders").withCredit(5);
        shard.passes(Duration.ofHours(1));
        assertThat(consumer.receives()).containsExactly("later");
    }

    @Test
    void shouldGiveBackADelayedMessageAtOnce() {
        publishes("orders", 10, "m1");
        publishes("orders", 20, "m2");
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        shard.passes(Duration.ofSeconds(30));
        assertThat(consumer.receives()).containsExactly("m1");
        consumer.rejects("m1").isSuccess();
        consumer.withCredit(2);
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        consumer.isRedelivered("m1", 2);
    }

    @Test
    void shouldNotHoldUpADrain() {
        publishes("orders", 10, "m1");
        TestConsumer consumer = client.consumes("orders");
        consumer.drains(1);
        assertThat(consumer.drainsDone()).isEqualTo(1);
    }

    @Test
    void shouldDelayForEachSubscriptionOfATopic() {
        TestConsumer one =
                client.subscribes("news", SubscriptionKind.EXCLUSIVE, "").withCredit(5);
        TestConsumer durable =
                client.subscribes("news", SubscriptionKind.DURABLE, "d").withCredit(5);
        publishes("news", 10, "m1");
        assertThat(one.receives()).isEmpty();
        shard.passes(Duration.ofSeconds(10));
        assertThat(one.receives()).containsExactly("m1");
        assertThat(durable.receives()).containsExactly("m1");
    }

    /** Goal: more wait than are kept in memory, and still each comes at its time. */
    @Test
    void shouldHandOutEachAtItsTimeHoweverManyWait() {
        TestConsumer consumer = client.consumes("orders").withCredit(1000);
        int messages = 300;
        for (int i = 0; i < messages; i++) {
            publishes("orders", 1 + i * 7 % messages, "at" + (1 + i * 7 % messages));
        }
        List<String> expected = new ArrayList<>();
        for (int second = 1; second <= messages; second++) {
            shard.passes(Duration.ofSeconds(1));
            expected.add("at" + second);
            assertThat(consumer.receives()).containsExactly("at" + second);
        }
        assertThat(expected).hasSize(messages);
    }

    @Test
    void shouldHandOutAllThatAreDueAtOnceHoweverMany() {
        for (int i = 0; i < 200; i++) {
            publishes("orders", 10, "m" + i);
        }
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        shard.passes(Duration.ofSeconds(10));
        consumer.withCredit(500);
        assertThat(consumer.receives()).hasSize(200).doesNotHaveDuplicates();
    }

    /**
     * Goal: what was forgotten is found again though what comes behind it was looked at before. Method: when it falls due,
     * the window is too full to go back, and has room for one more delayed message.
     */
    @Test
    void shouldForgetNoneWhenItGoesBackLaterThanItGoesOn() {
        TestConsumer consumer = client.consumes("orders").withCredit(8);
        publishes("orders", 10, "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8");
        publishes("orders", 20, "b1");
        publishes("orders", 30, "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8");
        shard.passes(Duration.ofSeconds(10));
        assertThat(consumer.receives()).hasSize(8);
        Batches low = Batches.of("p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12");
        client.publishes("orders", Acks.ALL, low.withPriority(3)).isSuccess();
        consumer.withCredit(1);
        shard.passes(Duration.ofSeconds(10));
        publishes("orders", 60, "later");
        consumer.withCredit(1);
        consumer.withCredit(1);
        assertThat(consumer.receives()).containsExactly("p1", "p2", "p3");
        consumer.withCredit(100);
        assertThat(consumer.receives()).startsWith("p4").contains("b1");
        shard.passes(Duration.ofSeconds(10));
        assertThat(consumer.receives()).containsExactly("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8");
    }

    /** Goal: a window full of messages that were settled meanwhile keeps nobody from what is due behind it. */
    @Test
    void shouldHandOutWhatIsDueWhenAFullWindowWasSettledMeanwhile() {
        publishes("orders", 10, "due");
        List<OffsetRange> window = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            client.publishes("orders", "m" + i).isSuccess();
            window.add(OffsetRange.of(1 + i));
        }
        TestConsumer consumer = client.consumes("orders").withCredit(1).withCredit(1);
        assertThat(consumer.receives()).containsExactly("m0", "m1");
        consumer.releases("m0", "m1").isSuccess();
        shard.passes(Duration.ofSeconds(10));
        consumer.settles(Outcome.ACCEPTED, true, window).isSuccess();
        consumer.withCredit(5);
        assertThat(consumer.receives()).containsExactly("due");
    }
}
