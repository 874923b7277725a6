package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.ResolveDestination;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues and topics that stay. */
class DestinationTest {
    private final TestShard shard = aShard().with("destinations-max", "3").started();
    private final TestClient client = shard.aClient();

    private Answer resolve(String name, DestinationKind kind, boolean create) {
        return client.asks(new ResolveDestination.Request(name, kind, create));
    }

    @Test
    void shouldCreateOnceWhenTwoAskAtTheSameTime() {
        shard.log().holdSyncs();
        Answer first = resolve("orders", DestinationKind.QUEUE, true);
        Answer second = shard.aClient().asks(new ResolveDestination.Request("orders", DestinationKind.QUEUE, false));
        Answer other = resolve("orders", DestinationKind.TOPIC, true);
        first.isMissing();
        second.isMissing();
        shard.log().sync();
        shard.run();
        ResolveDestination.Response created = first.response(ResolveDestination.Response.class);
        assertThat(second.response(ResolveDestination.Response.class)).isEqualTo(created);
        assertThat(created.partitions()).hasSize(1);
        other.isRefusedWith(ErrorCode.DESTINATION_KIND_MISMATCH);
        assertThat(shard.image().destinations()).hasSize(1);
    }

    @Test
    void shouldRefuseWhenItMayNotBeCreated() {
        resolve("orders", DestinationKind.QUEUE, false).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        resolve("temp.x", DestinationKind.QUEUE, true).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        resolve("orders", DestinationKind.TEMPORARY_QUEUE, true).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        aShard().with("auto-create", "false")
                .started()
                .aClient()
                .asks(new ResolveDestination.Request("orders", DestinationKind.QUEUE, true))
                .isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        assertThat(shard.medium().lastIndex()).isZero();
    }

    @Test
    void shouldRefuseWhenTheNameIsBad() {
        for (String name : new String[] {null, "", "a\tb", "x".repeat(256)}) {
            resolve(name, DestinationKind.QUEUE, true).isRefusedWith(ErrorCode.INVALID_DESTINATION_NAME);
            client.asks(new DeleteDestination.Request(name)).isRefusedWith(ErrorCode.INVALID_DESTINATION_NAME);
            client.asks(new Attach.Request(
                            0, 1, name, DestinationKind.QUEUE, SubscriptionKind.QUEUE, "", "", false, "", List.of()))
                    .isRefusedWith(ErrorCode.INVALID_DESTINATION_NAME);
        }
    }

    @Test
    void shouldRefuseWhenTooManyExistOrAreOnTheirWay() {
        shard.log().holdSyncs();
        for (int i = 0; i < 3; i++) {
            resolve("q" + i, DestinationKind.QUEUE, true).isMissing();
        }
        resolve("q3", DestinationKind.QUEUE, true).isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        shard.log().flow();
        shard.run();
        resolve("q3", DestinationKind.QUEUE, true).isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        resolve("q2", DestinationKind.QUEUE, true).isSuccess();
    }

    @Test
    void shouldSpreadOverPartitionsWhenSoConfigured() {
        TestShard wide = aShard().with("partitions", "4").started();
        TestClient publisher = wide.aClient().knowsQueue("orders");
        for (int i = 0; i < 4; i++) {
            publisher
                    .publishes(publisher.partitionOf("orders", i), Acks.ALL, Batches.of("a" + i, "b" + i))
                    .isSuccess();
        }
        assertThat(publisher.consumes("orders").withCredit(4).receives())
                .as("one consumer")
                .hasSize(4);
        assertThat(publisher.consumes("orders").withCredit(8).receives())
                .as("another")
                .hasSize(4);
    }

    @Test
    void shouldRefuseDeletionWhenItIsNotTemporary() {
        client.knowsQueue("orders");
        client.asks(new DeleteDestination.Request("orders")).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldAnswerNotLeaderWhenTheLogIsBeingRecovered() {
        TestShard recovering = aShard().open();
        recovering.log().holdLead();
        TestClient early = recovering.aClient();
        early.asks(new ResolveDestination.Request("orders", DestinationKind.QUEUE, true))
                .isRefusedWith(ErrorCode.NOT_LEADER);
        recovering.log().flow();
        recovering.run();
        early.knowsQueue("orders");
    }
}
