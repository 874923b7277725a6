package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestBody.aBody;
import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.kit.TestBody;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An expired large message that is moved keeps its body where it is. */
class LargeExpiryTest {
    @Test
    void shouldKeepTheBodyWhenItsMessageMoves() {
        TestShard shard = aShard().with("expiry-destination", "expired").started();
        TestClient client = shard.aClient().knowsQueue("orders").knowsQueue("expired");
        int orders = client.partitionOf("orders");
        TestBody body = aBody(orders, 1).with(client, "abc").with(client, "de");
        client.publishes("orders", Acks.ALL, body.message().expiringAt(shard.nowMillis() + 1000))
                .isSuccess();
        shard.passes(Duration.ofSeconds(20));
        client.publishes("orders", "something new").isSuccess();
        shard.passes(Duration.ofSeconds(11));
        TestConsumer consumer = client.consumes("expired").withCredit(10);
        assertThat(consumer.deliveries()).hasSize(1);
        int expired = client.partitionOf("expired");
        assertThat(TestBody.textOf(body.isFetched(client, consumer.id(), expired, 0, 0)))
                .isEqualTo("abc");
        assertThat(TestBody.textOf(body.isFetched(client, FetchPart.BROWSER, expired, 0, 1)))
                .isEqualTo("de");
        assertThat(shard.log().neededFrom(Partition.partsId(orders))).isZero();
    }
}
