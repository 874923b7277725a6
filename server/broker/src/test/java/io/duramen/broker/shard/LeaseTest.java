package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.TransactionOutcome;
import org.junit.jupiter.api.Test;

/** A leader that others may have succeeded hands out nothing, and says nothing of what they may know better. */
class LeaseTest {
    private final TestShard shard = aShard().started();
    private final TestClient client = shard.aClient().knowsQueue("orders");
    private final TestConsumer consumer = client.consumes("orders");

    @Test
    void shouldHandOutNothingWhileOthersMayLead() {
        client.publishes("orders", "m1").isSuccess();
        shard.log().setLeased(false);
        consumer.withCredit(10);
        assertThat(consumer.receives()).isEmpty();

        shard.log().setLeased(true);
        shard.run();
        assertThat(consumer.receives()).containsExactly("m1");
    }

    /** Goal: the transaction may have been committed by the other one; who is told that it was not sends it again. */
    @Test
    void shouldNotSayThatATransactionIsNotCommittedWhileOthersMayLead() {
        shard.log().setLeased(false);
        Answer outcome = client.asks(new TransactionOutcome.Request(0, 7, 0, 1));
        Answer sent = client.publishes("orders", "m1");
        outcome.isMissing();
        sent.isMissing();
        assertThat(shard.waiting()).isEqualTo(2);

        shard.log().setLeased(true);
        shard.run();
        assertThat(outcome.response(TransactionOutcome.Response.class).verdict())
                .isEqualTo(TransactionOutcome.Verdict.NOT_COMMITTED);
        sent.isSuccess();
    }
}
