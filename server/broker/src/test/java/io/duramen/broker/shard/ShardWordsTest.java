package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.shard.ControlRecord.DeliveryPaused;
import io.duramen.broker.shard.ControlRecord.DestinationChanged;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ControlRecord.DestinationDeleted;
import io.duramen.broker.shard.ControlRecord.SubscriptionCreated;
import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.broker.talk.Word;
import io.duramen.broker.transaction.Spread;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.OffsetRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What shards say to each other is on the wire as it was said. */
class ShardWordsTest {
    private static final BranchId INNER = Spread.name(2, 5, 17);
    private static final ProtocolException REFUSAL = new ProtocolException(ErrorCode.LEASE_LOST, "gone");

    private static Stream<ShardMessage> messages() {
        DestinationCreated queue = new DestinationCreated(
                new DestinationRow("orders", 0, 9, List.of(PartitionRow.empty(3, 1), PartitionRow.empty(4, 2))), 12);
        SubscriptionCreated subscription = new SubscriptionCreated(
                new SubscriptionRow(13, "prices", "client", "name", 3, "a = 1", true),
                List.of(new ControlRecord.Start(3, 77)));
        DeliveryPaused paused = new DeliveryPaused("orders", 0, true);
        DestinationChanged changed = new DestinationChanged("orders", "max-messages:5");
        return Stream.of(
                new ShardMessage.Define(1L << 40, List.of(queue, subscription, new DestinationDeleted("old"))),
                new ShardMessage.DefineAll(
                        7,
                        List.of(queue),
                        List.of(subscription),
                        new ShardMessage.DefineAll.Besides(List.of(paused), List.of(changed))),
                new ShardMessage.Defined(7, Optional.empty()),
                new ShardMessage.Defined(8, Optional.of(REFUSAL)),
                new ShardMessage.WantQueue("dead"),
                new ShardMessage.QueueWanted("dead", Optional.empty()),
                new ShardMessage.QueueWanted("dead", Optional.of(REFUSAL)),
                prepare(),
                new ShardMessage.Voted(INNER, Optional.empty(), Guard.REPEATS),
                new ShardMessage.Voted(INNER, Optional.of(REFUSAL), Guard.NONE),
                new ShardMessage.FinishBranch(INNER, ShardMessage.Ending.ROLL_BACK),
                new ShardMessage.Finished(INNER, true),
                new ShardMessage.AskOutcome(INNER),
                new ShardMessage.OutcomePending(INNER),
                new ShardMessage.TakesParts());
    }

    private static ShardMessage.PrepareBranch prepare() {
        return new ShardMessage.PrepareBranch(
                INNER,
                new FarClient(1L << 33, "user", true, false, null),
                List.of(new PartitionBatch(3, Batches.of("text", "more").batch())),
                List.of(new ConsumerSettlement(4, 3, List.of(OffsetRange.of(9)))),
                new Ballot(1));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldReadWhatWasWritten(ShardMessage message) {
        ShardMessage read = ShardWords.decode(ShardWords.encode(message));

        assertThat(read)
                .usingRecursiveComparison()
                .ignoringFields("ballot")
                .withEqualsForType(ShardWordsTest::areAlike, ProtocolException.class)
                .isEqualTo(message);
    }

    private static boolean areAlike(ProtocolException one, ProtocolException other) {
        return one.code() == other.code() && one.getMessage().equals(other.getMessage());
    }

    @Test
    void shouldHaveAWordForWhateverIsSaid() {
        assertThat(messages().map(Object::getClass).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(ShardMessage.class.getPermittedSubclasses());
    }

    @Test
    void shouldRefuseAWordThatItDoesNotKnow() {
        assertThatThrownBy(() -> ShardWords.decode(new Word((byte) 99, ByteBuffer.allocate(0))))
                .isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void shouldReadAMessageOrRefuseItWhenBytesAreChanged() {
        SplittableRandom random = new SplittableRandom(1);
        List<Word> words = messages().map(ShardWords::encode).toList();
        for (int run = 0; run < 20_000; run++) {
            Word word = words.get(random.nextInt(words.size()));
            ByteBuffer body = ByteBuffer.allocate(word.body().remaining())
                    .put(word.body().duplicate())
                    .flip();
            if (body.hasRemaining()) {
                body.put(random.nextInt(body.limit()), (byte) random.nextInt());
                body.limit(random.nextInt(3) == 0 ? random.nextInt(body.limit()) : body.limit());
            }
            readOrRefuse(new Word(word.type(), body));
        }
    }

    private static void readOrRefuse(Word word) {
        try {
            assertThat(ShardWords.decode(word)).isNotNull();
        } catch (MalformedFrameException e) {
            assertThat(e).hasMessageNotContaining("null");
        }
    }
}
