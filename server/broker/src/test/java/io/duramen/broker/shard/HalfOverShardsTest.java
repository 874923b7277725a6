package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.frame.ListHalves;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.PrepareHalf;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Half messages in shards without the catalogue: queues a, b and c lie in shards 0, 1 and 2. */
class HalfOverShardsTest {
    private static final HalfId ONE = new HalfId(1, 11);

    private final TestNode node = TestNode.ofShards(3, 1).started();
    private final NodeClient client =
            node.aClient().knowsQueue("a").knowsQueue("b").knowsQueue("c");

    private void prepares(String queue, String text) {
        int shard = client.place(queue).shard();
        client.asks(new PrepareHalf.Request(shard, ONE, "shop", 0, List.of(client.aSend(queue, text))))
                .isSuccess();
    }

    private List<String> left(String queue) {
        NodeClient reader = node.aClient().knowsQueue(queue);
        reader.consumes(queue, SubscriptionKind.QUEUE, "", 10);
        List<String> texts = reader.texts();
        reader.vanishes();
        return texts;
    }

    private String parked(int shard) {
        return client.asks(new ListHalves.Request(shard, 0))
                .response(ListHalves.Response.class)
                .halves()
                .get(0)
                .parked();
    }

    @Test
    void shouldBeSeenInItsShardOnceConfirmed() {
        prepares("b", "m1");
        assertThat(left("b")).isEmpty();
        client.asks(new EndHalf.Request(1, ONE, true)).isSuccess();
        assertThat(left("b")).containsExactly("m1");
    }

    @Test
    void shouldBeParkedInAQueueThatItsShardAskedFor() {
        prepares("b", "m1");
        node.passes(Duration.ofDays(1));
        assertThat(parked(1)).contains("queue 'parked'");
        assertThat(left("parked")).containsExactly("m1");
    }

    @Test
    void shouldBeParkedWhereAClientUsedTheQueueFirst() {
        prepares("c", "m1");
        client.knowsQueue("parked");
        assertThat(client.places("parked").stream().map(PartitionRef::shard)).containsExactly(0, 1, 2);
        node.passes(Duration.ofDays(1));
        assertThat(parked(2)).contains("queue 'parked'");
        assertThat(left("parked")).containsExactly("m1");
    }

    @Test
    void shouldWaitWhereTheQueueIsNone() {
        prepares("b", "m1");
        client.knows("parked", DestinationKind.TOPIC);
        node.passes(Duration.ofDays(1));
        node.passes(Duration.ofMinutes(1));
        assertThat(parked(1)).isEmpty();
    }
}
