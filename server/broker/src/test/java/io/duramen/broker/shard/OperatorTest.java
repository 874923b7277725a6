package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.CountDestinations;
import io.duramen.broker.shard.OperatorRequest.CountSubscriptions;
import io.duramen.broker.shard.OperatorRequest.DeleteDestination;
import io.duramen.broker.shard.OperatorRequest.DestinationCounts;
import io.duramen.broker.shard.OperatorRequest.DestinationEntry;
import io.duramen.broker.shard.OperatorRequest.DestinationPage;
import io.duramen.broker.shard.OperatorRequest.EndPrepared;
import io.duramen.broker.shard.OperatorRequest.FindStretches;
import io.duramen.broker.shard.OperatorRequest.ListDestinations;
import io.duramen.broker.shard.OperatorRequest.ListPrepared;
import io.duramen.broker.shard.OperatorRequest.ListSubscriptions;
import io.duramen.broker.shard.OperatorRequest.PreparedEntry;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.SubscriptionCounts;
import io.duramen.broker.shard.OperatorRequest.Sweep;
import io.duramen.broker.shard.OperatorRequest.Swept;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.Publish.Acks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an operator asks of a shard: lists, counts, and what is done by hand. */
class OperatorTest {
    private static final BranchId BRANCH =
            new BranchId(7, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[1]));

    private TestShard shard = aShard().started();
    private TestClient client = shard.aClient("shop").knowsQueue("orders").knowsTopic("news");

    private <A> A told(OperatorRequest<A> request) {
        CompletableFuture<A> answer = shard.asks(request);
        assertThat(answer).isCompleted();
        return answer.join();
    }

    private void isRefused(OperatorRequest<?> request, ErrorCode code) {
        assertThat(shard.asks(request))
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private static Target queue(String name) {
        return new Target.OfQueue(name);
    }

    private Swept sweep(Target target, String selector, Action action, int max) {
        List<Stretch> stretches = told(new FindStretches(target, ""));
        assertThat(stretches).hasSize(1);
        return told(new Sweep(target, stretches.get(0), selector, action, max));
    }

    private List<String> left(String queue) {
        TestClient reader = shard.aClient().knowsQueue(queue);
        List<String> texts = reader.consumes(queue).withCredit(100).receives();
        reader.vanishes();
        return texts;
    }

    private DestinationCounts counts(String name) {
        return told(new CountDestinations(List.of(name))).get(0);
    }

    @Test
    void shouldListDestinationsByPage() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            names.add("q.%02d".formatted(i));
            client.knowsQueue(names.get(i));
        }
        List<String> seen = new ArrayList<>();
        String after = "";
        do {
            DestinationPage page = told(new ListDestinations("q.*", after, 10));
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(10);
            page.entries().stream().map(DestinationEntry::name).forEach(seen::add);
            after = page.next();
        } while (!after.isEmpty());
        assertThat(seen).isEqualTo(names);
        isRefused(new ListDestinations("*", "", 0), ErrorCode.INVALID_REQUEST);
        isRefused(new ListDestinations("*", "", OperatorRequest.PAGE_MAX + 1), ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldCountWhatAQueueHas() {
        client.publishes("orders", "m1", "m2", "m3", "m4").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(3);
        consumer.receives();
        consumer.accepts("m2").isSuccess();
        assertThat(counts("orders")).isEqualTo(new DestinationCounts(3, 2, 1, 1));
        consumer.accepts("m1").isSuccess();
        assertThat(counts("orders")).isEqualTo(new DestinationCounts(2, 1, 1, 1));
        assertThat(counts("none")).isEqualTo(DestinationCounts.NONE);
        assertThat(shard.agent().counters().get(Counter.MESSAGES_STORED)).isEqualTo(4);
        assertThat(shard.agent().counters().get(Counter.MESSAGES_SETTLED)).isEqualTo(2);
        assertThat(shard.agent().counters().get(Counter.MESSAGES_HANDED_OUT)).isEqualTo(3);
        assertThat(shard.agent().counters().get(Counter.DESTINATIONS)).isEqualTo(2);
        assertThat(shard.agent().counters().get(Counter.LEADING)).isEqualTo(1);
        shard = shard.isKilledAndRestarts();
        assertThat(counts("orders").messages()).isEqualTo(2);
        assertThat(shard.agent().counters().get(Counter.MESSAGES_STORED)).isZero();
    }

    @Test
    void shouldListDurableSubscriptionsWithTheirBacklog() {
        client.subscribes("news", SubscriptionKind.SHARED_DURABLE, "archive");
        client.publishes("news", "m1", "m2").isSuccess();
        var page = told(new ListSubscriptions("ne*", 0, 10));
        assertThat(page.next()).isEqualTo(-1);
        assertThat(page.entries()).hasSize(1);
        var entry = page.entries().get(0);
        assertThat(entry.name()).isEqualTo("archive");
        assertThat(entry.clientId()).isEqualTo("shop");
        assertThat(told(new CountSubscriptions(List.of(entry.id(), 999))))
                .containsExactly(new SubscriptionCounts(2, 0, 1), SubscriptionCounts.NONE);
        assertThat(told(new ListSubscriptions("orders", 0, 10)).entries()).isEmpty();
    }

    @Test
    void shouldDeleteADestinationThatNobodyUses() {
        client.publishes("orders", "m1").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        isRefused(new DeleteDestination("orders"), ErrorCode.DESTINATION_IN_USE);
        consumer.receives();
        consumer.detaches().isSuccess();
        assertThat(told(new DeleteDestination("orders"))).isTrue();
        isRefused(new DeleteDestination("orders"), ErrorCode.DESTINATION_NOT_FOUND);
        shard = shard.losesPowerAndRestarts();
        assertThat(told(new ListDestinations("*", "", 10)).entries())
                .extracting(DestinationEntry::name)
                .containsExactly("news");
    }

    @Test
    void shouldKeepADestinationOfAPreparedBranch() {
        client.asks(new Prepare.Request(0, BRANCH, List.of(client.aSend("orders", "b1")), List.of()))
                .isSuccess();
        isRefused(new DeleteDestination("orders"), ErrorCode.DESTINATION_IN_USE);
    }

    @Test
    void shouldEndAPreparedBranchByHand() {
        client.as("someone")
                .asks(new Prepare.Request(0, BRANCH, List.of(client.aSend("orders", "b1", "b2")), List.of()))
                .isSuccess();
        assertThat(told(new ListPrepared()))
                .containsExactly(new PreparedEntry(BRANCH, shard.nowMillis(), "someone", 2, 0));
        shard = shard.losesPowerAndRestarts();
        assertThat(told(new EndPrepared(BRANCH, true))).isTrue();
        assertThat(told(new ListPrepared())).isEmpty();
        isRefused(new EndPrepared(BRANCH, true), ErrorCode.BRANCH_NOT_FOUND);
        shard = shard.losesPowerAndRestarts();
        assertThat(left("orders")).containsExactly("b1", "b2");
    }

    @Test
    void shouldDropWhatNobodyHolds() {
        client.publishes("orders", "m1", "m2", "m3", "m4", "m5").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        assertThat(consumer.receives()).containsExactly("m1");
        assertThat(sweep(queue("orders"), "", Action.DROP, 3)).isEqualTo(new Swept(3, 0, 4));
        assertThat(consumer.withCredit(9).receives()).containsExactly("m5");
        consumer.accepts("m1", "m5").isSuccess();
        shard = shard.losesPowerAndRestarts();
        assertThat(counts("orders").messages()).isZero();
    }

    @Test
    void shouldDropWhatWaitsForItsNextDelivery() {
        shard = aShard().with("redelivery-delay", "1h").started();
        client = shard.aClient().knowsQueue("orders");
        client.publishes("orders", "m1", "m2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        consumer.receives();
        consumer.rejects("m1").isSuccess();
        assertThat(sweep(queue("orders"), "", Action.DROP, 9)).isEqualTo(new Swept(2, 0, 2));
        shard.passes(java.time.Duration.ofHours(2));
        assertThat(consumer.withCredit(9).receives()).isEmpty();
        client.publishes("orders", "m3").isSuccess();
        assertThat(consumer.receives()).containsExactly("m3");
    }

    @Test
    void shouldDropBySelectorAndReadWhatIsNotInMemory() {
        client.publishes(
                        "orders",
                        Acks.ALL,
                        Batches.of("m1", "m2", "m3")
                                .each(text -> Records.aRecord().with("name", text)))
                .isSuccess();
        shard = shard.restarts();
        shard.log().readCold();
        List<Stretch> stretches = told(new FindStretches(queue("orders"), ""));
        CompletableFuture<Swept> answer =
                shard.asks(new Sweep(queue("orders"), stretches.get(0), "name <> 'm2'", Action.DROP, 100));
        assertThat(answer).isNotDone();
        shard.log().fetch();
        shard.run();
        assertThat(answer).isCompletedWithValue(new Swept(2, 0, 3));
        shard.log().flow();
        assertThat(left("orders")).containsExactly("m2");
        isRefused(new Sweep(queue("orders"), stretches.get(0), "name <", Action.DROP, 100), ErrorCode.INVALID_SELECTOR);
    }

    @Test
    void shouldDropTheBacklogOfADurableSubscription() {
        TestConsumer archive = client.subscribes("news", SubscriptionKind.DURABLE, "archive");
        client.subscribes("news", SubscriptionKind.SHARED_DURABLE, "other");
        client.publishes("news", "m1", "m2").isSuccess();
        assertThat(sweep(new Target.OfSubscription("shop", "archive"), "", Action.DROP, 100))
                .isEqualTo(new Swept(2, 0, 2));
        assertThat(archive.withCredit(9).receives()).isEmpty();
        assertThat(sweep(new Target.OfSubscription("shop", "other"), "", Action.DROP, 1))
                .isEqualTo(new Swept(1, 0, 1));
        assertThat(told(new FindStretches(new Target.OfSubscription("shop", "none"), "")))
                .isEmpty();
        isRefused(new FindStretches(queue("news"), ""), ErrorCode.DESTINATION_KIND_MISMATCH);
        isRefused(new FindStretches(queue("none"), "name <"), ErrorCode.INVALID_SELECTOR);
    }

    private void die(String... texts) {
        client.publishes(
                        "orders",
                        Acks.ALL,
                        Batches.of(texts).each(text -> Records.aRecord().withId(7, 8)))
                .isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(100);
        for (String text : texts) {
            consumer.refuses(text, "no").isSuccess();
        }
        consumer.detaches().isSuccess();
    }

    @Test
    void shouldSendDeadLettersBackAsTheyWere() {
        die("m1", "m2", "m3");
        assertThat(sweep(queue("DLQ.orders"), "JMS_Duramen_Origin = 'orders'", Action.SEND_BACK, 2))
                .isEqualTo(new Swept(2, 0, 2));
        shard = shard.losesPowerAndRestarts();
        assertThat(counts("DLQ.orders").messages()).isEqualTo(1);
        client = shard.aClient("shop").knowsQueue("orders");
        TestConsumer consumer = client.consumer("orders", SubscriptionKind.QUEUE, "")
                .selecting("JMS_Duramen_Origin IS NULL AND JMS_Duramen_CauseCode IS NULL"
                        + " AND JMSMessageID = 'ID:0000000000000007-8'");
        consumer.attaches().isSuccess();
        assertThat(consumer.withCredit(9).receives()).containsExactly("m1", "m2");
        consumer.isRedelivered("m1", 1);
    }

    @Test
    void shouldSkipDeadLettersThatHaveNoQueueToGoBackTo() {
        TestConsumer archive = client.subscribes("news", SubscriptionKind.DURABLE, "archive");
        client.publishes("news", "m1").isSuccess();
        archive.withCredit(9).refuses("m1", "no").isSuccess();
        assertThat(sweep(queue("DLQ.news"), "", Action.SEND_BACK, 9)).isEqualTo(new Swept(0, 1, 1));
        assertThat(counts("DLQ.news").messages()).isEqualTo(1);
        die("m2");
        assertThat(told(new DeleteDestination("orders"))).isTrue();
        assertThat(sweep(queue("DLQ.orders"), "", Action.SEND_BACK, 9)).isEqualTo(new Swept(0, 1, 1));
    }

    @Test
    void shouldSendBackOrSettleBothOrNeitherWheneverThePowerFails() {
        die("m1");
        shard.log().holdSyncs();
        Stretch stretch = told(new FindStretches(queue("DLQ.orders"), "")).get(0);
        assertThat(shard.asks(new Sweep(queue("DLQ.orders"), stretch, "", Action.SEND_BACK, 9)))
                .isNotDone();
        shard = shard.losesPowerAndRestarts();
        assertThat(left("orders").size() + left("DLQ.orders").size()).isEqualTo(1);
    }

    @Test
    void shouldSendNothingBackWhenTheDiskIsFull() {
        die("m1");
        shard.log().setFull(true);
        Stretch stretch = told(new FindStretches(queue("DLQ.orders"), "")).get(0);
        isRefused(new Sweep(queue("DLQ.orders"), stretch, "", Action.SEND_BACK, 9), ErrorCode.RESOURCE_EXHAUSTED);
        assertThat(told(new Sweep(queue("DLQ.orders"), stretch, "", Action.DROP, 9))
                        .done())
                .isEqualTo(1);
    }

    @Test
    void shouldRefuseChangesWhenTheLogHasStopped() {
        client.publishes("orders", "m1").isSuccess();
        Stretch stretch = told(new FindStretches(queue("orders"), "")).get(0);
        shard.log().fail("broken");
        shard.run();
        isRefused(new Sweep(queue("orders"), stretch, "", Action.DROP, 9), ErrorCode.SHARD_STOPPED);
        isRefused(new DeleteDestination("orders"), ErrorCode.SHARD_STOPPED);
        assertThat(counts("orders").messages()).isEqualTo(1);
        assertThat(shard.agent().counters().get(Counter.LOG_STOPPED)).isEqualTo(1);
    }
}
