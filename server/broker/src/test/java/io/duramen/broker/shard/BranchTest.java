package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.ListBranches;
import io.duramen.protocol.frame.Prepare;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Branches of distributed transactions: prepared, then committed or rolled back, whatever happens between. */
class BranchTest {
    private static final BranchId ONE = branch("one");
    private static final BranchId TWO = branch("two");

    private final TestShard shard = aShard().started();
    private TestClient client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
    private TestConsumer orders;

    private static BranchId branch(String name) {
        ByteBuffer bytes = ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
        return new BranchId(7, bytes, bytes);
    }

    private TestConsumer orders() {
        client.publishes("orders", "m1", "m2", "m3");
        orders = client.consumes("orders").withCredit(10);
        assertThat(orders.receives()).containsExactly("m1", "m2", "m3");
        return orders;
    }

    private Answer prepares(BranchId id, List<PartitionBatch> sends, ConsumerSettlement... settlements) {
        return client.asks(new Prepare.Request(0, id, sends, List.of(settlements)));
    }

    /** Sends b1 and accepts m1. */
    private void prepareOne() {
        TestConsumer consumer = orders();
        prepares(ONE, List.of(client.aSend("bills", "b1")), consumer.aSettlementOf("m1"))
                .isSuccess();
    }

    private Answer commits(BranchId id) {
        return client.asks(new EndBranch.Request(0, id, true));
    }

    private Answer rollsBack(BranchId id) {
        return client.asks(new EndBranch.Request(0, id, false));
    }

    private List<BranchId> listed() {
        return client.asks(new ListBranches.Request(0)).response(ListBranches.Response.class).branches().stream()
                .map(ListBranches.Prepared::branch)
                .toList();
    }

    private void reconnects() {
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
    }

    private List<String> left(String queue) {
        return client.consumes(queue).withCredit(20).receives();
    }

    @Test
    void shouldShowNothingUntilCommitted() {
        prepareOne();
        TestConsumer bills = client.consumes("bills").withCredit(10);
        assertThat(bills.receives()).isEmpty();
        commits(ONE).isSuccess();
        assertThat(bills.receives()).containsExactly("b1");
        client.closes();
        reconnects();
        assertThat(left("orders")).containsExactly("m2", "m3");
        assertThat(listed()).isEmpty();
    }

    /** Once prepared it can be committed, whatever others would store meanwhile. */
    @Test
    void shouldHaveRoomKeptUntilItIsCommitted() {
        prepareOne();
        shard.log().setRoom(600);
        client.publishes("orders", "m4").isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        commits(ONE).isSuccess();
        client.publishes("orders", "m4").isSuccess();
        assertThat(left("bills")).containsExactly("b1");
    }

    @Test
    void shouldKeepNoRoomOnceItIsRolledBack() {
        prepareOne();
        shard.log().setRoom(600);
        rollsBack(ONE).isSuccess();
        client.publishes("orders", "m4").isSuccess();
    }

    @Test
    void shouldBringBackWhatItAcceptedWhenRolledBack() {
        prepareOne();
        rollsBack(ONE).isSuccess();
        assertThat(orders.receives()).containsExactly("m1");
        orders.isRedelivered("m1", 2);
        assertThat(left("bills")).isEmpty();
    }

    @Test
    void shouldAnswerOnlyOnceItIsOnDisk() {
        shard.log().holdSyncs();
        Answer prepared = prepares(ONE, List.of(client.aSend("bills", "b1")));
        Answer committed = commits(ONE);
        prepared.isMissing();
        committed.isMissing();
        shard.log().sync();
        shard.run();
        prepared.isSuccess();
        shard.log().sync();
        shard.run();
        committed.isSuccess();
        assertThat(left("bills")).containsExactly("b1");
    }

    @Test
    void shouldHappenOnceWhenRepeated() {
        client.publishes("orders", "m1");
        Prepare.Request request = new Prepare.Request(0, ONE, List.of(client.aSend("bills", "b1")), List.of());
        client.asks(request).isSuccess();
        client.asks(request).isSuccess();
        assertThat(listed()).containsExactly(ONE);
        shard.log().holdSyncs();
        Answer first = commits(ONE);
        Answer repeat = commits(ONE);
        rollsBack(ONE).isRefusedWith(ErrorCode.INVALID_REQUEST);
        shard.log().sync();
        shard.run();
        first.isSuccess();
        repeat.isSuccess();
        commits(ONE).isRefusedWith(ErrorCode.BRANCH_NOT_FOUND);
        rollsBack(ONE).isRefusedWith(ErrorCode.BRANCH_NOT_FOUND);
        assertThat(left("bills")).containsExactly("b1");
    }

    @Test
    void shouldKeepItWhenItsConnectionIsLost() {
        prepareOne();
        client.vanishes();
        reconnects();
        assertThat(left("orders")).containsExactlyInAnyOrder("m2", "m3");
        assertThat(listed()).containsExactly(ONE);
        TestConsumer bills = client.consumes("bills").withCredit(10);
        commits(ONE).isSuccess();
        assertThat(bills.receives()).containsExactly("b1");
        shard.restarts();
        reconnects();
        assertThat(left("orders")).containsExactlyInAnyOrder("m2", "m3");
    }

    @Test
    void shouldKeepItOverEveryKindOfRestart() {
        prepareOne();
        List<Runnable> restarts = List.of(
                shard::restarts, shard::restartsWithoutImage, shard::isKilledAndRestarts, shard::losesPowerAndRestarts);
        for (Runnable restart : restarts) {
            ShardImage before = shard.image();
            restart.run();
            assertThat(shard.image()).isEqualTo(before);
            reconnects();
            assertThat(listed()).containsExactly(ONE);
            TestConsumer consumer = client.consumes("orders").withCredit(10);
            assertThat(consumer.receives()).containsExactly("m2", "m3");
            client.closes();
        }
        reconnects();
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        consumer.receives();
        rollsBack(ONE).isSuccess();
        assertThat(consumer.receives()).containsExactly("m1");
        shard.restartsWithoutImage();
        reconnects();
        assertThat(left("orders")).containsExactly("m1", "m2", "m3");
        assertThat(left("bills")).isEmpty();
    }

    /** What replay withholds after a restart nobody has held: it comes back to lanes that choose all the same. */
    @Test
    void shouldComeBackToConsumersThatSelectWhenRolledBackAfterARestart() {
        prepareOne();
        shard.isKilledAndRestarts();
        reconnects();
        TestConsumer selecting =
                client.consumer("orders", SubscriptionKind.QUEUE, "").selecting("JMSPriority >= 0");
        selecting.attaches();
        selecting.withCredit(10);
        assertThat(selecting.receives()).containsExactly("m2", "m3");
        rollsBack(ONE).isSuccess();
        assertThat(selecting.receives()).containsExactly("m1");
        selecting.isRedelivered("m1", 2);
    }

    @Test
    void shouldCommitAfterARestart() {
        prepareOne();
        shard.isKilledAndRestarts();
        reconnects();
        commits(ONE).isSuccess();
        shard.losesPowerAndRestarts();
        reconnects();
        assertThat(left("orders")).containsExactly("m2", "m3");
        assertThat(left("bills")).containsExactly("b1");
        assertThat(listed()).isEmpty();
    }

    @Test
    void shouldBeForgottenWhenItWasNotPreparedInTime() {
        TestConsumer consumer = orders();
        shard.log().holdSyncs();
        prepares(ONE, List.of(client.aSend("bills", "b1")), consumer.aSettlementOf("m1"));
        shard.losesPowerAndRestarts();
        reconnects();
        assertThat(listed()).isEmpty();
        commits(ONE).isRefusedWith(ErrorCode.BRANCH_NOT_FOUND);
        assertThat(left("orders")).containsExactly("m1", "m2", "m3");
    }

    @Test
    void shouldHoldUpNobodyElse() {
        prepareOne();
        orders.accepts("m2", "m3").isSuccess();
        client.publishes("orders", "m4").isSuccess();
        assertThat(orders.receives()).containsExactly("m4");
        prepares(TWO, List.of(client.aSend("bills", "b2")), orders.aSettlementOf("m4"))
                .isSuccess();
        commits(TWO).isSuccess();
        assertThat(listed()).containsExactly(ONE);
        assertThat(left("bills")).containsExactly("b2");
    }

    @Test
    void shouldRefuseWhatAnotherHolds() {
        TestConsumer consumer = orders();
        prepares(ONE, List.of(), consumer.aSettlementOf("m1")).isSuccess();
        prepares(TWO, List.of(), consumer.aSettlementOf("m1", "m2")).isRefusedWith(ErrorCode.LEASE_LOST);
        consumer.rejects("m2").isSuccess();
        assertThat(consumer.receives()).containsExactly("m2");
        prepares(TWO, List.of(new PartitionBatch(99, ByteBuffer.allocate(0))))
                .isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldEndWhatASubscriptionHasThatIsNotDurable() {
        for (boolean commit : new boolean[] {true, false}) {
            client.knowsTopic("news");
            TestConsumer news =
                    client.subscribes("news", SubscriptionKind.EXCLUSIVE, "").withCredit(10);
            client.publishes("news", "n1", "n2");
            assertThat(news.receives()).containsExactly("n1", "n2");
            prepares(ONE, List.of(), news.aSettlementOf("n1")).isSuccess();
            client.asks(new EndBranch.Request(0, ONE, commit)).isSuccess();
            if (commit) {
                assertThat(news.receives()).isEmpty();
            } else {
                assertThat(news.receives()).containsExactly("n1");
            }
            news.detaches().isSuccess();
        }
    }

    @Test
    void shouldCommitTheRestWhenADestinationIsGone() {
        client.knowsTemporary("temp.gone", DestinationKind.TEMPORARY_QUEUE, 5);
        prepares(ONE, List.of(client.aSend("temp.gone", "g1"), client.aSend("bills", "b1")))
                .isSuccess();
        client.asks(new DeleteDestination.Request("temp.gone")).isSuccess();
        commits(ONE).isSuccess();
        assertThat(left("bills")).containsExactly("b1");
    }

    @Test
    void shouldBelongToTheUserWhoPreparedItAndToAdmins() {
        client.as("ann");
        prepares(ONE, List.of(client.aSend("bills", "b1"))).isSuccess();
        for (int i = 0; i < 2; i++) {
            reconnects();
            client.as("bob");
            assertThat(listed()).isEmpty();
            commits(ONE).isRefusedWith(ErrorCode.NOT_AUTHORIZED);
            rollsBack(ONE).isRefusedWith(ErrorCode.NOT_AUTHORIZED);
            client.as(TestClient.ADMIN);
            assertThat(listed()).containsExactly(ONE);
            shard.isKilledAndRestarts();
        }
        reconnects();
        client.as("ann");
        assertThat(listed()).containsExactly(ONE);
        commits(ONE).isSuccess();
        prepares(TWO, List.of(client.aSend("bills", "b2"))).isSuccess();
        client.as(TestClient.ADMIN);
        rollsBack(TWO).isSuccess();
        assertThat(left("bills")).containsExactly("b1");
    }

    @Test
    void shouldNotTakeABranchForARepeatWhenItIsAnother() {
        prepares(ONE, List.of(client.aSend("bills", "b1"))).isSuccess();
        prepares(ONE, List.of(client.aSend("bills", "b2"))).isRefusedWith(ErrorCode.INVALID_REQUEST);
        List<PartitionBatch> same = List.of(client.aSend("bills", "b3"));
        prepares(TWO, same).isSuccess();
        client.as("bob");
        prepares(TWO, same).isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.as("anonymous");
        shard.log().holdSyncs();
        BranchId three = branch("three");
        Answer first = prepares(three, same);
        Answer repeat = prepares(three, same);
        Answer other = prepares(three, List.of());
        shard.log().sync();
        shard.run();
        first.isSuccess();
        repeat.isSuccess();
        other.isRefusedWith(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldRefuseWhenMoreArePreparedThanAListHolds() {
        for (int i = 0; i < BranchDecisions.BRANCHES_MAX; i++) {
            prepares(branch("b" + i), List.of()).isSuccess();
        }
        prepares(ONE, List.of()).isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        rollsBack(branch("b7")).isSuccess();
        prepares(ONE, List.of()).isSuccess();
        assertThat(listed()).hasSize(BranchDecisions.BRANCHES_MAX);
    }

    @Test
    void shouldRefuseWhenPreparedBranchesTakeTooMuch() {
        TestShard small = aShard().with("prepared-size", "1MiB").started();
        TestClient one = small.aClient().knowsQueue("orders");
        List<PartitionBatch> large = List.of(one.aSend("orders", "x".repeat(600_000)));
        one.asks(new Prepare.Request(0, ONE, large, List.of())).isSuccess();
        one.asks(new Prepare.Request(0, TWO, large, List.of())).isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        one.asks(new EndBranch.Request(0, ONE, false)).isSuccess();
        one.asks(new Prepare.Request(0, TWO, large, List.of())).isSuccess();
    }
}
