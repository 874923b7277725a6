package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Queues that messages are moved to have a partition in every shard, also in those that come later. */
class MovesOverShardsTest {
    private List<String> left(TestNode node, String queue) {
        NodeClient reader = node.aClient().knowsQueue(queue);
        reader.consumes(queue, SubscriptionKind.QUEUE, "", 100);
        List<String> texts = reader.texts();
        reader.closes();
        return texts;
    }

    private static List<Integer> shards(NodeClient client, String queue) {
        return client.knowsQueue(queue).places(queue).stream()
                .map(PartitionRef::shard)
                .sorted()
                .toList();
    }

    private static void refuses(NodeClient client, String queue, String text) {
        PartitionRef place = client.place(queue);
        client.publishes(place, text).isSuccess();
        Map<Integer, Integer> consumers = client.consumes(queue, SubscriptionKind.QUEUE, "", 10);
        long offset = client.handed().get(client.handed().size() - 1).offset();
        client.asks(new Settle.Request(
                        place.shard(),
                        consumers.get(place.shard()),
                        place.partition(),
                        List.of(OffsetRange.of(offset)),
                        Settle.Outcome.REFUSED,
                        1,
                        true,
                        "no"))
                .isSuccess();
    }

    private static void expires(TestNode node, NodeClient client, String queue, String text) {
        PartitionRef place = client.knowsQueue(queue).place(queue);
        client.asks(new Publish.Request(
                        place.shard(),
                        place.partition(),
                        Acks.ALL,
                        Batches.of(text).expiringAt(1).batch()))
                .isSuccess();
    }

    @Test
    void shouldMoveInEveryShard() {
        TestNode node = TestNode.ofShards(3, 1).started();
        NodeClient client = node.aClient().knowsQueue("a").knowsQueue("b").knowsQueue("c");
        refuses(client, "b", "m1");
        refuses(client, "c", "m2");
        assertThat(left(node, "DLQ.b")).containsExactly("m1");
        assertThat(left(node, "DLQ.c")).containsExactly("m2");
        assertThat(shards(node.aClient(), "DLQ.c")).containsExactly(0, 1, 2);
    }

    @Test
    void shouldMoveWhatExpiresInShardsThatCameLater() {
        TestNode node =
                TestNode.ofShards(1, 2).with("expiry-destination", "expired").started();
        NodeClient client = node.aClient().knowsQueue("a").knowsQueue("DLQ.b").knowsQueue("parked");
        expires(node, client, "a", "m0");
        node.passes(Duration.ofSeconds(10));
        node = node.restartsWithShards(3);
        client = node.aClient();
        for (String queue : List.of("expired", "DLQ.b", "parked")) {
            assertThat(shards(client, queue)).as(queue).containsExactly(0, 1, 2);
        }
        expires(node, client.knowsQueue("b"), "b", "m1");
        expires(node, client.knowsQueue("c"), "c", "m2");
        assertThat(List.of(client.place("b").shard(), client.place("c").shard()))
                .containsExactly(1, 2);
        node.passes(Duration.ofSeconds(10));
        assertThat(left(node, "expired")).containsExactly("m0", "m1", "m2");
        refuses(client, "b", "m3");
        assertThat(left(node, "DLQ.b")).containsExactly("m3");
        node = node.isKilledAndRestarts();
        assertThat(left(node, "expired")).containsExactly("m0", "m1", "m2");
        node = node.restarts();
        assertThat(left(node, "DLQ.b")).containsExactly("m3");
    }

    @Test
    void shouldGiveTheFirstShardAPartitionWhereAQueueIsNamedLater() {
        TestNode node = TestNode.ofShards(2, 3).started();
        NodeClient client = node.aClient().knowsQueue("a").knowsQueue("late");
        PartitionRef place = client.place("late");
        assertThat(place.shard()).isEqualTo(1);
        client.publishes(place, "there before").isSuccess();
        node = node.with("expiry-destination", "late").restarts();
        client = node.aClient();
        assertThat(shards(client, "late")).containsExactly(0, 1);
        expires(node, client, "a", "m1");
        node.passes(Duration.ofSeconds(10));
        assertThat(left(node, "late")).containsExactly("m1", "there before");
        node = node.restarts().passes(Duration.ofSeconds(20));
        assertThat(left(node.restarts(), "late")).containsExactly("m1", "there before");
    }

    @Test
    void shouldKeepWhatExpiresWhileItCannotBeMoved() {
        TestNode node = TestNode.ofShards(2, 4).started();
        NodeClient client = node.aClient().knows("late", DestinationKind.TOPIC);
        node = node.with("expiry-destination", "late").restarts();
        client = node.aClient();
        expires(node, client, "a", "m1");
        expires(node, client, "b", "m2");
        node.passes(Duration.ofSeconds(10));
        assertThat(left(node, "a")).isEmpty();
        node = node.with("expiry-destination", "expired").restarts();
        node.passes(Duration.ofSeconds(10));
        assertThat(left(node, "expired")).containsExactly("m1", "m2");
    }

    @Test
    void shouldLeaveDedicatedShardsFree() {
        TestNode node = TestNode.ofShards(2, 5).with("dedicated", "hot").started();
        NodeClient client = node.aClient().knowsQueue("a");
        refuses(client, "a", "m1");
        assertThat(client.knowsQueue("hot").place("hot").shard()).isEqualTo(1);
    }
}
