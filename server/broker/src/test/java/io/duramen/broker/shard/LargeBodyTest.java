package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestBody.aBody;
import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.destination.Partition;
import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestBody;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.DropBody;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle.Outcome;
import io.duramen.protocol.frame.StorePart;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bodies that are stored in parts ahead of their message: who sees them, who reads them, and how long they stay. */
class LargeBodyTest {
    private static final Duration AN_IMAGE_LATER = Duration.ofSeconds(11);

    private final TestShard shard =
            aShard().with("large-body-max", "1MiB").with("large-sends-max", "3").started();
    private TestClient client =
            shard.aClient().knowsQueue("orders").knowsQueue("bills").knowsTopic("news");
    private final int orders = client.partitionOf("orders");

    private TestBody sent(long name) {
        TestBody body = aBody(orders, name).with(client, "abc").with(client, "de");
        client.publishes("orders", Acks.ALL, body.message()).isSuccess();
        return body;
    }

    /** The first of a queue's parts that is kept, once an image was stored. */
    private long keptFrom(int partition) {
        client.publishes("bills", "something new").isSuccess();
        shard.passes(AN_IMAGE_LATER);
        return shard.log().neededFrom(Partition.partsId(partition));
    }

    @Test
    void shouldBeReadByWhoHoldsTheMessage() {
        TestBody body = sent(1);
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        assertThat(consumer.deliveries()).hasSize(1);
        body.reads(client, consumer.id(), 0, "abc", "de");
        shard.log().readCold();
        Answer cold = body.isFetched(client, consumer.id(), orders, 0, 1).isMissing();
        shard.log().fetch();
        shard.run();
        assertThat(TestBody.textOf(cold)).isEqualTo("de");
    }

    @Test
    void shouldNotCountAsMessagesWhenPartsStandBetweenThem() {
        client.publishes("orders", "m0");
        TestBody body = sent(1);
        client.publishes("orders", "m2");
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        assertThat(consumer.receives()).containsExactly("m0", "", "m2");
        assertThat(consumer.deliveries())
                .extracting(TestConsumer.Delivery::offset)
                .containsExactly(0L, 1L, 2L);
        body.reads(client, consumer.id(), 1, "abc", "de");
    }

    @Test
    void shouldBeReadByABrowserUntilSettled() {
        TestBody body = sent(1);
        body.reads(client, FetchPart.BROWSER, 0, "abc", "de");
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        consumer.settles(Outcome.ACCEPTED, true, List.of(OffsetRange.of(0))).isSuccess();
        body.isFetched(client, FetchPart.BROWSER, orders, 0, 0).isRefusedWith(ErrorCode.LEASE_LOST);
        body.isFetched(client, FetchPart.BROWSER, orders, 7, 0).isRefusedWith(ErrorCode.LEASE_LOST);
    }

    @Test
    void shouldNotBeReadWithoutALeaseOrWithAnothersName() {
        TestBody body = sent(1);
        TestBody other = sent(2);
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        body.reads(client, consumer.id(), 0, "abc");
        body.isFetched(client, consumer.id(), orders, 1, 0).isRefusedWith(ErrorCode.LEASE_LOST);
        body.isFetched(client, 99, orders, 0, 0).isRefusedWith(ErrorCode.CONSUMER_NOT_FOUND);
        FetchPart.Request anothers = new FetchPart.Request(
                0,
                consumer.id(),
                orders,
                0,
                orders,
                77,
                77,
                0,
                other.body().runs().offset(0));
        client.asks(anothers).isRefusedWith(ErrorCode.BODY_NOT_THERE);
        for (long place : new long[] {-1, 4, Long.MAX_VALUE}) {
            client.asks(new FetchPart.Request(0, consumer.id(), orders, 0, orders, 1, -1, 0, place))
                    .isRefusedWith(ErrorCode.BODY_NOT_THERE);
        }
        consumer.settles(Outcome.ACCEPTED, true, List.of(OffsetRange.of(0))).isSuccess();
        body.isFetched(client, consumer.id(), orders, 0, 0).isRefusedWith(ErrorCode.LEASE_LOST);
    }

    @Test
    void shouldInterleaveWhenTwoProducersSendAtATime() {
        TestBody one = aBody(orders, 1);
        TestBody two = aBody(orders, 2);
        one.with(client, "a");
        two.with(client, "x");
        one.with(client, "b").with(client, "c");
        two.with(client, "y");
        client.publishes("orders", Acks.ALL, two.message()).isSuccess();
        client.publishes("orders", Acks.ALL, one.message()).isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        two.reads(client, consumer.id(), 0, "x", "y");
        one.reads(client, consumer.id(), 1, "a", "b", "c");
        assertThat(one.body().runs().runs()).isEqualTo(2);
    }

    @Test
    void shouldStoreAPartOnceWhenRepeated() {
        TestBody body = aBody(orders, 1).with(client, "abc").with(client, "de");
        assertThat(body.sends(client, 0, "abc")
                        .response(StorePart.Response.class)
                        .offset())
                .isZero();
        shard.log().holdSyncs();
        Answer first = body.sends(client, 2, "f").isMissing();
        Answer repeat = body.sends(client, 2, "f").isMissing();
        shard.log().flow();
        shard.run();
        assertThat(first.response(StorePart.Response.class))
                .isEqualTo(repeat.response(StorePart.Response.class))
                .isEqualTo(new StorePart.Response(2));
    }

    @Test
    void shouldGoOnAfterARestart() {
        TestBody body = aBody(orders, 1).with(client, "abc");
        shard.restartsWithoutImage();
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        body.with(client, "de");
        shard.restarts();
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        body.with(client, "f");
        client.publishes("orders", Acks.ALL, body.message()).isSuccess();
        body.reads(client, FetchPart.BROWSER, 0, "abc", "de", "f");
    }

    @Test
    void shouldBeRefusedWhenAMessageNamesWhatIsNotThere() {
        TestBody body = aBody(orders, 1).with(client, "abc");
        TestBody other = aBody(orders, 2).with(client, "xyz");
        for (TestBody lie : List.of(
                aBody(orders, 9).pretending(0, 3),
                body.pretending(1, 3),
                body.pretending(5, 3),
                body.inPartition(client.partitionOf("bills")),
                aBody(orders, 1).pretending(0, 4),
                aBody(orders, 1).pretending(1, 3))) {
            client.publishes(orders, Acks.ALL, lie.message()).isRefusedWith(ErrorCode.BODY_NOT_THERE);
        }
        client.publishes("bills", Acks.ALL, body.message()).isRefusedWith(ErrorCode.BODY_NOT_THERE);
        client.commits(
                        1,
                        List.of(
                                new PartitionBatch(orders, other.message().batch()),
                                new PartitionBatch(orders, other.message().batch())),
                        List.of())
                .isRefusedWith(ErrorCode.BODY_NOT_THERE);
        client.publishes("orders", Acks.ALL, body.message()).isSuccess();
        client.publishes("orders", Acks.ALL, body.message()).isRefusedWith(ErrorCode.BODY_NOT_THERE);
        client.publishes("orders", Acks.ALL, other.message()).isSuccess();
    }

    @Test
    void shouldBeRefusedWhenAPartHasNoPlace() {
        TestBody body = aBody(orders, 1).with(client, "abc");
        body.sends(client, 2, "gap").isRefusedWith(ErrorCode.BODY_NOT_THERE);
        aBody(orders, 2).sends(client, 1, "no first").isRefusedWith(ErrorCode.BODY_NOT_THERE);
        body.inPartition(client.partitionOf("bills")).sends(client, 1, "x").isRefusedWith(ErrorCode.BODY_NOT_THERE);
        body.inPartition(4711).sends(client, 1, "x").isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        client.asks(new StorePart.Request(0, orders, Acks.NONE, body.part(1, "x")))
                .isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.asks(new StorePart.Request(0, orders, Acks.ALL, Batches.of("m").batch()))
                .isRefusedWith(ErrorCode.CORRUPT_BATCH);
        client.asks(new StorePart.Request(0, orders, Acks.ALL, body.part(1, "")))
                .isRefusedWith(ErrorCode.CORRUPT_BATCH);
        client.publishes("orders", Acks.ALL, body.message()).isSuccess();
        body.sends(client, 1, "late").isRefusedWith(ErrorCode.BODY_NOT_THERE);
    }

    @Test
    void shouldBeRefusedWhenALimitIsReached() {
        String half = "x".repeat(700_000);
        TestBody body = aBody(orders, 1).with(client, half);
        body.sends(client, 1, half).isRefusedWith(ErrorCode.MESSAGE_TOO_LARGE);
        aBody(orders, 2).with(client, "a");
        aBody(orders, 3).with(client, "a");
        aBody(orders, 4).sends(client, 0, "a").isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        body.isDropped(client).isSuccess();
        aBody(orders, 4).with(client, "a");
    }

    @Test
    void shouldGiveWayWhenTheDiskIsFull() {
        TestBody body = aBody(orders, 1).with(client, "abc");
        shard.log().setFull(true);
        body.sends(client, 1, "de").isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        body.isDropped(client).isSuccess();
        body.isDropped(client).isSuccess();
        shard.passes(AN_IMAGE_LATER);
        assertThat(shard.log().neededFrom(Partition.partsId(orders))).isEqualTo(1);
        assertThat(shard.image().openBodies()).isEmpty();
    }

    @Test
    void shouldKeepPartsUntilTheirMessageIsSettledEverywhere() {
        int news = client.partitionOf("news");
        TestConsumer one = client.subscribes("news", SubscriptionKind.SHARED_DURABLE, "one")
                .withCredit(10);
        TestConsumer two =
                client.subscribes("news", SubscriptionKind.EXCLUSIVE, "").withCredit(10);
        aBody(news, 5).with(client, "dropped").isDropped(client).isSuccess();
        TestBody body = aBody(news, 1).with(client, "abc").with(client, "de");
        assertThat(keptFrom(news)).as("on its way").isEqualTo(1);
        client.publishes("news", Acks.ALL, body.message()).isSuccess();
        assertThat(keptFrom(news)).as("unsettled").isEqualTo(1);
        body.reads(client, one.id(), 0, "abc", "de");
        one.settles(Outcome.ACCEPTED, true, List.of(OffsetRange.of(0))).isSuccess();
        assertThat(keptFrom(news)).as("unsettled by one").isEqualTo(1);
        body.reads(client, two.id(), 0, "abc", "de");
        two.settles(Outcome.ACCEPTED, true, List.of(OffsetRange.of(0))).isSuccess();
        assertThat(keptFrom(news)).as("settled").isEqualTo(3);
    }

    @Test
    void shouldKeepPartsAcrossARestart() {
        TestBody body = sent(1);
        shard.restarts();
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        assertThat(keptFrom(orders)).isZero();
        body.reads(client, FetchPart.BROWSER, 0, "abc", "de");
        shard.restartsWithoutImage();
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        assertThat(keptFrom(orders)).isZero();
    }

    @Test
    void shouldDropPartsWhenTheirProducerDoesNotComeBack() {
        TestBody body = aBody(orders, 1).with(client, "abc");
        client.vanishes();
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        shard.passes(Duration.ofSeconds(50));
        body.with(client, "de");
        shard.passes(Duration.ofSeconds(100));
        assertThat(keptFrom(orders)).isZero();
        client.vanishes();
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        shard.passes(Duration.ofSeconds(61));
        assertThat(keptFrom(orders)).isEqualTo(2);
        body.sends(client, 2, "f").isRefusedWith(ErrorCode.BODY_NOT_THERE);
        client.publishes("orders", Acks.ALL, body.message()).isRefusedWith(ErrorCode.BODY_NOT_THERE);
    }

    @Test
    void shouldDropPartsAtOnceWhenTheirProducerCloses() {
        aBody(orders, 1).with(client, "abc");
        client.closes();
        assertThat(shard.image().openBodies()).isEmpty();
    }

    @Test
    void shouldDropPartsAfterARestartWhenNobodyComesBack() {
        aBody(orders, 1).with(client, "abc");
        shard.restarts();
        assertThat(shard.image().openBodies()).hasSize(1);
        shard.passes(Duration.ofSeconds(61));
        assertThat(shard.image().openBodies()).isEmpty();
    }

    @Test
    void shouldBeVisibleWithItsTransaction() {
        TestBody body = aBody(orders, 1).with(client, "abc");
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        assertThat(consumer.deliveries()).isEmpty();
        List<PartitionBatch> sends =
                List.of(new PartitionBatch(orders, body.message().batch()), client.aSend("bills", "b1"));
        client.commits(1, sends, List.of()).isSuccess();
        client.commits(1, sends, List.of()).isSuccess();
        assertThat(consumer.deliveries()).hasSize(1);
        body.reads(client, consumer.id(), 0, "abc");
    }

    private static final BranchId BRANCH = new BranchId(1, ByteBuffer.wrap(new byte[] {7}), ByteBuffer.allocate(0));

    private TestBody prepared() {
        TestBody body = aBody(orders, 1).with(client, "abc").with(client, "de");
        List<PartitionBatch> sends =
                List.of(new PartitionBatch(orders, body.message().batch()));
        client.asks(new Prepare.Request(0, BRANCH, sends, List.of())).isSuccess();
        return body;
    }

    /** Whatever becomes of its producer, and whatever that says. */
    @Test
    void shouldWaitForTheBranchThatNamesIt() {
        TestBody body = prepared();
        client.asks(new DropBody.Request(0, 1, -1)).isSuccess();
        body.sends(client, 2, "f").isRefusedWith(ErrorCode.BODY_NOT_THERE);
        client.publishes("orders", Acks.ALL, body.message()).isRefusedWith(ErrorCode.BODY_NOT_THERE);
        assertThat(shard.image().openBodies()).hasSize(1);
        assertThat(keptFrom(orders)).isZero();
        client.closes();
        shard.passes(Duration.ofSeconds(200));
        shard.restarts();
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        client.asks(new DropBody.Request(0, 1, -1)).isSuccess();
        shard.passes(Duration.ofSeconds(200));
        client.asks(new EndBranch.Request(0, BRANCH, true)).isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        assertThat(consumer.deliveries()).hasSize(1);
        body.reads(client, consumer.id(), 0, "abc", "de");
    }

    @Test
    void shouldGoWithTheBranchThatIsRolledBack() {
        prepared();
        client.asks(new EndBranch.Request(0, BRANCH, false)).isSuccess();
        assertThat(shard.image().openBodies()).isEmpty();
        assertThat(keptFrom(orders)).isEqualTo(2);
    }

    @Test
    void shouldGoWithItsDestination() {
        client.knowsTemporary("temp.x", io.duramen.protocol.frame.DestinationKind.TEMPORARY_QUEUE, 7);
        int temporary = client.partitionOf("temp.x");
        TestBody open = aBody(temporary, 1).with(client, "abc");
        TestBody whole = aBody(temporary, 2).with(client, "abc");
        client.publishes("temp.x", Acks.ALL, whole.message()).isSuccess();
        client.closes();
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        assertThat(keptFrom(temporary)).isEqualTo(Long.MAX_VALUE);
        assertThat(shard.image().openBodies()).isEmpty();
        assertThat(shard.image().pins()).isEmpty();
        open.sends(client, 1, "de").isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldRefuseAPartAsABatch() {
        TestBody body = aBody(orders, 1);
        client.asks(new io.duramen.protocol.frame.Publish.Request(0, orders, Acks.ALL, body.part(0, "x".repeat(100))))
                .isRefusedWith(ErrorCode.CORRUPT_BATCH);
    }
}
