package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardChanges;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What changed of the state is stored, and nothing waits for that. */
class StateKeepingTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final TestShard shard = aShard().with("metadata.slow-after", "30s").started();
    private final TestClient client = shard.aClient();

    private ShardChanges lastStored() {
        return shard.store().stored().get(shard.store().stored().size() - 1);
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
}
