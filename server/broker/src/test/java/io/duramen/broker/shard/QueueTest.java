package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import org.junit.jupiter.api.Test;

/** A queue from publish to settlement. */
class QueueTest {
    private final TestShard shard = aShard().started();
    private final TestClient client = shard.aClient().knowsQueue("orders");

    @Test
    void shouldHandOutInOrderWhenAConsumerHasCredit() {
        client.publishes("orders", "m1", "m2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        client.publishes("orders", "m3").isSuccess();
        assertThat(consumer.receives()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void shouldNotHandOutAgainWhenSettled() {
        client.publishes("orders", "m1", "m2");
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        consumer.accepts("m1").isSuccess();
        client.closes();
        TestConsumer next =
                shard.aClient().knowsQueue("orders").consumes("orders").withCredit(10);
        assertThat(next.receives()).containsExactly("m2");
    }
}
