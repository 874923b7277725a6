package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.ResolveDestination;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Destinations that get further partitions when the node starts. */
class GrowthTest {
    private static final int SHARDS = 3;
    private static final int CREDIT = 1000;

    private TestNode node = node(1);

    private static TestNode node(long seed) {
        return TestNode.ofShards(SHARDS, seed).with("partitions-of", "wide*=2").started();
    }

    private TestNode askingFor(String partitionsOf) {
        return node.with("partitions-of", partitionsOf);
    }

    private static ResolveDestination.Response resolved(NodeClient client, String name, DestinationKind kind) {
        return client.asks(new ResolveDestination.Request(name, kind, true))
                .response(ResolveDestination.Response.class);
    }

    private static void publishToAll(NodeClient client, String destination, String text) {
        int index = 0;
        for (PartitionRef place : client.places(destination)) {
            client.publishes(place, text + " " + index++).isSuccess();
        }
    }

    private static List<String> texts(String text, int partitions) {
        return IntStream.range(0, partitions).mapToObj(i -> text + " " + i).toList();
    }

    @Test
    void shouldAddPartitionsBehindThoseThatAreThereWhenMoreAreAskedFor() {
        NodeClient client = node.aClient().knowsQueue("wide");
        List<PartitionRef> before = client.places("wide");
        publishToAll(client, "wide", "before");

        askingFor("wide*=5").isKilledAndRestarts();

        NodeClient again = node.aClient().knowsQueue("wide");
        List<PartitionRef> after = again.places("wide");
        assertThat(after).hasSize(5).startsWith(before.toArray(PartitionRef[]::new));
        assertThat(after.stream().map(PartitionRef::shard).distinct())
                .as("consumers are attached there already")
                .containsExactlyInAnyOrderElementsOf(
                        before.stream().map(PartitionRef::shard).distinct().toList());
        publishToAll(again, "wide", "after");
        again.consumes("wide", SubscriptionKind.QUEUE, "", CREDIT);
        List<String> expected = new ArrayList<>(texts("after", 5));
        expected.addAll(texts("before", 2));
        assertThat(again.texts()).isEqualTo(expected);
    }

    @Test
    void shouldSpreadKeysOverTheFirstPartitionsWhateverComesLater() {
        resolved(node.aClient(), "wide", DestinationKind.QUEUE);
        for (String wanted : List.of("wide=3", "wide=3", "wide=64")) {
            askingFor(wanted).isKilledAndRestarts();
            assertThat(resolved(node.aClient(), "wide", DestinationKind.QUEUE).keyed())
                    .as(wanted)
                    .isEqualTo(2);
            node.restarts();
            assertThat(resolved(node.aClient(), "wide", DestinationKind.QUEUE).keyed())
                    .as("%s, from the metadata store", wanted)
                    .isEqualTo(2);
        }
        assertThat(resolved(node.aClient(), "next", DestinationKind.QUEUE).keyed())
                .isEqualTo(1);
    }

    @Test
    void shouldGiveDurableSubscriptionsNewPartitionsFromTheirBeginning() {
        NodeClient client = node.aClient("me").knows("wide topic", DestinationKind.TOPIC);
        client.consumes("wide topic", SubscriptionKind.DURABLE, "mine", CREDIT);
        client.vanishes();
        NodeClient other = node.aClient().knows("wide topic", DestinationKind.TOPIC);
        other.consumes("wide topic", SubscriptionKind.SHARED_DURABLE, "shared", CREDIT);

        askingFor("wide*=7").isKilledAndRestarts();
        publishToAll(node.aClient().knows("wide topic", DestinationKind.TOPIC), "wide topic", "m");
        node.isKilledAndRestarts();

        NodeClient again = node.aClient("me").knows("wide topic", DestinationKind.TOPIC);
        again.consumes("wide topic", SubscriptionKind.DURABLE, "mine", CREDIT);
        assertThat(again.texts()).isEqualTo(texts("m", 7));
        NodeClient sharing = node.aClient().knows("wide topic", DestinationKind.TOPIC);
        sharing.consumes("wide topic", SubscriptionKind.SHARED_DURABLE, "shared", CREDIT);
        assertThat(sharing.texts()).isEqualTo(texts("m", 7));
    }

    @Test
    void shouldKeepAllPartitionsWhenFewerAreAskedFor() {
        NodeClient client = node.aClient().knowsQueue("wide");
        publishToAll(client, "wide", "m");

        askingFor("other=3,wide=1").isKilledAndRestarts();
        NodeClient again = node.aClient().knowsQueue("wide");
        assertThat(again.places("wide")).isEqualTo(client.places("wide"));
        again.consumes("wide", SubscriptionKind.QUEUE, "", CREDIT);
        assertThat(again.texts()).isEqualTo(texts("m", 2));
    }

    @Test
    void shouldLeaveAloneWhatNoPatternNames() {
        node.aClient().knowsQueue("plain");
        node.with("partitions", "4").isKilledAndRestarts();
        assertThat(node.aClient().knowsQueue("plain").places("plain")).hasSize(1);
        assertThat(node.aClient().knowsQueue("next").places("next")).hasSize(4);
    }

    @Test
    void shouldGrowInEveryShardWhenTheNodeDiesMeanwhile() {
        for (boolean power : new boolean[] {false, true}) {
            for (int nth = 1; nth <= 8; nth++) {
                for (long seed = 1; seed <= 10; seed++) {
                    dieAt(nth, power, seed);
                }
            }
        }
    }

    private static void dieAt(int nth, boolean power, long seed) {
        String what = "killed at message " + nth + (power ? ", without power" : "") + ", seed " + seed;
        GrowthTest run = new GrowthTest();
        run.node = node(seed);
        NodeClient client = run.node.aClient().knowsQueue("wide");
        publishToAll(client, "wide", "before");
        run.node
                .aClient("me")
                .knows("wide topic", DestinationKind.TOPIC)
                .consumes("wide topic", SubscriptionKind.DURABLE, "mine", CREDIT);
        int[] count = new int[1];
        run.askingFor("wide*=6").withLazyDisks().startsDyingAt(message -> ++count[0] == nth);
        if (power) {
            run.node.losesPowerAndRestarts();
        } else {
            run.node.isKilledAndRestarts();
        }
        assertThat(run.node.isSettled()).as(what).isTrue();
        run.requireInLine(what);
        run.requireAllDelivered(what);
    }

    /** Shards learn of a destination, and that it has grown, one right after the other. */
    @Test
    void shouldGrowWhatOtherShardsHaveNotGotYetWhenTheNodeDiedAsItWasMade() {
        for (int nth = 1; nth <= 3; nth++) {
            for (long seed = 1; seed <= 20; seed++) {
                String what = "killed at message " + nth + ", seed " + seed;
                GrowthTest run = new GrowthTest();
                run.node = node(seed);
                int[] count = new int[1];
                int death = nth;
                run.node.withLazyDisks().dyingAt(message -> ++count[0] == death);
                run.node.aClient().says(new ResolveDestination.Request("wide", DestinationKind.QUEUE, true));
                run.node.run();
                run.askingFor("wide*=6").losesPowerAndRestarts();
                assertThat(run.node.isSettled()).as(what).isTrue();
                NodeClient client = run.node.aClient().knowsQueue("wide");
                run.requireInLine(what);
                publishToAll(client, "wide", "m");
                client.consumes("wide", SubscriptionKind.QUEUE, "", CREDIT);
                assertThat(client.texts()).as(what).isEqualTo(texts("m", 6));
            }
        }
    }

    private void requireAllDelivered(String what) {
        NodeClient client = node.aClient("me").knowsQueue("wide").knows("wide topic", DestinationKind.TOPIC);
        publishToAll(client, "wide", "after");
        publishToAll(client, "wide topic", "topic");
        client.consumes("wide", SubscriptionKind.QUEUE, "", CREDIT);
        client.consumes("wide topic", SubscriptionKind.DURABLE, "mine", CREDIT);
        List<String> expected = new ArrayList<>(texts("after", 6));
        expected.addAll(texts("before", 2));
        expected.addAll(texts("topic", 6));
        assertThat(client.texts()).as(what).isEqualTo(expected);
    }

    private void requireInLine(String what) {
        Map<String, List<Integer>> catalogue = places(node.image(0), -1);
        assertThat(catalogue.get("wide")).as(what).hasSize(6).doesNotHaveDuplicates();
        for (int shard = 1; shard < SHARDS; shard++) {
            assertThat(places(node.image(shard), shard))
                    .as("%s, shard %d", what, shard)
                    .isEqualTo(places(node.image(0), shard));
        }
    }

    /** Ids of the partitions in the shard, or in all with -1, by destination. */
    private static Map<String, List<Integer>> places(ShardImage image, int shard) {
        Map<String, List<Integer>> places = new TreeMap<>();
        for (DestinationRow destination : image.destinations()) {
            List<Integer> ids = destination.partitions().stream()
                    .filter(partition -> shard < 0 || partition.home() == shard)
                    .map(partition -> partition.partition())
                    .toList();
            if (!ids.isEmpty()) {
                places.put(destination.name(), ids);
            }
        }
        return places;
    }
}
