package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.HeldDeliveries;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Credit, drains, and what becomes of leases when a consumer leaves, vanishes or comes back. */
class ConsumerLifeTest {
    private final TestShard shard = aShard().with("redelivery-delay", "0s").started();
    private final TestClient client = shard.aClient().knowsQueue("orders");

    private TestConsumer another() {
        return shard.aClient().knowsQueue("orders").consumes("orders").withCredit(10);
    }

    @Test
    void shouldStopAtTheCreditWhenMoreIsThere() {
        client.publishes("orders", "m1", "m2", "m3", "m4");
        TestConsumer consumer = client.consumes("orders").withCredit(2);
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        consumer.withCredit(-5, -7);
        assertThat(consumer.receives()).isEmpty();
        consumer.withCredit(1);
        assertThat(consumer.receives()).containsExactly("m3");
        TestConsumer bytes = client.consumes("orders").withCredit(100, 1);
        assertThat(bytes.receives()).as("the last may exceed the bytes").containsExactly("m4");
    }

    @Test
    void shouldSpreadABacklogWhenConsumersWaitTogether() {
        shard.paused();
        TestConsumer one = client.consumer("orders", SubscriptionKind.QUEUE, "");
        TestConsumer two = client.consumer("orders", SubscriptionKind.QUEUE, "");
        one.attaches();
        two.attaches();
        one.withCredit(100);
        two.withCredit(100);
        for (int i = 0; i < 100; i++) {
            client.publishes("orders", "m" + i);
        }
        shard.resumed();
        assertThat(one.receives()).hasSize(50);
        assertThat(two.receives()).hasSize(50);
        assertThat(one.frames() + two.frames()).isLessThanOrEqualTo(4);
    }

    @Test
    void shouldEndADrainWhenNothingIsLeft() {
        TestConsumer consumer = client.consumes("orders");
        consumer.drains(5);
        assertThat(consumer.drainsDone()).isEqualTo(1);
        client.publishes("orders", "m1", "m2");
        assertThat(consumer.receives()).as("credit was taken back").isEmpty();
        consumer.drains(1);
        assertThat(consumer.receives()).containsExactly("m1");
        assertThat(consumer.drainsDone()).isEqualTo(2);
    }

    @Test
    void shouldWaitWithADrainWhenMessagesAreOnTheirWayBackOrFetched() {
        client.publishes("orders", "m1");
        TestConsumer holder = client.consumes("orders").withCredit(1);
        shard.log().holdWrites();
        holder.rejects("m1");
        TestConsumer consumer = client.consumes("orders");
        shard.log().readCold();
        consumer.drains(5);
        assertThat(consumer.drainsDone()).isZero();
        shard.log().flow();
        shard.run();
        shard.log().fetch();
        shard.run();
        assertThat(consumer.receives()).containsExactly("m1");
        assertThat(consumer.drainsDone()).isEqualTo(1);
    }

    @Test
    void shouldCountOnlyWhatWasSeenWhenItVanishes() {
        client.publishes("orders", "m1", "m2", "m3", "m4");
        TestConsumer consumer = client.consumes("orders").withCredit(4);
        consumer.hasSeen(1).withCredit(0);
        client.vanishes();
        TestConsumer next = another();
        assertThat(next.receives()).containsExactly("m1", "m2", "m3", "m4");
        next.isRedelivered("m1", 2);
        next.isRedelivered("m2", 2);
        next.isRedelivered("m3", 1);
    }

    @Test
    void shouldCountOnlyWhatWasSeenWhenItCloses() {
        client.publishes("orders", "m1", "m2");
        client.consumes("orders").withCredit(2).hasSeen(1).detaches().isSuccess();
        TestConsumer next = another();
        assertThat(next.receives()).containsExactly("m1", "m2");
        next.isRedelivered("m1", 2).isRedelivered("m2", 1);
    }

    @Test
    void shouldKeepWhatWasSeenWhenItDetachesSo() {
        client.publishes("orders", "m1", "m2", "m3");
        TestConsumer consumer = client.consumes("orders").withCredit(3).hasSeen(2);
        consumer.detachesKeepingSeen().isSuccess();
        TestConsumer next = another();
        assertThat(next.receives()).containsExactly("m3");
        consumer.accepts("m1").isSuccess();
        consumer.rejects("m2").isSuccess();
        assertThat(next.receives()).containsExactly("m2");
        consumer.attaches().isSuccess();
    }

    @Test
    void shouldGiveBackWhatADetachedConsumerKeptWhenTheConnectionEnds() {
        client.publishes("orders", "m1");
        client.consumes("orders").withCredit(1).hasSeen(1).detachesKeepingSeen();
        client.closes();
        assertThat(another().receives()).containsExactly("m1");
    }

    @Test
    void shouldHoldAgainWhenItComesBackAfterTheOldConnectionEnded() {
        client.publishes("orders", "m1", "m2", "m3");
        TestConsumer consumer = client.consumes("orders").withCredit(3).hasSeen(2);
        consumer.accepts("m1");
        HeldDeliveries held = consumer.held("m1", "m2");
        shard.log().holdWrites();
        client.vanishes();
        TestClient again = shard.aClient().knowsQueue("orders");
        TestConsumer returned = again.consumer("orders", SubscriptionKind.QUEUE, "");
        Answer answer = returned.attaches(held);
        shard.log().flow();
        shard.run();
        assertThat(answer.response(Attach.Response.class).lost())
                .containsExactly(new HeldDeliveries(held.partition(), List.of(OffsetRange.of(0))));
        TestConsumer other = another();
        assertThat(other.receives()).containsExactly("m3");
        again.closes();
        assertThat(other.receives()).containsExactly("m2");
    }

    @Test
    void shouldHoldAgainWhenTheShardRestarted() {
        client.publishes("orders", "m1", "m2");
        TestConsumer consumer = client.consumes("orders").withCredit(2);
        HeldDeliveries held = consumer.held("m2");
        shard.isKilledAndRestarts();
        TestClient again = shard.aClient().knowsQueue("orders");
        TestConsumer returned = again.consumer("orders", SubscriptionKind.QUEUE, "");
        assertThat(returned.attaches(held).response(Attach.Response.class).lost())
                .isEmpty();
        assertThat(another().receives()).containsExactly("m1");
    }

    @Test
    void shouldChangeNothingWhenTooMuchIsClaimed() {
        TestConsumer consumer = client.consumer("orders", SubscriptionKind.QUEUE, "");
        HeldDeliveries huge = new HeldDeliveries(
                client.partitionOf("orders"), List.of(new OffsetRange(0, Long.MAX_VALUE - 1), OffsetRange.of(7)));
        consumer.attaches(huge).isRefusedWith(ErrorCode.INVALID_REQUEST);
        consumer.attaches(new HeldDeliveries(77, List.of(OffsetRange.of(7)))).isSuccess();
    }

    @Test
    void shouldHoldNoMoreThanAllowedWhenCreditIsWide() {
        TestShard narrow = aShard().with("leases-max", "2").started();
        TestClient user = narrow.aClient().knowsQueue("orders");
        user.publishes("orders", "m1", "m2", "m3");
        TestConsumer consumer = user.consumes("orders").withCredit(100);
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        consumer.accepts("m1");
        consumer.withCredit(0);
        assertThat(consumer.receives()).containsExactly("m3");
    }

    @Test
    void shouldGoOnWhenSettlingMadeRoomForLeases() {
        TestShard narrow = aShard().with("leases-max", "2").started();
        TestClient user = narrow.aClient().knowsQueue("orders");
        user.publishes("orders", "m1", "m2", "m3");
        TestConsumer consumer = user.consumes("orders").withCredit(100);
        consumer.receives();
        consumer.accepts("m1", "m2");
        assertThat(consumer.receives()).containsExactly("m3");
    }

    @Test
    void shouldDropWhatIsExpiredWhenItsTurnComes() {
        client.publishes("orders", Acks.ALL, Batches.of("old").expiringAt(shard.nowMillis() + 1000));
        client.publishes("orders", "m2");
        shard.passes(Duration.ofSeconds(1));
        assertThat(another().receives()).containsExactly("m2");
        assertThat(shard.image().cursors().get(0).settledBelow()).isEqualTo(1);
        shard.isKilledAndRestarts();
        assertThat(another().receives()).containsExactly("m2");
    }

    @Test
    void shouldIgnoreCreditWhenNoSuchConsumerIsAttached() {
        client.says(new Credit.Push(0, 99, 5, 5, 0, true));
        assertThat(client.handledFrames()).isEqualTo(2);
    }
}
