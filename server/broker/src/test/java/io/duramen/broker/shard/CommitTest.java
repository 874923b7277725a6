package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.TransactionOutcome;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Local transactions: all or nothing, once. */
class CommitTest {
    private final TestShard shard = aShard().started();
    private final TestClient client =
            shard.aClient().knowsQueue("orders").knowsQueue("bills").knowsTopic("news");

    private TestConsumer orders() {
        client.publishes("orders", "m1", "m2");
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        return consumer;
    }

    @Test
    void shouldHappenInOneEntryWhenCommitted() {
        TestConsumer consumer = orders();
        TestConsumer bills = client.consumes("bills").withCredit(10);
        shard.log().holdSyncs();
        long before = shard.medium().lastIndex();
        Answer answer = client.commits(
                1,
                List.of(client.aSend("bills", "b1"), client.aSend("orders", "m3")),
                List.of(consumer.aSettlementOf("m1")));
        answer.isMissing();
        assertThat(bills.receives()).isEmpty();
        shard.log().sync();
        shard.run();
        answer.isSuccess();
        assertThat(shard.medium().lastIndex()).isEqualTo(before + 1);
        assertThat(bills.receives()).containsExactly("b1");
        assertThat(consumer.receives()).containsExactly("m3");
    }

    @Test
    void shouldHappenOnceWhenRepeated() {
        TestConsumer consumer = orders();
        TestConsumer bills = client.consumes("bills").withCredit(10);
        List<PartitionBatch> sends = List.of(client.aSend("bills", "b1"));
        List<ConsumerSettlement> settlements = List.of(consumer.aSettlementOf("m1"));
        client.commits(1, sends, settlements).isSuccess();
        client.commits(1, sends, settlements).isSuccess();
        client.commits(2, sends, List.of()).isSuccess();
        assertThat(bills.receives()).containsExactly("b1", "b1");
    }

    @Test
    void shouldAnswerBothWhenTheFirstIsPending() {
        shard.log().holdSyncs();
        Answer first = client.commits(1, List.of(client.aSend("bills", "b1")), List.of());
        Answer repeat = client.commits(1, List.of(client.aSend("bills", "b1")), List.of());
        repeat.isMissing();
        shard.log().sync();
        shard.run();
        first.isSuccess();
        repeat.isSuccess();
        assertThat(client.consumes("bills").withCredit(9).receives()).containsExactly("b1");
    }

    @Test
    void shouldChangeNothingWhenALeaseIsLost() {
        TestConsumer consumer = orders();
        consumer.accepts("m1").isSuccess();
        ShardImage before = shard.image();
        client.commits(1, List.of(client.aSend("bills", "b1")), List.of(consumer.aSettlementOf("m2", "m1")))
                .isRefusedWith(ErrorCode.LEASE_LOST);
        assertThat(shard.image()).isEqualTo(before);
        consumer.rejects("m2").isSuccess();
    }

    /** A client that was told of the rollback on a new connection must not find it done by what was left on the old one. */
    @Test
    void shouldStayRefusedWhenAnEarlierRequestIsReadLate() {
        TestConsumer consumer = orders();
        List<PartitionBatch> sends = List.of(client.aSend("bills", "b1"));
        List<ConsumerSettlement> settlements = List.of(consumer.aSettlementOf("m1"));
        Commit.Request request = new Commit.Request(0, 77, 0, 1, sends, settlements);
        shard.aClient().asks(request).isRefusedWith(ErrorCode.LEASE_LOST);
        client.asks(request).isRefusedWith(ErrorCode.LEASE_LOST);
        client.asks(new Commit.Request(0, 77, 0, 2, sends, settlements)).isSuccess();
    }

    private static TransactionOutcome.Request outcomeOf(long producerId, long sequence) {
        return new TransactionOutcome.Request(0, producerId, 0, sequence);
    }

    private static TransactionOutcome.Verdict verdict(Answer answer) {
        return answer.response(TransactionOutcome.Response.class).verdict();
    }

    @Test
    void shouldTellWhatBecameOfATransaction() {
        List<PartitionBatch> sends = List.of(client.aSend("bills", "b1"));
        client.asks(new Commit.Request(0, 77, 0, 1, sends, List.of())).isSuccess();
        assertThat(verdict(shard.aClient().asks(outcomeOf(77, 1)))).isEqualTo(TransactionOutcome.Verdict.COMMITTED);
        client.asks(new Commit.Request(0, 77, 0, 2, sends, List.of())).isSuccess();
        assertThat(verdict(client.asks(outcomeOf(77, 2)))).isEqualTo(TransactionOutcome.Verdict.COMMITTED);
        assertThat(verdict(client.asks(outcomeOf(77, 1)))).isEqualTo(TransactionOutcome.Verdict.FORGOTTEN);
        client.asks(outcomeOf(0, 1)).isRefusedWith(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldNotCommitWhatWasSaidNotToCommit() {
        List<PartitionBatch> sends = List.of(client.aSend("bills", "b1"));
        assertThat(verdict(shard.aClient().asks(outcomeOf(77, 1)))).isEqualTo(TransactionOutcome.Verdict.NOT_COMMITTED);
        ShardImage before = shard.image();
        client.asks(new Commit.Request(0, 77, 0, 1, sends, List.of())).isRefusedWith(ErrorCode.TRANSACTION_GIVEN_UP);
        assertThat(shard.image()).isEqualTo(before);
        assertThat(verdict(client.asks(outcomeOf(77, 1)))).isEqualTo(TransactionOutcome.Verdict.NOT_COMMITTED);
        client.asks(new Commit.Request(0, 77, 0, 2, sends, List.of())).isSuccess();
    }

    @Test
    void shouldTellTheLeaseIsLostWhenTheConsumerIsGone() {
        client.commits(1, List.of(), List.of(new ConsumerSettlement(77, 1, List.of(OffsetRange.of(0)))))
                .isRefusedWith(ErrorCode.LEASE_LOST);
    }

    @Test
    void shouldChangeNothingWhenABatchIsRefused() {
        TestConsumer consumer = orders();
        ShardImage before = shard.image();
        PartitionBatch good = client.aSend("bills", "b1");
        int sequence = 1;
        ByteBuffer damaged = Batches.of("x").batch();
        damaged.put(damaged.limit() - 1, (byte) 'y');
        for (PartitionBatch bad : List.of(
                new PartitionBatch(99, good.batch()),
                new PartitionBatch(good.partition(), Batches.of("x").by(5, 0, 0).batch()),
                new PartitionBatch(good.partition(), damaged))) {
            assertThat(client.commits(sequence++, List.of(good, bad), List.of(consumer.aSettlementOf("m1")))
                            .isThere())
                    .isTrue();
        }
        shard.log().setFull(true);
        client.commits(sequence++, List.of(good), List.of()).isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        assertThat(shard.image()).isEqualTo(before);
        client.commits(sequence, List.of(), List.of(consumer.aSettlementOf("m1")))
                .isSuccess();
    }

    @Test
    void shouldRefuseWhenItHasNoProducerOrSettlesTooMuch() {
        client.asks(new Commit.Request(0, 0, 0, 1, List.of(), List.of())).isRefusedWith(ErrorCode.INVALID_REQUEST);
        TestConsumer consumer = orders();
        ConsumerSettlement settlement =
                new ConsumerSettlement(consumer.id(), client.partitionOf("orders"), List.of(new OffsetRange(0, 1)));
        client.commits(1, List.of(), Collections.nCopies(150_000, settlement)).isRefusedWith(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldSettleAtCommitWhenTheSubscriptionIsNotDurable() {
        TestConsumer reader =
                client.subscribes("news", SubscriptionKind.EXCLUSIVE, "").withCredit(10);
        client.publishes("news", "n1");
        assertThat(reader.receives()).containsExactly("n1");
        shard.log().holdSyncs();
        Answer answer = client.commits(1, List.of(), List.of(reader.aSettlementOf("n1")));
        answer.isMissing();
        reader.accepts("n1");
        shard.log().sync();
        shard.run();
        answer.isSuccess();
        reader.drains(5);
        assertThat(reader.receives()).isEmpty();
    }
}
