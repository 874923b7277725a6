package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** When a publisher is answered, and with what. */
class PublishTest {
    private final TestShard shard = aShard().started();
    private final TestClient client = shard.aClient().knowsQueue("orders");
    private final TestConsumer consumer = client.consumes("orders").withCredit(100);

    @Test
    void shouldAnswerAllWhenOnDisk() {
        shard.log().holdSyncs();
        Answer answer = client.publishes("orders", Acks.ALL, Batches.of("m1"));
        answer.isMissing();
        assertThat(consumer.receives()).as("handed out before it is committed").isEmpty();
        shard.log().sync();
        shard.run();
        assertThat(answer.response(Publish.Response.class).baseOffset()).isZero();
        assertThat(consumer.receives()).containsExactly("m1");
    }

    @Test
    void shouldAnswerLeaderWhenWritten() {
        shard.log().holdWrites();
        shard.log().holdSyncs();
        Answer answer = client.publishes("orders", Acks.LEADER, Batches.of("m1"));
        answer.isMissing();
        shard.log().write();
        shard.run();
        answer.isSuccess();
        assertThat(consumer.receives()).containsExactly("m1");
    }

    /** A log of several nodes has entries of its own: the next that is appended stands further behind than the last did. */
    @Test
    void shouldNotAnswerBeforeItIsStoredWhenTheLogHasPutAnEntryOfItsOwnBeforeIt() {
        client.publishes("orders", "m1").isSuccess();
        shard.log().addsAnEntryOfItsOwn();
        shard.run();
        shard.log().holdSyncs();
        Answer all = client.publishes("orders", Acks.ALL, Batches.of("m2"));
        all.isMissing();
        shard.log().holdWrites();
        Answer leader = client.publishes("orders", Acks.LEADER, Batches.of("m3"));
        leader.isMissing();

        shard.log().write();
        shard.log().sync();
        shard.run();
        all.isSuccess();
        leader.isSuccess();
        assertThat(consumer.receives()).containsExactly("m1", "m2", "m3");
    }

    /** Behind what has yet to be on more disks, as all is in a cluster: its answer needs no more than this node, its delivery does. */
    @Test
    void shouldAnswerLeaderBeforeItIsCommittedAndHandItOutAfterwards() {
        shard.log().holdWrites();
        shard.log().holdSyncs();
        Answer all = client.publishes("orders", Acks.ALL, Batches.of("m1"));
        Answer leader = client.publishes("orders", Acks.LEADER, Batches.of("m2").by(7, 0, 0));
        leader.isMissing();
        shard.log().setLeased(false);
        shard.log().write();
        shard.run();
        leader.isMissing();
        shard.log().setLeased(true);
        shard.run();
        assertThat(leader.response(Publish.Response.class).baseOffset()).isEqualTo(1);
        client.publishes("orders", Acks.LEADER, Batches.of("m2").by(7, 0, 0)).isSuccess();
        all.isMissing();
        assertThat(consumer.receives()).isEmpty();

        shard.log().sync();
        shard.run();
        all.isSuccess();
        assertThat(consumer.receives()).containsExactly("m1", "m2");
    }

    @Test
    void shouldAnswerNothingWhenNoneIsAwaited() {
        client.publishes("orders", Acks.NONE, Batches.of("m1")).isMissing();
        assertThat(consumer.receives()).containsExactly("m1");
    }

    @Test
    void shouldTellOnceThatALongBatchIsInTheLogAndNeverOfOneThatIsNot() {
        String text = "x".repeat(SpareBuffers.LENGTH_MIN);
        Batches batch = Batches.of(text).by(7, 0, 0);
        client.publishes("orders", Acks.ALL, batch).isSuccess();
        assertThat(client.storedBatches()).hasSize(1);
        client.storedBatches().get(0).put(0, new byte[text.length()]);
        assertThat(consumer.receives()).containsExactly(text);
        client.publishes("orders", Acks.ALL, batch).isSuccess();
        client.publishes(99, Acks.ALL, Batches.of(text)).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        client.publishes("orders", Acks.ALL, Batches.of("short")).isSuccess();
        assertThat(client.storedBatches()).hasSize(1);
    }

    @Test
    void shouldTellARefusalWhenNoAnswerIsAwaited() {
        client.publishes(99, Acks.NONE, Batches.of("m1")).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldStoreOnceWhenACommittedBatchIsRepeated() {
        Batches batch = Batches.of("m1", "m2").by(7, 0, 0);
        client.publishes("orders", "before");
        client.publishes("orders", Acks.ALL, batch);
        long entries = shard.medium().lastIndex();
        Answer repeat = client.publishes("orders", Acks.ALL, batch);
        assertThat(repeat.response(Publish.Response.class).baseOffset()).isEqualTo(1);
        client.publishes("orders", Acks.LEADER, batch).isSuccess();
        assertThat(shard.medium().lastIndex()).isEqualTo(entries);
        assertThat(consumer.receives()).containsExactly("before", "m1", "m2");
    }

    @Test
    void shouldAnswerARepeatWithTheFirstWhenThatIsPending() {
        shard.log().holdSyncs();
        Batches batch = Batches.of("m1").by(7, 0, 0);
        Answer first = client.publishes("orders", Acks.ALL, batch);
        Answer repeat = client.publishes("orders", Acks.ALL, batch);
        first.isMissing();
        repeat.isMissing();
        shard.log().sync();
        shard.run();
        first.isSuccess();
        repeat.isSuccess();
        assertThat(consumer.receives()).containsExactly("m1");
    }

    @Test
    void shouldStoreOnceWhenABatchIsRepeatedAfterARestart() {
        Batches batch = Batches.of("m1").by(7, 0, 0);
        client.publishes("orders", Acks.ALL, batch).isSuccess();
        shard.isKilledAndRestarts();
        TestClient again = shard.aClient().knowsQueue("orders");
        again.publishes("orders", Acks.ALL, batch).isSuccess();
        assertThat(again.consumes("orders").withCredit(5).receives()).containsExactly("m1");
    }

    @Test
    void shouldRefuseWhenTheBatchIsDamaged() {
        ByteBuffer damaged = Batches.of("m1").batch();
        damaged.put(damaged.limit() - 1, (byte) 'X');
        client.asks(new Publish.Request(0, client.partitionOf("orders"), Acks.ALL, damaged))
                .isRefusedWith(ErrorCode.CORRUPT_BATCH);
        client.publishes("orders", Acks.ALL, Batches.of("a", "b").by(7, 0, Long.MAX_VALUE))
                .isRefusedWith(ErrorCode.CORRUPT_BATCH);
        assertThat(consumer.receives()).isEmpty();
    }

    @Test
    void shouldShareAnEntryWhenRequestsWaitTogether() {
        shard.paused();
        long before = shard.medium().lastIndex();
        for (int i = 0; i < 50; i++) {
            client.publishes("orders", "m" + i);
        }
        shard.resumed();
        assertThat(shard.medium().lastIndex()).isEqualTo(before + 1);
        assertThat(consumer.receives()).hasSize(50).startsWith("m0", "m1").endsWith("m49");
    }

    @Test
    void shouldLeaveRequestsInTheInboxWhenTooMuchIsUncommitted() {
        TestShard small = aShard().with("uncommitted-max", "1MiB").started();
        TestClient publisher = small.aClient().knowsQueue("orders");
        small.log().holdWrites();
        small.paused();
        String text = "x".repeat(300_000);
        for (int i = 0; i < 20; i++) {
            publisher.publishes("orders", text);
        }
        small.run();
        assertThat(small.waiting()).isEqualTo(16);
        small.log().flow();
        small.resumed();
        assertThat(small.waiting()).isZero();
        assertThat(publisher.consumes("orders").withCredit(100).receives()).hasSize(20);
    }
}
