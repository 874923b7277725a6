package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.InitProducer;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.protocol.frame.TransactionOutcome.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactional producers with a name: one incarnation at a time, each of which knows what those before it committed. */
class IdentityTest {
    private final TestShard shard = aShard().started();
    private TestClient client = shard.aClient().knowsQueue("orders").knowsQueue("bills");

    private Answer inits(String name, long incarnation) {
        return client.asks(new InitProducer.Request(0, name, incarnation, 1000 + incarnation));
    }

    private InitProducer.Response init(String name, long incarnation) {
        return inits(name, incarnation).response(InitProducer.Response.class);
    }

    private Answer commits(InitProducer.Response as, int number, String bill, ConsumerSettlement... settlements) {
        return client.asks(new Commit.Request(
                0,
                as.producerId(),
                as.epoch(),
                sequence(as, number),
                List.of(client.aSend("bills", bill)),
                List.of(settlements),
                "label of " + bill));
    }

    private static long sequence(InitProducer.Response as, int number) {
        return ((long) as.epoch() << 32) + number;
    }

    private Verdict verdict(InitProducer.Response as, int number) {
        return client.asks(new TransactionOutcome.Request(0, as.producerId(), as.epoch(), sequence(as, number)))
                .response(TransactionOutcome.Response.class)
                .verdict();
    }

    private void reconnects() {
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
    }

    private List<String> bills() {
        return client.consumes("bills").withCredit(50).receives();
    }

    @Test
    void shouldKeepItsProducerAndRaiseItsEpochWhenTakenOver() {
        InitProducer.Response first = init("mover", 1);
        assertThat(first).isEqualTo(new InitProducer.Response(1001, 1, 0, ""));
        assertThat(init("mover", 2)).isEqualTo(new InitProducer.Response(1001, 2, 0, ""));
        assertThat(init("other", 3)).isEqualTo(new InitProducer.Response(1003, 1, 0, ""));
    }

    @Test
    void shouldAnswerARepeatAsTheFirst() {
        InitProducer.Response first = init("mover", 1);
        assertThat(init("mover", 1)).isEqualTo(first);
        shard.log().holdSyncs();
        Answer taken = inits("mover", 2);
        Answer again = inits("mover", 2);
        again.isMissing();
        shard.log().sync();
        shard.run();
        assertThat(taken.response(InitProducer.Response.class).epoch()).isEqualTo(2);
        assertThat(again.response(InitProducer.Response.class).epoch()).isEqualTo(2);
    }

    @Test
    void shouldFenceTheEarlierIncarnation() {
        InitProducer.Response first = init("mover", 1);
        commits(first, 1, "b1").isSuccess();
        InitProducer.Response second = init("mover", 2);
        ShardImage before = shard.image();
        commits(first, 2, "b2").isRefusedWith(ErrorCode.PRODUCER_FENCED);
        assertThat(shard.image()).isEqualTo(before);
        commits(second, 1, "b3").isSuccess();
        commits(first, 3, "b4").isRefusedWith(ErrorCode.PRODUCER_FENCED);
        assertThat(bills()).containsExactly("b1", "b3");
    }

    /** From the moment on that the takeover is decided, not only once it is on disk. */
    @Test
    void shouldFenceWhileTheTakeoverIsOnItsWay() {
        InitProducer.Response first = init("mover", 1);
        shard.log().holdSyncs();
        Answer taken = inits("mover", 2);
        commits(first, 1, "b1").isRefusedWith(ErrorCode.PRODUCER_FENCED);
        shard.log().sync();
        shard.run();
        assertThat(taken.response(InitProducer.Response.class).lastSequence()).isZero();
        assertThat(bills()).isEmpty();
    }

    @Test
    void shouldRefuseTheEarlierOfTwoTakeoversThatAreOnTheirWay() {
        shard.log().holdSyncs();
        Answer first = inits("mover", 1);
        Answer second = inits("mover", 2);
        shard.log().sync();
        shard.run();
        first.isRefusedWith(ErrorCode.PRODUCER_FENCED);
        assertThat(second.response(InitProducer.Response.class).epoch()).isEqualTo(2);
    }

    /** The commit whose answer the earlier incarnation never got. */
    @Test
    void shouldTellTheNextIncarnationWhatCommittedLast() {
        InitProducer.Response first = init("mover", 1);
        shard.log().holdSyncs();
        commits(first, 1, "b1").isMissing();
        Answer taken = inits("mover", 2);
        taken.isMissing();
        shard.log().sync();
        shard.run();
        InitProducer.Response second = taken.response(InitProducer.Response.class);
        assertThat(second).isEqualTo(new InitProducer.Response(1001, 2, sequence(first, 1), "label of b1"));
        assertThat(verdict(first, 1)).isEqualTo(Verdict.COMMITTED);
        commits(first, 1, "b1").isSuccess();
        assertThat(bills()).containsExactly("b1");
    }

    @Test
    void shouldTellOutcomesOverEpochs() {
        InitProducer.Response first = init("mover", 1);
        commits(first, 1, "b1").isSuccess();
        commits(first, 2, "b2").isSuccess();
        InitProducer.Response second = init("mover", 2);
        assertThat(verdict(first, 3)).isEqualTo(Verdict.NOT_COMMITTED);
        assertThat(verdict(first, 2)).isEqualTo(Verdict.COMMITTED);
        assertThat(verdict(first, 1)).isEqualTo(Verdict.FORGOTTEN);
        assertThat(verdict(second, 1)).isEqualTo(Verdict.NOT_COMMITTED);
        commits(second, 1, "b3").isRefusedWith(ErrorCode.TRANSACTION_GIVEN_UP);
        commits(second, 2, "b4").isSuccess();
        assertThat(verdict(first, 2)).isEqualTo(Verdict.FORGOTTEN);
        assertThat(verdict(second, 2)).isEqualTo(Verdict.COMMITTED);
    }

    @Test
    void shouldCommitReceivedMessagesTogetherWithSentOnes() {
        client.publishes("orders", "m1", "m2");
        TestConsumer orders = client.consumes("orders").withCredit(10);
        InitProducer.Response first = init("mover", 1);
        commits(first, 1, "b1", orders.aSettlementOf("m1")).isSuccess();
        init("mover", 2);
        commits(first, 2, "b2", orders.aSettlementOf("m2")).isRefusedWith(ErrorCode.PRODUCER_FENCED);
        client.vanishes();
        reconnects();
        assertThat(client.consumes("orders").withCredit(10).receives()).containsExactly("m2");
        assertThat(bills()).containsExactly("b1");
    }

    private enum End {
        CLEAN,
        KILLED,
        POWER_LOST,
        WITHOUT_IMAGE
    }

    private void restarts(End end) {
        switch (end) {
            case CLEAN -> shard.restarts();
            case KILLED -> shard.isKilledAndRestarts();
            case POWER_LOST -> shard.losesPowerAndRestarts();
            case WITHOUT_IMAGE -> shard.restartsWithoutImage();
        }
        reconnects();
    }

    @Test
    void shouldSurviveEveryRestart() {
        InitProducer.Response last = init("mover", 1);
        List<String> billed = new ArrayList<>();
        for (End end : End.values()) {
            String bill = "b of " + end;
            commits(last, 1, bill).isSuccess();
            billed.add(bill);
            ShardImage before = shard.image();
            restarts(end);
            assertThat(shard.image().facts()).as(end.name()).isEqualTo(before.facts());
            commits(last, 1, bill).isSuccess();
            InitProducer.Response next = init("mover", 100 + end.ordinal());
            assertThat(next.lastSequence()).as(end.name()).isEqualTo(sequence(last, 1));
            restarts(end);
            commits(last, 2, "fenced").isRefusedWith(ErrorCode.PRODUCER_FENCED);
            last = next;
        }
        assertThat(bills()).containsExactlyElementsOf(billed);
    }

    @Test
    void shouldForgetIdentitiesThatNobodyUses() {
        InitProducer.Response idle = init("idle", 1);
        InitProducer.Response used = init("used", 2);
        shard.passes(Duration.ofDays(4));
        commits(used, 1, "b1").isSuccess();
        shard.passes(Duration.ofDays(4));
        commits(used, 2, "b2").isSuccess();
        assertThat(shard.image().facts()).hasSize(1);
        commits(idle, 1, "b3").isRefusedWith(ErrorCode.PRODUCER_FENCED);
        assertThat(init("idle", 3)).isEqualTo(new InitProducer.Response(1003, 1, 0, ""));
        commits(idle, 2, "b4").isRefusedWith(ErrorCode.PRODUCER_FENCED);
    }

    @Test
    void shouldBoundThemAndMakeRoomWhenTheyAreForgotten() {
        TestShard small = aShard().with("identities-max", "2").started();
        client = small.aClient();
        init("one", 1);
        init("two", 2);
        inits("three", 3).isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        assertThat(init("one", 4).epoch()).isEqualTo(2);
        small.passes(Duration.ofDays(8));
        assertThat(init("three", 3).epoch()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatIsNoneOfItsTransactions() {
        InitProducer.Response first = init("mover", 1);
        inits("", 1).isRefusedWith(ErrorCode.INVALID_REQUEST);
        inits("x".repeat(256), 1).isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.asks(new InitProducer.Request(0, "other", 1, 0)).isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.asks(new InitProducer.Request(0, "other", 1, 1001)).isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.asks(new Commit.Request(0, 1001, 0, 1, List.of(), List.of())).isRefusedWith(ErrorCode.PRODUCER_FENCED);
        client.asks(new Commit.Request(0, 1001, 1, 5, List.of(), List.of()))
                .isRefusedWith(ErrorCode.OUT_OF_ORDER_SEQUENCE);
        client.asks(new Commit.Request(0, 77, 3, 5, List.of(), List.of())).isRefusedWith(ErrorCode.PRODUCER_FENCED);
        client.asks(new Commit.Request(0, 1001, 1, sequence(first, 1), List.of(), List.of(), "x".repeat(1025)))
                .isRefusedWith(ErrorCode.INVALID_REQUEST);
    }
}
