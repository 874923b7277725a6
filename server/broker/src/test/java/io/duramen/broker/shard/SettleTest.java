package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.Settle.Outcome;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How leases end. */
class SettleTest {
    private final TestShard shard = aShard().started();
    private final TestClient client = shard.aClient().knowsQueue("orders");
    private TestConsumer consumer;

    @BeforeEach
    void threeMessagesAreHandedOut() {
        client.publishes("orders", "m1", "m2", "m3");
        consumer = client.consumes("orders").withCredit(3);
        assertThat(consumer.receives()).containsExactly("m1", "m2", "m3");
    }

    private TestConsumer another() {
        return shard.aClient().knowsQueue("orders").consumes("orders").withCredit(10);
    }

    @Test
    void shouldAnswerOnceOnDiskWhenUrgent() {
        shard.log().holdSyncs();
        Answer urgent = consumer.accepts("m1");
        urgent.isMissing();
        shard.log().sync();
        shard.run();
        urgent.isSuccess();
    }

    @Test
    void shouldAnswerOnceOnDiskButCommitBeforeWhenNotUrgent() {
        shard.log().holdSyncs();
        Answer answer = consumer.settles(Outcome.REJECTED, false, consumer.rangesOf("m1"));
        answer.isMissing();
        assertThat(another().receives()).as("given back at commit").containsExactly("m1");
        shard.log().sync();
        shard.run();
        answer.isSuccess();
    }

    @Test
    void shouldCountTheDeliveryWhenRejectedAndNotWhenReleased() {
        consumer.rejects("m1").isSuccess();
        consumer.releases("m2").isSuccess();
        TestConsumer other = another();
        assertThat(other.receives()).containsExactly("m1", "m2");
        other.isRedelivered("m1", 2).isRedelivered("m2", 1);
    }

    @Test
    void shouldKeepTheOrderWhenMessagesComeBackWhileOthersArePublished() {
        shard.log().holdWrites();
        consumer.rejects("m1", "m2", "m3");
        TestConsumer other = another();
        client.publishes("orders", "m4");
        assertThat(other.receives()).isEmpty();
        shard.log().flow();
        shard.run();
        assertThat(other.receives()).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void shouldTellWhatIsStaleWhenAnotherHoldsItOrItIsSettled() {
        consumer.releases("m2").isSuccess();
        TestConsumer other = another();
        consumer.accepts("m1").isSuccess();
        Answer answer = consumer.accepts("m1", "m2", "m3");
        assertThat(answer.response(Settle.Response.class).stale()).containsExactly(new OffsetRange(0, 1));
        other.accepts("m2").isSuccess();
    }

    @Test
    void shouldAnswerWhenEverythingIsStaleAndTheLogIsIdle() {
        consumer.accepts("m1", "m2", "m3").isSuccess();
        Answer answer = consumer.accepts("m1");
        assertThat(answer.response(Settle.Response.class).stale()).containsExactly(OffsetRange.of(0));
    }

    @Test
    void shouldSettleOnceWhenTheSameOffsetIsNamedTwice() {
        Answer answer = consumer.rejects("m1", "m1");
        assertThat(answer.response(Settle.Response.class).stale()).containsExactly(OffsetRange.of(0));
        TestConsumer other = another();
        assertThat(other.receives()).containsExactly("m1");
        other.isRedelivered("m1", 2);
    }

    @Test
    void shouldRefuseWhenRangesAreHuge() {
        OffsetRange huge = new OffsetRange(0, Long.MAX_VALUE - 1);
        for (Outcome outcome : Outcome.values()) {
            consumer.settles(outcome, true, List.of(huge, huge)).isRefusedWith(ErrorCode.INVALID_REQUEST);
        }
        consumer.accepts("m1", "m2", "m3").isSuccess();
    }

    @Test
    void shouldTellStaleWhenTheOffsetsDoNotExistYet() {
        Answer answer = consumer.settles(Outcome.ACCEPTED, true, List.of(new OffsetRange(2, 5)));
        assertThat(answer.response(Settle.Response.class).stale()).containsExactly(new OffsetRange(3, 5));
        client.publishes("orders", "m4");
        assertThat(another().receives()).containsExactly("m4");
    }

    @Test
    void shouldRefuseWhenConsumerOrPartitionIsUnknown() {
        client.asks(new Settle.Request(0, 99, 1, List.of(), Outcome.ACCEPTED, 0, true))
                .isRefusedWith(ErrorCode.CONSUMER_NOT_FOUND);
        client.asks(new Settle.Request(0, consumer.id(), 99, List.of(), Outcome.ACCEPTED, 0, true))
                .isRefusedWith(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldNotHandOutAgainWhenTheSettlementIsPending() {
        shard.log().holdWrites();
        consumer.accepts("m1", "m2", "m3");
        client.vanishes();
        assertThat(another().receives()).isEmpty();
        shard.log().flow();
        shard.run();
        assertThat(another().receives()).isEmpty();
    }
}
