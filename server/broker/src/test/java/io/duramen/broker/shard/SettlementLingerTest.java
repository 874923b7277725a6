package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.destination.Names;
import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Settle.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Settlements that nobody waits for share the write of what comes next. */
class SettlementLingerTest {
    private final TestShard shard = aShard().with("settlement-linger", "5ms").started();
    private final TestClient client = shard.aClient().knowsQueue("orders");
    private TestConsumer consumer;
    private long before;

    @BeforeEach
    void threeMessagesAreHandedOut() {
        client.publishes("orders", "m1", "m2", "m3");
        consumer = client.consumes("orders").withCredit(3);
        assertThat(consumer.receives()).containsExactly("m1", "m2", "m3");
        before = shard.log().status().lastIndex();
    }

    private long entries() {
        return shard.log().status().lastIndex() - before;
    }

    private Answer settlesSilently(Outcome outcome, String text) {
        return consumer.settles(outcome, false, consumer.rangesOf(text));
    }

    @Test
    void shouldAppendItWithTheNextMessageWhenOneComesInTime() {
        Answer answer = settlesSilently(Outcome.ACCEPTED, "m1");
        settlesSilently(Outcome.ACCEPTED, "m2");
        assertThat(entries()).isZero();
        client.publishes("orders", "m4");
        assertThat(entries()).isEqualTo(1);
        answer.isSuccess();
    }

    @Test
    void shouldAppendItAloneWhenNothingComesInTime() {
        Answer answer = settlesSilently(Outcome.ACCEPTED, "m1");
        shard.passes(Duration.ofMillis(4));
        answer.isMissing();
        shard.passes(Duration.ofMillis(1));
        assertThat(entries()).isEqualTo(1);
        answer.isSuccess();
    }

    @Test
    void shouldWaitNoLongerForLaterOnesWhenTheFirstIsDue() {
        settlesSilently(Outcome.ACCEPTED, "m1");
        shard.passes(Duration.ofMillis(4));
        settlesSilently(Outcome.ACCEPTED, "m2");
        shard.passes(Duration.ofMillis(1));
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void shouldNotLingerWhenTheApplicationWaitsOrTheDeliveryComesBack() {
        consumer.accepts("m1").isSuccess();
        assertThat(entries()).isEqualTo(1);
        settlesSilently(Outcome.REJECTED, "m2");
        assertThat(entries()).isEqualTo(2);
    }

    @Test
    void shouldAppendItWhenTheNodeStops() {
        settlesSilently(Outcome.ACCEPTED, "m1");
        shard.restarts();
        TestConsumer again =
                shard.aClient().knowsQueue("orders").consumes("orders").withCredit(3);
        assertThat(again.receives()).containsExactly("m2", "m3");
    }

    @Test
    void shouldDecideWhatWaitsForAChangeWhenThatIsCommittedThoughSettlementsLinger() {
        CreateTemporary.Request create =
                new CreateTemporary.Request(DestinationKind.TEMPORARY_QUEUE, Names.TEMPORARY_PREFIX + "a", 42);
        shard.log().holdWrites();
        Answer first = client.asks(create);
        settlesSilently(Outcome.ACCEPTED, "m1");
        Answer second = client.asks(create);
        shard.log().flow();
        shard.run();
        first.isSuccess();
        second.isSuccess();
        client.asks(new DeleteDestination.Request(create.name())).isSuccess();
        assertThat(shard.image().destinations()).hasSize(1);
    }
}
