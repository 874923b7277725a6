package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.ChangeDestination;
import io.duramen.broker.shard.OperatorRequest.DeleteDestination;
import io.duramen.broker.shard.OperatorRequest.FindSettings;
import io.duramen.broker.shard.OperatorRequest.SettingEntry;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators change of a destination holds at once, while it is used, and whatever happens to the node. */
class ChangedSettingsTest {
    private TestShard shard = aShard().with("deliveries-max", "3")
            .with("redelivery-delay", "0s")
            .with("expiry-destination", "late")
            .started();
    private TestClient client = shard.aClient("shop").knowsQueue("orders").knowsTopic("news");

    private <A> A told(OperatorRequest<A> request) {
        CompletableFuture<A> answer = shard.asks(request);
        assertThat(answer).isCompleted();
        return answer.join();
    }

    private void changes(String settings) {
        assertThat(told(new ChangeDestination("orders", settings))).isTrue();
    }

    private SettingEntry setting(String key) {
        return told(new FindSettings("orders")).stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private List<String> all(String queue) {
        TestClient reader = shard.aClient().knowsQueue(queue);
        List<String> texts = reader.consumes(queue).withCredit(100).receives();
        reader.closes();
        return texts;
    }

    private void fails(TestConsumer consumer, String text, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(consumer.receives()).contains(text);
            consumer.rejects(text).isSuccess();
        }
    }

    @Test
    void shouldListWhatHoldsAndWhatOfItWasChanged() {
        assertThat(told(new FindSettings("orders")))
                .extracting(SettingEntry::changed)
                .containsOnly(false);
        changes("max:5  delay-max:90s expired:drop dedup-window:2h");
        assertThat(setting("max")).isEqualTo(new SettingEntry("max", "5", true));
        assertThat(setting("delay-max")).isEqualTo(new SettingEntry("delay-max", "90s", true));
        assertThat(setting("expired")).isEqualTo(new SettingEntry("expired", "drop", true));
        assertThat(setting("dedup-window")).isEqualTo(new SettingEntry("dedup-window", "2h", true));
        assertThat(setting("dead-letters")).isEqualTo(new SettingEntry("dead-letters", "DLQ.orders", false));
        changes("max: expired: at-once:7");
        assertThat(setting("max")).isEqualTo(new SettingEntry("max", "3", false));
        assertThat(setting("expired")).isEqualTo(new SettingEntry("expired", "late", false));
        assertThat(setting("at-once")).isEqualTo(new SettingEntry("at-once", "7", true));
        assertThat(setting("dedup-window").changed()).isTrue();
    }

    @Test
    void shouldCountDeliveriesByTheChangedMaximumWhileConsumersAreThere() {
        client.publishes("orders", "m1", "m2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(100);
        fails(consumer, "m1", 2);
        changes("max:5");
        fails(consumer, "m1", 2);
        assertThat(all("DLQ.orders")).isEmpty();
        changes("max:1 dead-letters:DLQ.all");
        fails(consumer, "m1", 1);
        consumer.rejects("m2").isSuccess();
        assertThat(consumer.receives()).isEmpty();
        assertThat(all("DLQ.all")).containsExactly("m1", "m2");
    }

    @Test
    void shouldWaitByTheChangedBackOff() {
        client.publishes("orders", "m1").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(100);
        changes("at-once:0 delay:10s");
        fails(consumer, "m1", 1);
        shard.passes(Duration.ofSeconds(9));
        assertThat(consumer.receives()).isEmpty();
        shard.passes(Duration.ofSeconds(2));
        assertThat(consumer.receives()).containsExactly("m1");
    }

    @Test
    void shouldSendWhatExpiresWhereItsDestinationSays() {
        String[] queues = {"", "late", "DLQ.late", ""};
        String[] settings = {"expired:drop", "expired:late", "expired:DLQ.late", "expired:drop"};
        for (int i = 0; i < queues.length; i++) {
            changes(settings[i]);
            client.publishes("orders", Acks.ALL, Batches.of("m" + i).expiringAt(shard.nowMillis() + 1000))
                    .isSuccess();
            shard.passes(Duration.ofSeconds(5));
        }
        assertThat(all("late")).containsExactly("m1");
        assertThat(all("DLQ.late")).containsExactly("m2");
        assertThat(all("orders")).isEmpty();
    }

    private List<String> stored(int from) {
        List<String> texts = all("orders");
        return texts.subList(from, texts.size());
    }

    @Test
    void shouldRememberDedupIdsByTheChangedWindow() {
        client.publishes("orders", Acks.ALL, Batches.of("a:1").withDedupIds()).isSuccess();
        shard.passes(Duration.ofSeconds(20));
        client.publishes("orders", Acks.ALL, Batches.of("a:2").withDedupIds()).isSuccess();
        assertThat(stored(0)).containsExactly("a:1");
        changes("dedup-window:10s");
        client.publishes("orders", Acks.ALL, Batches.of("a:3").withDedupIds()).isSuccess();
        assertThat(stored(0)).containsExactly("a:1", "a:3");
        shard = shard.restarts();
        client = shard.aClient().knowsQueue("orders");
        shard.passes(Duration.ofSeconds(11));
        client.publishes("orders", Acks.ALL, Batches.of("a:4").withDedupIds()).isSuccess();
        changes("dedup-window: dedup-ids:2");
        for (String text : List.of("b:5", "c:6", "a:7")) {
            client.publishes("orders", Acks.ALL, Batches.of(text).withDedupIds())
                    .isSuccess();
        }
        assertThat(stored(2)).containsExactly("a:4", "b:5", "c:6", "a:7");
    }

    @Test
    void shouldHoldWhateverHappensToTheNode() {
        client.publishes("orders", "m1").isSuccess();
        changes("max:2 dead-letters:DLQ.all");
        for (int way = 0; way < 4; way++) {
            shard = switch (way) {
                case 0 -> shard.losesPowerAndRestarts();
                case 1 -> shard.restarts();
                case 2 -> shard.restartsWithoutImage();
                default -> shard.isKilledAndRestarts();
            };
            assertThat(setting("max")).as("way %d", way).isEqualTo(new SettingEntry("max", "2", true));
        }
        TestConsumer consumer = shard.aClient().knowsQueue("orders").consumes("orders");
        fails(consumer.withCredit(100), "m1", 2);
        assertThat(all("DLQ.all")).containsExactly("m1");
    }

    /** The image has them beside the messages that came back: those must not leave by what the node's settings say. */
    @Test
    void shouldKeepWhatCameBackOftenAfterARestartWhereTheMaximumWasRaised() {
        client.publishes("orders", "m1").isSuccess();
        changes("max:9");
        fails(client.consumes("orders").withCredit(100), "m1", 5);
        client.closes();
        shard = shard.restarts();
        assertThat(all("DLQ.orders")).isEmpty();
        assertThat(all("orders")).containsExactly("m1");
    }

    @Test
    void shouldForgetWhatIsDeleted() {
        changes("max:9 dedup-ids:5");
        told(new DeleteDestination("orders"));
        assertThat(shard.image().facts()).isEmpty();
        client = shard.aClient().knowsQueue("orders");
        assertThat(setting("max")).isEqualTo(new SettingEntry("max", "3", false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "orders|max|'max' is no KEY:VALUE",
                "orders|\"\"|nothing is to be changed",
                "orders|max:many|'max:many' is no whole number of 0 to 1000000",
                "orders|delay:400d|longer than 365 days",
                "orders|delay:soon|is not a duration",
                "orders|partitions:4|partitions are added with addPartitions, and never taken away",
                "orders|kind:TOPIC|it is what it was made",
                "orders|window:9|of a destination can be changed: max, at-once, delay, multiplier",
                "orders|dedup-ids:0|no whole number of 1 to 500000000",
                "orders|dedup-window:10ms|none of 1s to 3650d",
                "orders|dead-letters:plain|'plain' is no queue for dead letters",
                "orders|expired:plain|'plain' is none of these",
                "DLQ.orders|max:4|it is for dead letters",
                "orders|acks:1|'acks:1' is neither client nor all",
                "news|keep:10ms|none of 1s to 36500d",
                "news|keep-size:0|is no size of at least one byte",
                "temp.1|max:4|a temporary destination has the node's settings",
            })
    void shouldRefuseWhatCannotBeChanged(String name, String settings, String why) {
        client.knowsQueue("DLQ.orders")
                .asks(new CreateTemporary.Request(DestinationKind.TEMPORARY_QUEUE, "temp.1", 7))
                .isSuccess();
        assertThat(shard.asks(new ChangeDestination(name, settings)))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                .withMessageContaining(why);
        assertThat(shard.image().facts()).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNotThere() {
        for (OperatorRequest<?> request : List.of(new ChangeDestination("none", "max:1"), new FindSettings("none"))) {
            assertThat(shard.asks(request))
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            ProtocolException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.DESTINATION_NOT_FOUND));
        }
    }

    @Test
    void shouldBeTheSameInAllShardsWheneverTheNodeDies() {
        for (String settings : List.of("max:1", "max:")) {
            for (long seed = 0; seed < 20; seed++) {
                TestNode node = TestNode.ofShards(3, seed)
                        .with("partitions", "3")
                        .withLazyDisks()
                        .started();
                node.aClient().knowsQueue("wide");
                node.asks(0, new ChangeDestination("wide", "max:7 multiplier:3"));
                node.run();
                node.asks(0, new ChangeDestination("wide", settings));
                node.dyingAt(ShardMessage.Define.class::isInstance).run();
                node = seed % 2 == 0 ? node.losesPowerAndRestarts() : node.isKilledAndRestarts();
                for (int index = 0; index < 3; index++) {
                    assertThat(node.image(index).facts())
                            .as("%s, seed %d, shard %d", settings, seed, index)
                            .isEqualTo(node.image(0).facts())
                            .hasSize(1);
                }
            }
        }
    }
}
