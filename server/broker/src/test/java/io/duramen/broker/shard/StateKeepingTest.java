package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What changed of the state is stored, and nothing waits for that. */
class StateKeepingTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final TestShard shard = aShard().with("metadata.slow-after", "30s").started();
    private final TestClient client = shard.aClient();

    private ShardChanges lastStored() {
        return lastStored(shard);
    }

    private static ShardChanges lastStored(TestShard by) {
        return by.store().stored().get(by.store().stored().size() - 1);
    }

    @Test
    void shouldStoreOnlyWhatChangedWhenMuchIsThere() {
        for (int i = 0; i < 500; i++) {
            client.knowsQueue("queue." + i);
        }
        shard.passes(INTERVAL);
        assertThat(lastStored().destinations()).hasSize(500);
        client.publishes("queue.7", "m1");
        client.consumes("queue.7").withCredit(1).accepts("m1");
        shard.passes(INTERVAL);
        assertThat(lastStored().destinations()).isEmpty();
        assertThat(lastStored().partitions()).hasSize(1);
        assertThat(lastStored().cursors()).hasSize(1);
        assertThat(lastStored().size()).isLessThan(5);
        assertThat(shard.store().last()).contains(shard.image());
    }

    @Test
    void shouldStoreWhatWentWhenADestinationIsDeletedAndMadeAgain() {
        client.knowsTemporary("temp.a", DestinationKind.TEMPORARY_QUEUE, 9);
        client.knowsQueue("orders").publishes("orders", "m1");
        shard.passes(INTERVAL);
        client.asks(new DeleteDestination.Request("temp.a")).isSuccess();
        shard.passes(INTERVAL);
        assertThat(lastStored().removed().destinations()).containsExactly("temp.a");
        assertThat(shard.store().last()).contains(shard.image());
    }

    /** The store that fails has the destination as it was before: what it has got since must not go with it. */
    @Test
    void shouldStorePartitionsThatCameWhileAStoreThatFailsWasOnItsWay() {
        client.knowsQueue("orders").publishes("orders", "m1");
        shard.with("partitions-of", "orders=3");
        shard.medium().loseUnwritten();
        shard.store().forget();
        shard.open().log().holdWrites();
        shard.store().hold();
        shard.store().setFailing(true);
        shard.passes(INTERVAL);
        assertThat(lastStored().destinations()).hasSize(1);
        assertThat(lastStored().destinations().get(0).partitions()).hasSize(1);
        shard.log().flow();
        shard.run();
        assertThat(shard.image().destinations().get(0).partitions()).hasSize(3);

        shard.store().complete();
        shard.run();
        shard.store().setFailing(false);
        shard.passes(INTERVAL);
        shard.passes(INTERVAL);

        assertThat(shard.store().last()).contains(shard.image());
    }

    @Test
    void shouldServeAndTellOfItWhenTheStoreDoesNotAnswer() {
        client.knowsQueue("orders");
        shard.store().hold();
        shard.passes(INTERVAL);
        assertThat(shard.agent().stateKept().waitingNanos()).isZero();
        shard.passes(Duration.ofSeconds(31));
        assertThat(shard.agent().stateKept().slow()).isEqualTo(1);
        client.publishes("orders", "m1", "m2");
        client.consumes("orders").withCredit(2).accepts("m1");
        assertThat(shard.agent().stateKept().storedIndex()).isZero();
        assertThat(shard.agent().stateKept().snapshotIndex()).isZero();
        shard.store().complete();
        shard.passes(INTERVAL);
        assertThat(shard.store().last()).contains(shard.image());
        assertThat(shard.agent().stateKept().storedIndex())
                .isEqualTo(shard.image().appliedIndex());
        assertThat(shard.agent().stateKept().snapshotIndex()).isPositive();
    }

    @Test
    void shouldStoreAllOfItWhenTheStoreHasLostWhatItHad() {
        client.knowsQueue("orders").publishes("orders", "m1", "m2");
        shard.passes(INTERVAL);
        shard.store().forget();
        client.publishes("orders", "m3");
        shard.passes(INTERVAL);
        shard.passes(INTERVAL);
        assertThat(lastStored().whole()).isTrue();
        assertThat(shard.store().last()).contains(shard.image());
        assertThat(shard.agent().stateKept().failures()).isEqualTo(1);
    }

    /** As much log as makes a snapshot overdue, all of it settled. */
    private void growsTheLog(TestShard small, TestClient producer) {
        for (int i = 0; i < 3; i++) {
            producer.publishes("orders", "x".repeat(64 * 1024)).isSuccess();
        }
        small.passes(Duration.ofSeconds(1));
    }

    private TestShard small() {
        return aShard().with("metadata.slow-after", "30s")
                .with("metadata.snapshot-bytes", "64KiB")
                .with("metadata.rows-per-turn", "1")
                .started();
    }

    @Test
    void shouldLetSegmentsGoWhenTheStoreFailsForLong() {
        TestShard small = small();
        small.store().setFailing(true);
        TestClient producer = small.aClient().knowsQueue("orders").knowsQueue("bills");
        growsTheLog(small, producer);
        assertThat(small.log().releasedIndex()).isNegative();
        small.passes(INTERVAL); // the store fails
        growsTheLog(small, producer);
        long first = small.agent().stateKept().snapshotIndex();
        assertThat(first).isPositive();
        assertThat(small.log().releasedIndex()).isEqualTo(first);
        growsTheLog(small, producer);
        small.passes(INTERVAL);
        assertThat(small.agent().stateKept().snapshotIndex()).isGreaterThan(first);
        assertThat(small.agent().stateKept().heldBytes()).isLessThan(2 * 3 * 64 * 1024);
        assertThat(small.agent().stateKept().directSnapshots()).isGreaterThan(1);
        small.store().setFailing(false);
        small.passes(Duration.ofSeconds(130));
        assertThat(small.store().last()).contains(small.image());
        assertThat(small.agent().stateKept().storedIndex())
                .isEqualTo(small.image().appliedIndex());
    }

    @Test
    void shouldLetSegmentsGoWhenTheStoreDoesNotAnswer() {
        TestShard small = small();
        TestClient producer = small.aClient().knowsQueue("orders").knowsQueue("bills");
        small.store().hold();
        small.passes(INTERVAL);
        growsTheLog(small, producer);
        assertThat(small.log().releasedIndex()).isNegative();
        small.passes(Duration.ofSeconds(31));
        assertThat(small.agent().stateKept().directSnapshots()).isEqualTo(1);
        assertThat(small.log().releasedIndex()).isPositive();
        producer.publishes("bills", "b1").isSuccess();
        small.store().complete();
        small.passes(INTERVAL);
        small.passes(INTERVAL);
        assertThat(lastStored(small).whole()).isTrue();
        assertThat(small.store().last()).contains(small.image());
    }

    /** Rows are made in turns, and what changes meanwhile is not in them. */
    @Test
    void shouldHoldTheStateOfOneIndexWhenItIsTakenWithoutTheStore() {
        TestShard small = small();
        small.store().setFailing(true);
        TestClient producer = small.aClient().knowsQueue("orders").knowsQueue("bills");
        small.passes(INTERVAL);
        small.paused();
        Map<Long, ShardImage> images = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            producer.publishes(i % 2 == 0 ? "orders" : "bills", "x".repeat(16 * 1024));
            small.agent().doWork();
            images.put(small.image().appliedIndex(), small.image());
        }
        ShardImage direct = small.store().direct().orElseThrow();
        assertThat(direct).isEqualTo(images.get(direct.appliedIndex()));
        assertThat(direct.appliedIndex()).isLessThan(small.image().appliedIndex());
    }

    @Test
    void shouldNotBypassAStoreThatWorks() {
        TestShard small = small();
        TestClient producer = small.aClient().knowsQueue("orders").knowsQueue("bills");
        for (int i = 0; i < 10; i++) {
            growsTheLog(small, producer);
        }
        assertThat(small.agent().stateKept().directSnapshots()).isZero();
        assertThat(small.agent().stateKept().snapshotIndex()).isPositive();
    }
}
