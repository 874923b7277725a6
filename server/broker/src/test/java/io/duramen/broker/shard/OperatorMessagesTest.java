package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.CreateDestination;
import io.duramen.broker.shard.OperatorRequest.FindPlaces;
import io.duramen.broker.shard.OperatorRequest.FindStretches;
import io.duramen.broker.shard.OperatorRequest.Look;
import io.duramen.broker.shard.OperatorRequest.Seen;
import io.duramen.broker.shard.OperatorRequest.SeenMessage;
import io.duramen.broker.shard.OperatorRequest.Store;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Sweep;
import io.duramen.broker.shard.OperatorRequest.Swept;
import io.duramen.broker.shard.OperatorRequest.TakeBack;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.subscription.Peek.Standing;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.record.MessageRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an operator does with single messages: looks, takes back, sends, moves, copies, lets expire. */
class OperatorMessagesTest {
    private static final Target ORDERS = new Target.OfQueue("orders");

    private TestShard shard = aShard().with("expiry-destination", "expired").started();
    private TestClient client = shard.aClient("shop").knowsQueue("orders").knowsQueue("bills");

    private <A> A told(OperatorRequest<A> request) {
        CompletableFuture<A> answer = shard.asks(request);
        assertThat(answer).isCompleted();
        return answer.join();
    }

    private void isRefused(OperatorRequest<?> request, ErrorCode code) {
        assertThat(shard.asks(request))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private Stretch all() {
        return told(new FindStretches(ORDERS, "")).get(0);
    }

    private Seen look(String selector, int max, boolean heldOnly) {
        return told(new Look(ORDERS, all(), selector, max, 100, heldOnly));
    }

    private Swept sweep(String selector, Action action, String to, int max) {
        List<PartitionRef> places =
                to.isEmpty() ? List.of() : told(new FindPlaces(to)).partitions();
        return told(new Sweep(ORDERS, all(), selector, action, places, max));
    }

    private List<String> left(String queue) {
        TestClient reader = shard.aClient().knowsQueue(queue);
        List<String> texts = reader.consumes(queue).withCredit(100).receives();
        reader.vanishes();
        return texts;
    }

    private void sendNamed(String... texts) {
        client.publishes(
                        "orders",
                        Acks.ALL,
                        Batches.of(texts).each(text -> Records.aRecord().with("name", text)))
                .isSuccess();
    }

    @Test
    void shouldMakeADestinationOnce() {
        assertThat(told(new CreateDestination("wide", DestinationKind.QUEUE, 3)))
                .isTrue();
        assertThat(told(new CreateDestination("usual", DestinationKind.TOPIC, 0)))
                .isTrue();
        shard = shard.losesPowerAndRestarts();
        assertThat(told(new FindPlaces("wide")).partitions()).hasSize(3);
        assertThat(told(new FindPlaces("usual")).kind()).isEqualTo(DestinationKind.TOPIC);
        isRefused(new CreateDestination("wide", DestinationKind.QUEUE, 3), ErrorCode.INVALID_REQUEST);
        isRefused(new CreateDestination("x", DestinationKind.QUEUE, 65), ErrorCode.INVALID_REQUEST);
        isRefused(new CreateDestination("x", DestinationKind.QUEUE, -1), ErrorCode.INVALID_REQUEST);
        isRefused(new CreateDestination("x", DestinationKind.TEMPORARY_QUEUE, 0), ErrorCode.INVALID_REQUEST);
        isRefused(new CreateDestination("a\nb", DestinationKind.QUEUE, 0), ErrorCode.INVALID_DESTINATION_NAME);
        isRefused(new FindPlaces("x"), ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldLookByPageAtWhatIsNotSettled() {
        sendNamed("m1", "m2", "m3", "m4");
        Seen first = look("", 3, false);
        assertThat(first.messages()).extracting(SeenMessage::offset).containsExactly(0L, 1L, 2L);
        assertThat(first.next()).isEqualTo(3);
        Seen rest = told(new Look(ORDERS, new Stretch(all().partition(), 3, 4), "", 3, 100, false));
        assertThat(rest.messages()).extracting(SeenMessage::offset).containsExactly(3L);
        assertThat(look("name = 'm3'", 3, false).messages())
                .extracting(SeenMessage::offset)
                .containsExactly(2L);
        isRefused(new Look(ORDERS, all(), "name <", 3, 100, false), ErrorCode.INVALID_SELECTOR);
        isRefused(new Look(ORDERS, all(), "", 0, 100, false), ErrorCode.INVALID_REQUEST);
        isRefused(new Look(ORDERS, all(), "", 3, Look.BODY_MAX + 1, false), ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldShowNoMoreOfABodyThanWasAskedFor() {
        client.publishes("orders", "a long text").isSuccess();
        ByteBuffer record =
                told(new Look(ORDERS, all(), "", 3, 6, false)).messages().get(0).record();
        int whole = record.getInt(MessageRecord.BODY_LENGTH_AT);
        assertThat(whole).isEqualTo(11);
        assertThat(record.remaining()).isEqualTo(record.getInt(MessageRecord.LENGTH_AT) + 4 - whole + 6);
    }

    @Test
    void shouldSayWhoHoldsAMessageAndTakeItBack() {
        client.publishes("orders", "m1", "m2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        assertThat(consumer.receives()).containsExactly("m1");
        SeenMessage held = look("", 9, true).messages().get(0);
        assertThat(held.standing()).isEqualTo(Standing.HELD);
        assertThat(held.holder().orElseThrow().clientId()).isEqualTo("shop");
        assertThat(held.holder().orElseThrow().connection()).isEqualTo(client.id());
        assertThat(held.holder().orElseThrow().heldMillis()).isZero();
        assertThat(look("", 9, false).messages())
                .extracting(SeenMessage::standing)
                .containsExactly(Standing.HELD, Standing.READY);
        int partition = all().partition();
        isRefused(new TakeBack(ORDERS, partition, 1), ErrorCode.INVALID_REQUEST);
        assertThat(told(new TakeBack(ORDERS, partition, held.offset()))).isTrue();
        assertThat(look("", 9, true).messages()).isEmpty();
        isRefused(new TakeBack(ORDERS, partition, held.offset()), ErrorCode.INVALID_REQUEST);
        TestConsumer other =
                shard.aClient().knowsQueue("orders").consumes("orders").withCredit(9);
        assertThat(other.receives()).containsExactly("m1", "m2");
        other.isRedelivered("m1", 2);
        shard = shard.losesPowerAndRestarts();
        assertThat(look("", 9, false).messages().get(0).deliveries()).isEqualTo(1);
    }

    @Test
    void shouldMoveWhatNobodyHolds() {
        sendNamed("m1", "m2", "m3", "m4");
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        assertThat(consumer.receives()).containsExactly("m1");
        assertThat(sweep("name <> 'm3'", Action.MOVE, "bills", 9)).isEqualTo(new Swept(2, 0, 4));
        shard = shard.losesPowerAndRestarts();
        assertThat(left("bills")).containsExactly("m2", "m4");
        assertThat(left("orders")).containsExactly("m1", "m3");
    }

    @Test
    void shouldCopy() {
        sendNamed("m1", "m2", "m3");
        assertThat(sweep("", Action.COPY, "bills", 2)).isEqualTo(new Swept(2, 0, 2));
        shard = shard.losesPowerAndRestarts();
        assertThat(left("bills")).containsExactly("m1", "m2");
        assertThat(left("orders")).containsExactly("m1", "m2", "m3");
        isRefused(new Sweep(ORDERS, all(), "", Action.COPY, List.of(), 9), ErrorCode.INVALID_REQUEST);
        isRefused(
                new Sweep(ORDERS, all(), "", Action.DROP, List.of(new PartitionRef(1, 0)), 9),
                ErrorCode.INVALID_REQUEST);
        isRefused(
                new Sweep(ORDERS, all(), "", Action.MOVE, List.of(new PartitionRef(99, 0)), 9),
                ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldMoveNothingWhenTheDiskIsFull() {
        client.publishes("orders", "m1").isSuccess();
        List<PartitionRef> bills = told(new FindPlaces("bills")).partitions();
        Stretch all = all();
        shard.log().setFull(true);
        isRefused(new Sweep(ORDERS, all, "", Action.MOVE, bills, 9), ErrorCode.RESOURCE_EXHAUSTED);
        shard.log().setFull(false);
        assertThat(left("orders")).containsExactly("m1");
        assertThat(left("bills")).isEmpty();
    }

    @Test
    void shouldLetMessagesExpire() {
        sendNamed("m1", "m2");
        assertThat(sweep("name = 'm1'", Action.EXPIRE, "", 9)).isEqualTo(new Swept(1, 0, 2));
        shard = shard.losesPowerAndRestarts();
        assertThat(left("orders")).containsExactly("m2");
        assertThat(left("expired")).containsExactly("m1");
    }

    @Test
    void shouldSendAMessage() {
        ByteBuffer record = Batches.of("m1").batch();
        ByteBuffer alone = record.slice(
                io.duramen.protocol.record.RecordBatch.HEADER_LENGTH,
                record.remaining() - io.duramen.protocol.record.RecordBatch.HEADER_LENGTH);
        assertThat(told(new Store(all().partition(), alone))).isTrue();
        isRefused(new Store(99, alone), ErrorCode.DESTINATION_NOT_FOUND);
        isRefused(new Store(all().partition(), ByteBuffer.allocate(9)), ErrorCode.MALFORMED_FRAME);
        shard = shard.losesPowerAndRestarts();
        assertThat(left("orders")).containsExactly("m1");
    }

    @Test
    void shouldTellForHowLongAMessageIsHeldWhateverTheTimeOfDayDoes() {
        client.publishes("orders", "m1").isSuccess();
        assertThat(client.consumes("orders").withCredit(1).receives()).containsExactly("m1");
        shard.passes(Duration.ofMinutes(5));
        for (Duration back : List.of(Duration.ZERO, Duration.ofHours(2), Duration.ofHours(-9))) {
            shard.setsClockBack(back);
            assertThat(told(new OperatorRequest.FindStuck(0, 299_999)).entries())
                    .extracting(one -> one.holder().heldMillis())
                    .containsExactly(300_000L);
            assertThat(told(new OperatorRequest.FindStuck(0, 300_000)).entries())
                    .isEmpty();
        }
    }

    @Test
    void shouldEndAPageOfStuckConsumersBehindManyLeases() {
        for (String queue : List.of("orders", "bills")) {
            for (int i = 0; i < OperatorRequest.LOOK_MAX; i++) {
                client.publishes(queue, "m");
            }
            client.consumes(queue).withCredit(OperatorRequest.LOOK_MAX);
        }
        shard.run();
        shard.passes(Duration.ofMillis(2));
        long later = 1;
        OperatorRequest.StuckPage first = told(new OperatorRequest.FindStuck(0, later));
        assertThat(first.entries())
                .extracting(OperatorRequest.Stuck::destination)
                .hasSize(1);
        OperatorRequest.StuckPage second = told(new OperatorRequest.FindStuck(first.next(), later));
        assertThat(second.entries())
                .extracting(OperatorRequest.Stuck::destination)
                .hasSize(1);
        assertThat(second.entries()).doesNotContainAnyElementsOf(first.entries());
    }
}
