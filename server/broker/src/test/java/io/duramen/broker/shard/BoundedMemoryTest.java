package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.subscription.Holdings;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.Collections;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/**
 * However deep the backlog, what dispatch keeps is bounded by settings. Method: the same load, ten times as deep, keeps
 * no more; all of it is delivered in the end.
 */
class BoundedMemoryTest {
    private static final int WINDOW = 64;
    private static final int TIMERS = 128;
    private static final int DEPTH = 20_000;
    private static final int BATCH = 100;

    private final TestShard shard = aShard().with("window", "" + WINDOW)
            .with("timers-max", "" + TIMERS)
            .with("groups-max", "32")
            .started();
    private final TestClient client = shard.aClient().knowsQueue("orders");

    private void backlog(IntConsumer publish) {
        for (int i = 0; i < DEPTH / BATCH; i++) {
            publish.accept(i);
        }
    }

    private Batches batch() {
        return Batches.of(Collections.nCopies(BATCH, "x").toArray(String[]::new));
    }

    private void publishes(Batches batch) {
        client.publishes("orders", Acks.ALL, batch).isSuccess();
        client.forgets();
    }

    private Holdings holdings() {
        return shard.agent().holdings("orders");
    }

    @Test
    void shouldKeepAWindowOfADeepBacklogWithPriorities() {
        backlog(i -> publishes(batch().withPriority(i % 10)));
        TestConsumer consumer = client.consumes("orders").silent().withCredit(1);
        assertThat(holdings().ready()).isLessThanOrEqualTo(2 * WINDOW);
        consumer.withCredit(DEPTH);
        assertThat(consumer.handed()).isEqualTo(DEPTH);
    }

    @Test
    void shouldKeepSomeTimesOfManyDelayedMessages() {
        backlog(i -> publishes(batch().deliveredAt(shard.nowMillis() + 1000 + i % 50)));
        TestConsumer consumer = client.consumes("orders").silent().withCredit(DEPTH);
        assertThat(consumer.handed()).isZero();
        assertThat(holdings().timers()).isLessThanOrEqualTo(TIMERS);
        for (int i = 0; i < 60; i++) {
            shard.passes(Duration.ofMillis(20));
            assertThat(holdings().ready()).isLessThanOrEqualTo(2 * WINDOW);
            assertThat(holdings().timers()).isLessThanOrEqualTo(TIMERS);
        }
        assertThat(consumer.handed()).isEqualTo(DEPTH);
    }

    @Test
    void shouldKeepAWindowOfGroupsWhoseConsumerTakesNothing() {
        TestConsumer stalled = client.consumes("orders").silent().withCredit(1);
        publishes(Batches.of("first").inGroup(1));
        backlog(i -> publishes(batch().inGroup(1 + i % 5)));
        TestConsumer other =
                shard.aClient().knowsQueue("orders").consumes("orders").silent().withCredit(DEPTH);
        assertThat(holdings().ready()).isLessThanOrEqualTo(2 * WINDOW);
        stalled.withCredit(DEPTH);
        assertThat(stalled.handed() + other.handed()).isEqualTo(DEPTH + 1);
        assertThat(holdings().groups()).isLessThanOrEqualTo(32);
    }
}
