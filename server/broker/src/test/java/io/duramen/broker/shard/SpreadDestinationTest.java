package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.Unsubscribe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Destinations and subscriptions that concern several shards. */
class SpreadDestinationTest {
    private static final int SHARDS = 3;

    private TestNode node =
            TestNode.ofShards(SHARDS, 1).with("partitions-of", "wide*=5").started();

    private void publishToAll(NodeClient client, String destination, String text) {
        int index = 0;
        for (PartitionRef place : client.places(destination)) {
            client.publishes(place, text + " " + index++).isSuccess();
        }
    }

    private static List<String> texts(String text) {
        return List.of(text + " 0", text + " 1", text + " 2", text + " 3", text + " 4");
    }

    @Test
    void shouldSpreadPartitionsOverTheEmptiestShards() {
        NodeClient client = node.aClient().knowsQueue("wide");

        assertThat(client.places("wide")).extracting(PartitionRef::shard).containsExactly(0, 1, 2, 0, 1);
        assertThat(client.knowsQueue("next").place("next").shard()).isEqualTo(2);
        assertThat(client.places("wide")).extracting(PartitionRef::partition).doesNotHaveDuplicates();
    }

    @Test
    void shouldMakeASubscriptionInEveryShardWhenOneOfThemHasNoRoomForAWhile() {
        NodeClient client = node.aClient().knows("wide topic", DestinationKind.TOPIC);
        node.log(1).setFull(true);

        Answer attached = client.says(new Attach.Request(
                0,
                1,
                "wide topic",
                DestinationKind.TOPIC,
                SubscriptionKind.SHARED_DURABLE,
                "kept",
                "",
                false,
                "",
                List.of()));
        node.run();
        attached.isMissing();
        node.log(1).setFull(false);
        node.passes(Duration.ofSeconds(1));

        attached.isSuccess();
        for (int shard = 1; shard < SHARDS; shard++) {
            client.attaches(shard, 1, "wide topic", SubscriptionKind.SHARED_DURABLE, "kept")
                    .isSuccess();
        }
    }

    @Test
    void shouldDeliverFromEveryShard() {
        NodeClient client = node.aClient().knowsQueue("wide");
        publishToAll(client, "wide", "m");

        client.consumes("wide", SubscriptionKind.QUEUE, "", 10);

        assertThat(client.texts()).isEqualTo(texts("m"));
    }

    @Test
    void shouldKeepADurableSubscriptionInEveryShardWhenItsConsumerIsAway() {
        NodeClient client = node.aClient("me").knows("wide", DestinationKind.TOPIC);
        client.consumes("wide", SubscriptionKind.DURABLE, "mine", 10);
        client.vanishes();
        publishToAll(node.aClient().knows("wide", DestinationKind.TOPIC), "wide", "m");
        node.isKilledAndRestarts();

        NodeClient again = node.aClient("me").knows("wide", DestinationKind.TOPIC);
        again.consumes("wide", SubscriptionKind.DURABLE, "mine", 10);

        assertThat(again.texts()).isEqualTo(texts("m"));
    }

    @Test
    void shouldLetOneConsumerHaveADurableSubscriptionWhateverItsShards() {
        NodeClient client = node.aClient("me").knows("wide", DestinationKind.TOPIC);
        client.consumes("wide", SubscriptionKind.DURABLE, "mine", 10);

        NodeClient other = node.aClient("me");

        other.attaches(0, 1, "wide", SubscriptionKind.DURABLE, "mine").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        other.asks(new Unsubscribe.Request("mine")).isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        client.vanishes();
        other.asks(new Unsubscribe.Request("mine")).isSuccess();
        for (int shard = 0; shard < SHARDS; shard++) {
            assertThat(node.image(shard).subscriptions()).isEmpty();
        }
    }

    @Test
    void shouldRefuseAConsumerElsewhereWhenTheCatalogueWasNotAsked() {
        node.aClient("me").knows("wide", DestinationKind.TOPIC);

        node.aClient("me")
                .attaches(1, 1, "wide", SubscriptionKind.DURABLE, "mine")
                .isRefusedWith(ErrorCode.SUBSCRIPTION_NOT_FOUND);
    }

    /** Goal: the grace is time to come back in, and nobody is let in while another shard still replays its log. */
    @Test
    void shouldKeepTemporaryDestinationsUntilClientsHaveHadTimeToComeBack() {
        Duration grace = Duration.ofSeconds(30);
        NodeClient client = node.aClient();
        client.asks(new CreateTemporary.Request(DestinationKind.TEMPORARY_QUEUE, "temp.one", 5))
                .isSuccess();
        node.withSleeping(1).isKilledAndRestarts();
        node.passes(grace.multipliedBy(10));
        assertThat(node.isSettled()).isFalse();

        node.awake();
        node.passes(grace.minusMillis(1));
        assertThat(node.image(0).destinations()).hasSize(1);
        node.passes(Duration.ofMillis(1));
        assertThat(node.image(0).destinations()).isEmpty();
    }

    @Test
    void shouldDeleteATemporaryDestinationInItsShard() {
        node.aClient().knowsQueue("first");
        NodeClient client = node.aClient();
        ResolveDestination.Response made = client.asks(
                        new CreateTemporary.Request(DestinationKind.TEMPORARY_QUEUE, "temp.one", 5))
                .response(ResolveDestination.Response.class);
        assertThat(made.partitions()).extracting(PartitionRef::shard).containsExactly(1);
        client.knowsTemporary("temp.one", made.partitions());
        client.consumes("temp.one", SubscriptionKind.QUEUE, "", 1);
        client.asks(new DeleteDestination.Request("temp.one")).isRefusedWith(ErrorCode.DESTINATION_IN_USE);

        client.closes();

        assertThat(node.image(0).destinations())
                .extracting(DestinationRow::name)
                .containsExactly("first");
        assertThat(node.image(1).destinations()).isEmpty();
    }

    @Test
    void shouldGiveADedicatedDestinationAShardOfItsOwn() {
        node = TestNode.ofShards(SHARDS, 1).with("dedicated", "hot,hotter").started();
        NodeClient client = node.aClient();
        for (int i = 0; i < 4; i++) {
            assertThat(client.knowsQueue("plain" + i).place("plain" + i).shard())
                    .isZero();
        }

        assertThat(client.knowsQueue("hot").place("hot").shard()).isEqualTo(2);
        assertThat(client.knowsQueue("hotter").place("hotter").shard()).isEqualTo(1);
        assertThat(client.knowsQueue("late").place("late").shard()).isZero();
    }

    @Test
    void shouldRefuseADedicatedDestinationWhenNoShardIsFree() {
        TestNode full = TestNode.ofShards(SHARDS, 1).started();
        full.aClient().knowsQueue("a").knowsQueue("b").knowsQueue("c");
        full.with("dedicated", "hot").restarts();

        full.aClient()
                .asks(new ResolveDestination.Request("hot", DestinationKind.QUEUE, true))
                .isRefusedWith(ErrorCode.NO_FREE_SHARD);
        assertThat(full.image(0).destinations()).hasSize(3);
    }

    @Test
    void shouldBringShardsInLineWhenTheNodeDiesWhileDefinitionsChange() {
        for (boolean power : new boolean[] {false, true}) {
            for (int nth = 1; nth <= 12; nth++) {
                for (long seed = 1; seed <= 10; seed++) {
                    dieAt(nth, power, seed);
                }
            }
        }
    }

    private static void dieAt(int nth, boolean power, long seed) {
        String what = "killed at message " + nth + (power ? ", without power" : "") + ", seed " + seed;
        SpreadDestinationTest run = new SpreadDestinationTest();
        run.node =
                TestNode.ofShards(SHARDS, seed).with("partitions-of", "wide*=5").started();
        int[] count = new int[1];
        run.node.withLazyDisks().dyingAt(message -> ++count[0] == nth);
        run.change();
        if (power) {
            run.node.losesPowerAndRestarts();
        } else {
            run.node.isKilledAndRestarts();
        }
        assertThat(run.node.isSettled()).as(what).isTrue();
        run.requireInLine(what);
        NodeClient client = run.node.aClient("me").knows("wide", DestinationKind.TOPIC);
        client.consumes("wide", SubscriptionKind.DURABLE, "other", 10);
        run.publishToAll(client, "wide", "m");
        assertThat(client.texts()).as(what).isEqualTo(texts("m"));
        run.requireInLine(what);
    }

    /** As far as the node lives. */
    private void change() {
        NodeClient client = node.aClient("me");
        client.says(new ResolveDestination.Request("wide", DestinationKind.TOPIC, true));
        node.run();
        client.says(new CreateTemporary.Request(DestinationKind.TEMPORARY_QUEUE, "temp.one", 5));
        client.says(attach());
        node.run();
        client.says(new DeleteDestination.Request("temp.one"));
        client.vanishes();
        node.aClient("me").says(new Unsubscribe.Request("mine"));
        node.run();
    }

    private static Record attach() {
        return new Attach.Request(
                0, 1, "wide", DestinationKind.TOPIC, SubscriptionKind.DURABLE, "mine", "", false, "", List.of());
    }

    private void requireInLine(String what) {
        ShardImage catalogue = node.image(0);
        for (int shard = 1; shard < SHARDS; shard++) {
            Map<String, List<Integer>> there = places(node.image(shard), shard);
            assertThat(there).as("%s, shard %d", what, shard).isEqualTo(places(catalogue, shard));
            List<SubscriptionRow> expected = new ArrayList<>(catalogue.subscriptions());
            expected.removeIf(row -> !there.containsKey(row.destination()));
            assertThat(node.image(shard).subscriptions())
                    .as("%s, shard %d", what, shard)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /** Ids of the partitions in the shard, by destination. */
    private static Map<String, List<Integer>> places(ShardImage image, int shard) {
        Map<String, List<Integer>> places = new TreeMap<>();
        for (DestinationRow destination : image.destinations()) {
            List<Integer> ids = destination.partitions().stream()
                    .filter(partition -> partition.home() == shard)
                    .map(partition -> partition.partition())
                    .toList();
            if (!ids.isEmpty()) {
                places.put(destination.name(), ids);
            }
        }
        return places;
    }
}
