package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.Settle.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What clients see when the log stops, the disk is full or stored messages are damaged. */
class FaultTest {
    private final TestShard shard = aShard().with("uncommitted-max", "1MiB").started();
    private final TestClient client = shard.aClient().knowsQueue("orders");

    private TestConsumer aConsumerHoldingM1() {
        client.publishes("orders", "m1");
        return client.consumes("orders").withCredit(1);
    }

    @Test
    void shouldFailAllThatWaitWhenTheLogStops() {
        TestConsumer consumer = aConsumerHoldingM1();
        shard.log().holdWrites();
        List<Answer> waiting = new ArrayList<>();
        waiting.add(client.publishes("orders", "m2"));
        waiting.add(client.publishes("orders", Acks.LEADER, Batches.of("m3")));
        waiting.add(consumer.accepts("m1"));
        waiting.add(client.commits(1, List.of(client.aSend("orders", "m4")), List.of()));
        waiting.add(client.asks(new ResolveDestination.Request("new", DestinationKind.QUEUE, true)));
        waiting.add(client.consumer("orders", SubscriptionKind.QUEUE, "").attaches());
        shard.log().fail("EIO");
        shard.run();
        waiting.subList(0, 5).forEach(answer -> answer.isRefusedWith(ErrorCode.SHARD_STOPPED));
        waiting.get(5).isSuccess();
    }

    @Test
    void shouldRefuseAtOnceWhenTheLogHasStopped() {
        TestConsumer consumer = aConsumerHoldingM1();
        shard.log().fail("EIO");
        shard.run();
        client.publishes("orders", "m2").isRefusedWith(ErrorCode.SHARD_STOPPED);
        consumer.accepts("m1").isRefusedWith(ErrorCode.SHARD_STOPPED);
        client.commits(1, List.of(), List.of()).isRefusedWith(ErrorCode.SHARD_STOPPED);
        client.asks(new ResolveDestination.Request("new", DestinationKind.QUEUE, true))
                .isRefusedWith(ErrorCode.SHARD_STOPPED);
        TestConsumer drained = client.consumes("orders");
        drained.drains(1);
        assertThat(drained.drainsDone()).isEqualTo(1);
        consumer.detaches().isSuccess();
    }

    @Test
    void shouldStillAnswerWhenTheLogStoppedWithTheInboxHeldBack() {
        shard.log().holdWrites();
        client.publishes("orders", "x".repeat(1_100_000));
        Answer behind = client.publishes("orders", "m2");
        behind.isMissing();
        shard.log().fail("EIO");
        shard.run();
        behind.isRefusedWith(ErrorCode.SHARD_STOPPED);
    }

    @Test
    void shouldForgetWhatWasNotWrittenWhenItRestartsAfterAFailure() {
        aConsumerHoldingM1();
        shard.log().holdWrites();
        client.publishes("orders", "m2");
        shard.log().fail("EIO");
        shard.run();
        shard.isKilledAndRestarts();
        TestClient again = shard.aClient().knowsQueue("orders");
        again.publishes("orders", "m3").isSuccess();
        assertThat(again.consumes("orders").withCredit(5).receives()).containsExactly("m1", "m3");
    }

    @Test
    void shouldRefuseMessagesAndDefinitionsOnlyWhenTheDiskIsFull() {
        TestConsumer consumer = aConsumerHoldingM1();
        shard.log().setFull(true);
        client.publishes("orders", "m2").isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        client.asks(new ResolveDestination.Request("new", DestinationKind.QUEUE, true))
                .isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        consumer.rejects("m1").isSuccess();
        consumer.withCredit(1);
        consumer.accepts("m1").isSuccess();
        shard.log().setFull(false);
        client.publishes("orders", "m2").isSuccess();
        consumer.withCredit(1);
        assertThat(consumer.last("m2").offset()).isEqualTo(1);
    }

    @Test
    void shouldSendNobodyTheMessagesOfAnotherWhenALogIsDamaged() {
        client.knowsQueue("bills");
        client.publishes("orders", "m1");
        client.publishes("orders", "m2");
        client.publishes("bills", "b1");
        shard.medium().destroy(client.partitionOf("orders"), 1);
        TestConsumer orders = client.consumes("orders").withCredit(10);
        TestConsumer bills = client.consumes("bills").withCredit(10);
        assertThat(bills.receives()).containsExactly("b1");
        assertThat(orders.receives()).containsExactly("m1");
        orders.accepts("m1").isSuccess();
        orders.drains(1);
        assertThat(orders.drainsDone()).isEqualTo(1);
    }

    @Test
    void shouldStoreNoImageWhenTheAgentWasEndedByAnException() {
        client.publishes("orders", "m1");
        TestConsumer consumer = client.consumes("orders");
        shard.log().breakReads();
        long entries = shard.medium().lastIndex();
        assertThatThrownBy(() -> consumer.withCredit(1)).hasMessageContaining("broken");
        shard.restarts();
        assertThat(shard.store().stored()).isEmpty();
        assertThat(shard.medium().lastIndex()).isEqualTo(entries);
        assertThat(shard.aClient()
                        .knowsQueue("orders")
                        .consumes("orders")
                        .withCredit(1)
                        .receives())
                .containsExactly("m1");
    }

    @Test
    void shouldServeOthersWhenOneQueueHasToBeFetched() {
        client.knowsQueue("bills");
        client.publishes("orders", "m1");
        shard.log().readCold();
        TestConsumer orders = client.consumes("orders").withCredit(10);
        assertThat(orders.receives()).isEmpty();
        orders.settles(Outcome.RELEASED, false, List.of()).isSuccess();
        shard.log().fetch();
        shard.run();
        assertThat(orders.receives()).containsExactly("m1");
        assertThat(shard.log().reads()).isEqualTo(2);
    }
}
