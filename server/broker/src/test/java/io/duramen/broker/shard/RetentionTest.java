package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.ChangeDestination;
import io.duramen.broker.shard.OperatorRequest.DeleteDestination;
import io.duramen.broker.shard.OperatorRequest.FindKept;
import io.duramen.broker.shard.OperatorRequest.KeptStretch;
import io.duramen.broker.shard.OperatorRequest.MoveCursor;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.Prepare;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a topic keeps though it is settled, durable subscriptions can have again. */
class RetentionTest {
    private static final BranchId BRANCH =
            new BranchId(7, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[1]));
    private static final Target ARCHIVE = new Target.OfSubscription("shop", "archive");
    private static final Duration TO_SNAPSHOT = Duration.ofSeconds(25);

    private TestShard shard = aShard().started();
    private TestClient client = shard.aClient("shop").knowsTopic("news");

    private <A> A told(OperatorRequest<A> request) {
        CompletableFuture<A> answer = shard.asks(request);
        assertThat(answer).isCompleted();
        return answer.join();
    }

    private void keeps(String settings) {
        told(new ChangeDestination("news", settings));
    }

    private void subscribes() {
        client.subscribes("news", SubscriptionKind.DURABLE, "archive")
                .detaches()
                .isSuccess();
    }

    private void publishes(String... texts) {
        for (String text : texts) {
            client.publishes("news", text).isSuccess();
        }
    }

    /** All that the archive has, which it settles. */
    private List<String> archived() {
        TestConsumer consumer =
                client.subscribes("news", SubscriptionKind.DURABLE, "archive").withCredit(1000);
        List<String> texts = List.copyOf(consumer.receives());
        texts.forEach(text -> consumer.accepts(text).isSuccess());
        consumer.detaches().isSuccess();
        return texts;
    }

    private KeptStretch kept(long millis) {
        List<KeptStretch> all = told(new FindKept(ARCHIVE, millis));
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private void seeks(long offset) {
        assertThat(told(new MoveCursor(ARCHIVE, client.partitionOf("news"), offset, false)))
                .isTrue();
    }

    private void isRefused(long offset, ErrorCode code, String why) {
        assertThat(shard.asks(new MoveCursor(ARCHIVE, client.partitionOf("news"), offset, false)))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .withMessageContaining(why);
    }

    private long needed() {
        shard.passes(TO_SNAPSHOT);
        return shard.log().neededFrom(client.partitionOf("news"));
    }

    private static String[] texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toArray(String[]::new);
    }

    @Test
    void shouldDeliverAgainToOneSubscriptionWhatItHasSettledFromAPlaceOn() {
        subscribes();
        TestConsumer other = client.subscribes("news", SubscriptionKind.SHARED_DURABLE, "other")
                .withCredit(1000);
        keeps("keep:1h");
        publishes(texts(0, 10));
        assertThat(archived()).containsExactly(texts(0, 10));
        assertThat(other.receives()).hasSize(10);
        seeks(4);
        assertThat(archived()).containsExactly(texts(4, 10));
        publishes("m10");
        seeks(9);
        assertThat(archived()).containsExactly("m9", "m10");
        seeks(11);
        assertThat(archived()).isEmpty();
        assertThat(other.receives()).containsExactly("m10");
    }

    private static final Target ORDERS = new Target.OfQueue("orders");

    private MoveCursor toOrder(long offset) {
        return new MoveCursor(ORDERS, client.partitionOf("orders"), offset, false);
    }

    private List<String> ordered() {
        TestConsumer consumer = client.consumes("orders").withCredit(1000);
        List<String> texts = List.copyOf(consumer.receives());
        texts.forEach(text -> consumer.accepts(text).isSuccess());
        assertThat(shard.asks(toOrder(0)))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("queue 'orders' has consumers");
        consumer.detaches().isSuccess();
        return texts;
    }

    /** What of it a prepared branch accepts stays with that, and goes with it. */
    @Test
    void shouldGiveAQueueAgainWhatItKeepsWhateverHappensToTheNode() {
        client.knowsQueue("orders");
        told(new ChangeDestination("orders", "keep:1h"));
        client.publishes("orders", texts(0, 10)).isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        client.asks(new Prepare.Request(0, BRANCH, List.of(), List.of(consumer.aSettlementOf("m0"))))
                .isSuccess();
        consumer.detaches().isSuccess();
        assertThat(ordered()).containsExactly(texts(1, 10));
        for (int way = 0; way < 4; way++) {
            assertThat(told(toOrder(3 - way))).isTrue();
            shard = switch (way) {
                case 0 -> shard.losesPowerAndRestarts();
                case 1 -> shard.restarts();
                case 2 -> shard.restartsWithoutImage();
                default -> shard.isKilledAndRestarts();
            };
            client = shard.aClient("shop").knowsQueue("orders");
            assertThat(ordered()).as("way %d", way).containsExactly(texts(Math.max(1, 3 - way), 10));
        }
        client.asks(new EndBranch.Request(0, BRANCH, false)).isSuccess();
        assertThat(ordered()).containsExactly("m0");
    }

    /** Everything from there on, whatever of it was settled out of order; and it is counted anew. */
    @Test
    void shouldForgetWhatWasSettledAndCountedBehindThePlace() {
        subscribes();
        keeps("keep:1h");
        publishes(texts(0, 6));
        TestConsumer consumer =
                client.subscribes("news", SubscriptionKind.DURABLE, "archive").withCredit(1000);
        consumer.accepts("m1", "m4").isSuccess();
        consumer.rejects("m5").isSuccess();
        consumer.detaches().isSuccess();
        shard.passes(Duration.ofMinutes(2));
        seeks(3);
        TestConsumer again =
                client.subscribes("news", SubscriptionKind.DURABLE, "archive").withCredit(1000);
        assertThat(again.receives()).containsExactly("m3", "m4", "m5");
        again.isRedelivered("m5", 1);
    }

    @Test
    void shouldHoldWhateverHappensToTheNode() {
        subscribes();
        keeps("keep:1h");
        publishes(texts(0, 10));
        archived();
        for (int way = 0; way < 4; way++) {
            seeks(3 + way);
            shard = switch (way) {
                case 0 -> shard.losesPowerAndRestarts();
                case 1 -> shard.restarts();
                case 2 -> shard.restartsWithoutImage();
                default -> shard.isKilledAndRestarts();
            };
            client = shard.aClient("shop").knowsTopic("news");
            assertThat(archived()).as("way %d", way).containsExactly(texts(3 + way, 10));
            assertThat(kept(0).from()).isZero();
        }
    }

    @Test
    void shouldKeepNothingUnlessAsked() {
        subscribes();
        publishes(texts(0, 10));
        archived();
        assertThat(needed()).isEqualTo(10);
        assertThat(kept(0)).isEqualTo(new KeptStretch(client.partitionOf("news"), 10, 10, 10, false));
        isRefused(9, ErrorCode.INVALID_REQUEST, "the first that is there is");
        keeps("keep:1h");
        assertThat(kept(0).from()).isEqualTo(10);
        publishes(texts(10, 12));
        archived();
        seeks(10);
        isRefused(9, ErrorCode.INVALID_REQUEST, "is not kept: the first that is there is");
        isRefused(13, ErrorCode.INVALID_REQUEST, "is not there yet: the next will be");
    }

    @Test
    void shouldLetGoOfWhatIsOlderThanAsked() {
        subscribes();
        keeps("keep:1h");
        for (int minute = 0; minute < 180; minute++) {
            publishes("m" + minute);
            shard.passes(Duration.ofMinutes(1));
        }
        archived();
        assertThat(kept(0).from()).isBetween(117L, 120L);
        assertThat(needed()).isBetween(117L, 120L);
        shard = shard.restartsWithoutImage();
        client = shard.aClient("shop").knowsTopic("news");
        assertThat(kept(0).from()).isBetween(117L, 120L);
        shard.passes(Duration.ofHours(2));
        client.knowsTopic("others").publishes("others", "time goes on").isSuccess();
        assertThat(kept(0).from()).isEqualTo(180);
        assertThat(needed()).isEqualTo(180);
    }

    @Test
    void shouldKeepAsManyBytesAsAsked() {
        subscribes();
        publishes("m");
        archived();
        keeps("keep-size:10KiB");
        for (int i = 0; i < 1000; i++) {
            publishes("m" + i);
        }
        archived();
        long from = kept(0).from();
        seeks(from);
        List<String> again = archived();
        int bytes = shard.image().facts().stream()
                .mapToInt(fact -> fact.content().remaining())
                .sum();
        assertThat(again).hasSizeBetween(60, 200).last().isEqualTo("m999");
        assertThat(bytes).isLessThan(10_000);
        assertThat(needed()).isEqualTo(from);
        keeps("keep-size:");
        assertThat(needed()).isEqualTo(1001);
        assertThat(shard.image().facts()).isEmpty();
    }

    /** However much comes for however long. */
    @Test
    void shouldHaveFewMarks() {
        keeps("keep:10s keep-size:1MiB");
        for (int i = 0; i < 3000; i++) {
            publishes("m" + i);
            shard.passes(Duration.ofMillis(i % 50));
        }
        long bytes = shard.image().facts().stream()
                .mapToLong(fact -> fact.content().remaining())
                .sum();
        assertThat(bytes).isLessThan(8_000);
    }

    @Test
    void shouldFindAPlaceBeforeATime() {
        subscribes();
        keeps("keep:1d");
        long[] millis = new long[24];
        for (int hour = 0; hour < 24; hour++) {
            millis[hour] = shard.nowMillis();
            publishes("m" + hour);
            shard.passes(Duration.ofMinutes(30));
        }
        for (int hour = 0; hour < 24; hour++) {
            assertThat(kept(millis[hour]).before()).as("%d", hour).isBetween(hour - 1L, (long) hour);
        }
        assertThat(kept(shard.nowMillis()).before()).isEqualTo(24);
        assertThat(kept(0).before()).isZero();
    }

    @Test
    void shouldNotMoveWhileConsumersAreThereOrHoldSomething() {
        subscribes();
        keeps("keep:1h");
        publishes("m1", "m2");
        TestConsumer consumer =
                client.subscribes("news", SubscriptionKind.DURABLE, "archive").withCredit(1000);
        assertThat(consumer.receives()).hasSize(2);
        isRefused(0, ErrorCode.SUBSCRIPTION_IN_USE, "has consumers");
        consumer.hasSeen(consumer.handed()).detachesKeepingSeen().isSuccess();
        isRefused(0, ErrorCode.SUBSCRIPTION_IN_USE, "that have left hold messages of it");
        consumer.accepts("m1").isSuccess();
        consumer.rejects("m2").isSuccess();
        seeks(1);
        assertThat(archived()).containsExactly("m2");
    }

    @Test
    void shouldAttachNobodyWhileItMoves() {
        subscribes();
        keeps("keep:1h");
        publishes("m1", "m2");
        archived();
        shard.log().holdSyncs();
        CompletableFuture<Boolean> moved = shard.asks(new MoveCursor(ARCHIVE, client.partitionOf("news"), 0, false));
        assertThat(moved).isNotDone();
        TestConsumer consumer = client.consumer("news", SubscriptionKind.DURABLE, "archive");
        Answer attached = consumer.attaches();
        shard.log().flow();
        shard.run();
        assertThat(moved).isCompleted();
        attached.isSuccess();
        assertThat(consumer.withCredit(10).receives()).containsExactly("m1", "m2");
    }

    @Test
    void shouldForgetWhatIsDeleted() {
        subscribes();
        keeps("keep:1h");
        publishes("m1");
        told(new DeleteDestination("news"));
        assertThat(shard.image().facts()).isEmpty();
        shard.passes(Duration.ofHours(2));
        client.knowsTopic("others").publishes("others", "time goes on").isSuccess();
    }
}
