package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.Backoff;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a message comes again that was rejected: the first time at once, then after a wait that grows. */
class RedeliveryTest {
    private TestShard shard = aShard().with("deliveries-max", "0")
            .with("redelivery-delay", "1s")
            .with("redelivery-delay-max", "3s")
            .started();
    private TestClient client = shard.aClient().knowsQueue("orders");
    private TestConsumer consumer = client.consumes("orders").withCredit(100);

    private void comesAfter(Duration time, String text) {
        shard.passes(time.minusMillis(1));
        assertThat(consumer.receives()).isEmpty();
        shard.passes(Duration.ofMillis(1));
        assertThat(consumer.receives()).containsExactly(text);
    }

    /** It came once, and once again. */
    private void wasRejectedTwice(String text) {
        consumer.receives();
        consumer.rejects(text).isSuccess();
        assertThat(consumer.receives()).containsExactly(text);
        consumer.rejects(text).isSuccess();
        consumer.receives();
    }

    @Test
    void shouldWaitLongerEachTimeAndNotBeyondTheLongest() {
        client.publishes("orders", "m1").isSuccess();
        wasRejectedTwice("m1");
        comesAfter(Duration.ofSeconds(1), "m1");
        consumer.rejects("m1").isSuccess();
        comesAfter(Duration.ofSeconds(2), "m1");
        for (int i = 0; i < 40; i++) {
            consumer.rejects("m1").isSuccess();
            comesAfter(Duration.ofSeconds(3), "m1");
        }
        consumer.isRedelivered("m1", 44);
        consumer.accepts("m1").isSuccess();
    }

    @Test
    void shouldLetOthersPassWhileItWaits() {
        client.publishes("orders", "m1", "m2").isSuccess();
        wasRejectedTwice("m1");
        client.publishes("orders", "m3").isSuccess();
        assertThat(consumer.receives()).containsExactly("m3");
        comesAfter(Duration.ofSeconds(1), "m1");
    }

    private TestConsumer backingOff(TestClient its, long delayMillis, int multiplier, long delayMaxMillis) {
        TestConsumer backingOff = its.consumer("orders", SubscriptionKind.QUEUE, "")
                .backingOff(new Backoff(delayMillis, multiplier, delayMaxMillis));
        backingOff.attaches().isSuccess();
        return backingOff.withCredit(100);
    }

    @Test
    void shouldWaitAsTheConsumerSaysThatGaveItBack() {
        client.closes();
        client = shard.aClient().knowsQueue("orders");
        consumer = backingOff(client, 200, 3, 86_400_000);
        client.publishes("orders", "m1", "m2").isSuccess();
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        consumer.rejects("m1").isSuccess();
        comesAfter(Duration.ofMillis(200), "m1");
        consumer.rejects("m1").isSuccess();
        comesAfter(Duration.ofMillis(600), "m1");
        for (int i = 0; i < 20; i++) {
            consumer.rejects("m1").isSuccess();
            shard.passes(Duration.ofDays(1));
            assertThat(consumer.receives()).containsExactly("m1");
        }
        consumer.rejects("m1").isSuccess();
        comesAfter(Duration.ofDays(1), "m1");
    }

    @Test
    void shouldComeAtOnceWhereTheConsumerWantsNoWait() {
        TestClient other = shard.aClient().knowsQueue("orders");
        client.closes();
        consumer = backingOff(other, 0, 2, 1_000);
        other.publishes("orders", "m1").isSuccess();
        for (int i = 0; i < 5; i++) {
            assertThat(consumer.receives()).containsExactly("m1");
            consumer.rejects("m1").isSuccess();
        }
    }

    @Test
    void shouldHandOthersOnHoweverLongAConsumerHasItsMessagesWait() {
        shard = aShard().with("deliveries-max", "0")
                .with("redelivery-at-once", "0")
                .with("redelivery-delay", "1s")
                .with("redelivery-multiplier", "1")
                .with("timers-max", "16")
                .started();
        client = shard.aClient().knowsQueue("orders");
        consumer = backingOff(client, Backoff.DELAY_MILLIS_MAX, 1, Backoff.DELAY_MILLIS_MAX);
        String[] texts = IntStream.range(0, 40).mapToObj(i -> "m" + i).toArray(String[]::new);
        client.publishes("orders", texts).isSuccess();
        consumer.rejects(consumer.receives().toArray(String[]::new)).isSuccess();
        assertThat(consumer.receives()).as("forty wait").isEmpty();

        shard.passes(Duration.ofSeconds(1));
        assertThat(consumer.receives()).as("eight wait for a year").containsExactly(Arrays.copyOfRange(texts, 8, 40));
        assertThat(shard.agent().holdings("orders").timers()).isEqualTo(8);
    }

    @Test
    void shouldWaitAsThePolicySaysAfterARestart() {
        client.closes();
        client = shard.aClient().knowsQueue("orders");
        consumer = backingOff(client, 60_000, 1, 60_000);
        client.publishes("orders", "m1").isSuccess();
        consumer.receives();
        consumer.rejects("m1").isSuccess();
        shard = shard.restarts();
        client = shard.aClient().knowsQueue("orders");
        consumer = client.consumes("orders").withCredit(100);
        assertThat(consumer.receives()).as("the first comes at once").containsExactly("m1");
    }

    @Test
    void shouldRefuseAConsumerThatSaysWhatCannotBe() {
        for (Backoff wrong : List.of(
                new Backoff(-2, 1, 0),
                new Backoff(Backoff.DELAY_MILLIS_MAX + 1, 1, 0),
                new Backoff(1, 0, 1),
                new Backoff(1, Backoff.MULTIPLIER_MAX + 1, 1),
                new Backoff(1, 1, -1),
                new Backoff(1, 1, Backoff.DELAY_MILLIS_MAX + 1))) {
            client.consumer("orders", SubscriptionKind.QUEUE, "")
                    .backingOff(wrong)
                    .attaches()
                    .isRefusedWith(ErrorCode.INVALID_REQUEST);
        }
    }

    @Test
    void shouldHoldUpItsGroupAndNoOtherWhileItWaits() {
        client.publishes("orders", Acks.ALL, Batches.of("a1").inGroup(7)).isSuccess();
        wasRejectedTwice("a1");
        client.publishes("orders", Acks.ALL, Batches.of("a2").inGroup(7)).isSuccess();
        client.publishes("orders", Acks.ALL, Batches.of("b1").inGroup(8)).isSuccess();
        assertThat(consumer.receives()).containsExactly("b1");
        shard.passes(Duration.ofSeconds(1));
        assertThat(consumer.receives()).containsExactly("a1", "a2");
    }

    @Test
    void shouldWaitAsLongAndHoldUpItsGroupAfterARestart() {
        client.publishes("orders", Acks.ALL, Batches.of("a1").inGroup(7)).isSuccess();
        client.publishes("orders", Acks.ALL, Batches.of("a2").inGroup(7)).isSuccess();
        client.publishes("orders", Acks.ALL, Batches.of("b1").inGroup(8)).isSuccess();
        consumer.receives();
        consumer.releases("a2", "b1");
        wasRejectedTwice("a1");
        for (boolean image : new boolean[] {true, false}) {
            shard = image ? shard.restarts() : shard.restartsWithoutImage();
            client = shard.aClient().knowsQueue("orders");
            consumer = client.consumes("orders").withCredit(100);
            assertThat(consumer.receives()).containsExactly("b1");
        }
        shard.passes(Duration.ofSeconds(1));
        assertThat(consumer.receives()).containsExactly("a1", "a2");
    }

    @Test
    void shouldBeHeldAgainByWhoComesBackWithIt() {
        client.publishes("orders", "m1").isSuccess();
        wasRejectedTwice("m1");
        comesAfter(Duration.ofSeconds(1), "m1");
        consumer.hasSeen(consumer.handed());
        client.vanishes();
        TestClient again = shard.aClient().knowsQueue("orders");
        TestConsumer back = again.consumer("orders", SubscriptionKind.QUEUE, "");
        back.attaches(consumer.held("m1")).isSuccess();
        shard.passes(Duration.ofSeconds(9));
        assertThat(back.receives()).isEmpty();
        assertThat(shard.agent().holdings("orders").timers()).isZero();
    }

    @Test
    void shouldNotCountWhatTheApplicationNeverSawHoweverOftenItVanishes() {
        client.publishes("orders", "m1", "m2", "m3").isSuccess();
        client.vanishes();
        for (int i = 0; i < 20; i++) {
            TestClient other = shard.aClient().knowsQueue("orders");
            other.consumes("orders").withCredit(3);
            other.vanishes();
        }
        TestConsumer last =
                shard.aClient().knowsQueue("orders").consumes("orders").withCredit(3);
        last.isRedelivered("m1", 2).isRedelivered("m2", 1).isRedelivered("m3", 1);
    }

    @Test
    void shouldTakeTheFirstPolicyThatMatches() {
        shard = aShard().with("redelivery-of", "orders=at-once:0 delay:5s,*=at-once:0 delay:1h")
                .started();
        client = shard.aClient().knowsQueue("orders").knowsQueue("other");
        consumer = client.consumes("orders").withCredit(10);
        client.publishes("orders", "m1").isSuccess();
        consumer.receives();
        consumer.rejects("m1").isSuccess();
        comesAfter(Duration.ofSeconds(5), "m1");
    }

    @Test
    void shouldHandOutNoMoreWhileTooManyWait() {
        shard = aShard().with("deliveries-max", "0")
                .with("redelivery-at-once", "0")
                .with("redelivery-delay", "1s")
                .with("timers-max", "16")
                .started();
        client = shard.aClient().knowsQueue("orders");
        consumer = client.consumes("orders").withCredit(10);
        String[] texts = IntStream.range(0, 40).mapToObj(i -> "m" + i).toArray(String[]::new);
        client.publishes("orders", texts).isSuccess();
        for (int i = 0; i < 2; i++) {
            List<String> ten = consumer.receives();
            assertThat(ten).hasSize(10);
            consumer.rejects(ten.toArray(String[]::new)).isSuccess();
            consumer.withCredit(10);
        }
        assertThat(consumer.receives()).as("twenty wait").isEmpty();
        consumer.drains(10);
        assertThat(consumer.drainsDone())
                .as("nobody waits for what does not come")
                .isOne();

        consumer.withCredit(10);
        shard.passes(Duration.ofSeconds(1));
        assertThat(consumer.receives()).containsExactly(Arrays.copyOf(texts, 10));
    }

    @Test
    void shouldNotWaitLongerThanTheLongestWaitWhenTheClockIsSetBack() {
        client.publishes("orders", "m1").isSuccess();
        wasRejectedTwice("m1");
        shard.setsClockBack(Duration.ofDays(1));
        shard = shard.restarts();
        consumer = shard.aClient().knowsQueue("orders").consumes("orders").withCredit(100);
        assertThat(consumer.receives()).isEmpty();
        comesAfter(Duration.ofSeconds(3), "m1");
    }
}
