package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle.Outcome;
import io.duramen.protocol.frame.Unsubscribe;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Images, and that state from an image and the log behind it is state from the log alone. */
class RestartTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final TestShard shard = aShard().started();

    /** A bit of everything that is hard state. */
    private void aBusyDay(String orders, String news) {
        TestClient client = shard.aClient("c1").knowsQueue(orders).knowsTopic(news);
        client.subscribes(news, SubscriptionKind.DURABLE, "away").detaches();
        client.subscribes(news, SubscriptionKind.SHARED_DURABLE, "gone").detaches();
        client.knowsTemporary("temp.a", DestinationKind.TEMPORARY_TOPIC, 9);
        client.publishes(orders, Acks.ALL, Batches.of("m1", "m2", "m3", "m4").by(7, 1, 0));
        client.publishes(news, Acks.LEADER, Batches.of("n1", "n2").by(8, 0, 5));
        TestConsumer consumer = client.consumes(orders).withCredit(4).hasSeen(3);
        consumer.accepts("m2");
        consumer.rejects("m3");
        client.commits(1, List.of(client.aSend(news, "n3")), List.of(consumer.aSettlementOf("m1")));
        client.asks(new Unsubscribe.Request("gone")).isSuccess();
        client.vanishes();
    }

    @Test
    void shouldHaveTheSameStateWhenRecoveredFromImageOrLog() {
        aBusyDay("orders", "news");
        shard.passes(INTERVAL);
        aBusyDay("bills", "sports");
        ShardImage before = shard.image();
        assertThat(shard.store().last()).isPresent().get().isNotEqualTo(before);
        shard.isKilledAndRestarts();
        assertThat(shard.image()).as("image and the log behind it").isEqualTo(before);
        shard.restartsWithoutImage();
        assertThat(shard.image()).as("log alone").isEqualTo(before);
        shard.restarts();
        assertThat(shard.image()).as("image of the clean end").isEqualTo(before);
        assertThat(shard.store().last()).contains(before);
    }

    @Test
    void shouldStoreAnImageWhenItsTimeHasComeAndSomethingChanged() {
        aBusyDay("orders", "news");
        assertThat(shard.store().stored()).isEmpty();
        shard.passes(INTERVAL);
        assertThat(shard.store().stored()).hasSize(1);
        assertThat(shard.log().releasedIndex()).isEqualTo(shard.image().appliedIndex());
        shard.passes(INTERVAL);
        assertThat(shard.store().stored()).hasSize(1);
    }

    @Test
    void shouldStoreAnImageWhenMuchWasAppended() {
        TestShard eager = aShard().with("metadata.flush-bytes", "1MiB").started();
        TestClient client = eager.aClient().knowsQueue("orders");
        client.publishes("orders", "x".repeat(1_100_000));
        int images = eager.store().stored().size();
        assertThat(eager.store().last()).contains(eager.image());
        eager.store().setFailing(true);
        client.publishes("orders", "x".repeat(1_100_000));
        client.publishes("orders", "m");
        assertThat(eager.store().stored()).as("one try").hasSize(images + 1);
        eager.store().setFailing(false);
        eager.passes(INTERVAL);
        assertThat(eager.store().last()).contains(eager.image());
    }

    @Test
    void shouldWaitWithAnImageWhenTheLogIsNotOnDisk() {
        TestClient client = shard.aClient().knowsQueue("orders");
        shard.log().holdSyncs();
        client.publishes("orders", Acks.LEADER, Batches.of("m1"));
        shard.passes(INTERVAL);
        assertThat(shard.store().stored()).isEmpty();
        assertThat(shard.agent().deadlineNanos()).as("no spinning until it is").isEqualTo(Long.MAX_VALUE);
        shard.log().sync();
        shard.run();
        assertThat(shard.store().last()).contains(shard.image());
    }

    @Test
    void shouldReleaseWhatNobodyNeedsWhenAnImageIsStored() {
        TestClient client = shard.aClient("c1").knowsQueue("orders").knowsTopic("news");
        client.publishes("orders", "m1", "m2", "m3");
        client.publishes("news", "n1");
        TestConsumer consumer = client.consumes("orders").withCredit(3);
        consumer.accepts("m1", "m3");
        client.subscribes("news", SubscriptionKind.EXCLUSIVE, "");
        client.publishes("news", "n2", "n3");
        shard.passes(INTERVAL);
        assertThat(shard.log().neededFrom(client.partitionOf("orders"))).isEqualTo(1);
        assertThat(shard.log().neededFrom(client.partitionOf("news"))).isEqualTo(1);
        assertThat(shard.log().neededFrom(99)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldNotReleaseWhatASettlementNotYetOnDiskMadeUnneeded() {
        TestClient client = shard.aClient().knowsQueue("orders");
        client.publishes("orders", "m1");
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        shard.store().hold();
        shard.passes(INTERVAL);
        shard.log().holdSyncs();
        consumer.settles(Outcome.ACCEPTED, false, consumer.rangesOf("m1"));
        shard.store().complete();
        assertThat(shard.log().neededFrom(client.partitionOf("orders"))).isZero();
        shard.losesPowerAndRestarts();
        assertThat(shard.aClient()
                        .knowsQueue("orders")
                        .consumes("orders")
                        .withCredit(1)
                        .receives())
                .containsExactly("m1");
    }

    @Test
    void shouldKeepNothingPerMessageWhenABacklogIsHuge() {
        TestClient client = shard.aClient().knowsQueue("orders");
        String[] texts = new String[1000];
        Arrays.fill(texts, "m");
        for (int i = 0; i < 200; i++) {
            client.publishes("orders", texts);
        }
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        assertThat(consumer.deliveries()).hasSize(10);
        assertThat(shard.image().cursors().get(0).settledBeyond().remaining()).isZero();
        consumer.withCredit(199_990);
        assertThat(consumer.deliveries()).as("leases-max").hasSize(100_000);
        consumer.settles(Outcome.ACCEPTED, true, List.of(new OffsetRange(0, 99_999)))
                .isSuccess();
        assertThat(consumer.deliveries()).hasSize(200_000);
        assertThat(shard.log().reads()).as("read in chunks").isLessThan(300);
    }
}
