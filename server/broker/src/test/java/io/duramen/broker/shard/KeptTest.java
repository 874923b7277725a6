package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.Publish.Acks;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What producers are told where more nodes than a quorum have to have what they send. */
class KeptTest {
    private static final ByteBuffer NAME = ByteBuffer.wrap(new byte[] {1});

    private final TestShard shard = aShard().started();
    private final TestClient client = shard.aClient().knowsQueue("orders");
    private final TestConsumer consumer = client.consumes("orders").withCredit(100);

    @Test
    void shouldAnswerWhenAllThatHaveToHaveIt() {
        shard.log().setKept(shard.medium().lastIndex());
        Answer sent = client.publishes("orders", Acks.ALL, Batches.of("m1"));
        Answer committed = client.commits(1, List.of(client.aSend("orders", "m2")), List.of());
        Answer prepared = client.asks(prepare("m3"));
        sent.isMissing();
        committed.isMissing();
        prepared.isMissing();
        assertThat(consumer.receives()).as("committed").containsExactly("m1", "m2");

        shard.log().setKept(shard.medium().lastIndex());
        shard.run();
        sent.isSuccess();
        committed.isSuccess();
        prepared.isSuccess();
    }

    @Test
    void shouldAnswerWhatIsNotPersistentOrOnlySettlesWithoutWaitingForMore() {
        client.publishes("orders", "m1", "m2").isSuccess();
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        shard.log().setKept(shard.medium().lastIndex());

        client.publishes("orders", Acks.LEADER, Batches.of("m3")).isSuccess();
        consumer.accepts("m1").isSuccess();
        client.commits(1, List.of(), List.of(consumer.aSettlementOf("m2"))).isSuccess();
    }

    private void changes(String settings) {
        assertThat(shard.asks(new OperatorRequest.ChangeDestination("orders", settings)))
                .isCompleted();
    }

    @Test
    void shouldAnswerNobodyEarlierThanItsDestinationHasIt() {
        assertThat(shard.asks(new OperatorRequest.FindSettings("orders")).join())
                .contains(new OperatorRequest.SettingEntry("acks", "client", false));
        changes("acks:all");
        assertThat(shard.asks(new OperatorRequest.FindSettings("orders")).join())
                .contains(new OperatorRequest.SettingEntry("acks", "all", true));
        shard.log().setKept(shard.medium().lastIndex());
        Answer asked = client.publishes("orders", Acks.LEADER, Batches.of("m1"));
        asked.isMissing();
        shard.log().setKept(Long.MAX_VALUE);
        shard.run();
        asked.isSuccess();

        shard.log().setInSync(2);
        client.publishes("orders", Acks.LEADER, Batches.of("m2")).isRefusedWith(ErrorCode.TOO_FEW_IN_SYNC);
        shard.log().setInSync(3);
        shard.log().holdSyncs();
        client.publishes("orders", Acks.NONE, Batches.of("m3")).isMissing();
        assertThat(consumer.receives())
                .as("waits for no disk, as nobody is told")
                .containsExactly("m1", "m3");
        Answer unsynced = client.publishes("orders", Acks.LEADER, Batches.of("m4"));
        unsynced.isMissing();
        shard.log().sync();
        shard.run();
        unsynced.isSuccess();
    }

    @Test
    void shouldAnswerAsItsSenderAsksAgainWhenTheDestinationIsToldTo() {
        changes("acks:all");
        changes("acks:client");
        shard.log().holdSyncs();
        client.publishes("orders", Acks.LEADER, Batches.of("m1")).isSuccess();
        client.publishes("orders", Acks.ALL, Batches.of("m2")).isMissing();
        assertThat(consumer.receives()).containsExactly("m1");
    }

    @Test
    void shouldRefuseAtOnceWhatWouldWaitForANodeToComeBack() {
        client.publishes("orders", "m1", "m2").isSuccess();
        shard.log().setInSync(2);
        long before = shard.medium().lastIndex();

        client.publishes("orders", Acks.ALL, Batches.of("m3")).isRefusedWith(ErrorCode.TOO_FEW_IN_SYNC);
        client.commits(1, List.of(client.aSend("orders", "m4")), List.of()).isRefusedWith(ErrorCode.TOO_FEW_IN_SYNC);
        client.asks(prepare("m5")).isRefusedWith(ErrorCode.TOO_FEW_IN_SYNC);
        assertThat(shard.medium().lastIndex()).isEqualTo(before);
        assertThat(client.sent().toString())
                .contains("shard 0 is in sync on 2 of 3 nodes, and what is persistent has to be on 3");

        client.publishes("orders", Acks.LEADER, Batches.of("m6")).isSuccess();
        assertThat(consumer.receives()).containsExactly("m1", "m2", "m6");
        consumer.accepts("m1").isSuccess();
        shard.log().setInSync(3);
        client.publishes("orders", Acks.ALL, Batches.of("m7")).isSuccess();
        assertThat(consumer.receives()).containsExactly("m7");
    }

    @Test
    void shouldTellAProducerThatWaitsWhenANodeIsLostMeanwhile() {
        shard.log().setKept(shard.medium().lastIndex());
        Answer sent = client.publishes("orders", Acks.ALL, Batches.of("m1"));
        Answer committed = client.commits(1, List.of(client.aSend("orders", "m2")), List.of());
        shard.log().holdSyncs();
        Answer unsynced = client.publishes("orders", Acks.ALL, Batches.of("m3"));
        shard.log().setInSync(2);
        shard.run();
        sent.isRefusedWith(ErrorCode.KEPT_BY_TOO_FEW);
        committed.isMissing();
        unsynced.isMissing();

        shard.log().sync();
        shard.run();
        unsynced.isRefusedWith(ErrorCode.KEPT_BY_TOO_FEW);
        assertThat(consumer.receives()).containsExactly("m1", "m2", "m3");
        shard.log().setInSync(3);
        shard.log().setKept(Long.MAX_VALUE);
        shard.run();
        committed.isSuccess();
    }

    /** Goal: what was stored is not said to be refused. */
    @Test
    void shouldSayOfARepeatThatItIsStored() {
        Batches batch = Batches.of("m1").by(7, 0, 0);
        shard.log().setKept(shard.medium().lastIndex());
        client.publishes("orders", Acks.ALL, batch).isMissing();
        shard.log().setInSync(2);
        client.publishes("orders", Acks.ALL, batch).isRefusedWith(ErrorCode.KEPT_BY_TOO_FEW);

        shard.log().setInSync(3);
        shard.log().setKept(shard.medium().lastIndex());
        client.publishes("orders", Acks.ALL, batch).isSuccess();
        assertThat(consumer.receives()).containsExactly("m1");
    }

    private Prepare.Request prepare(String text) {
        return new Prepare.Request(0, new BranchId(7, NAME, NAME), List.of(client.aSend("orders", text)), List.of());
    }
}
