package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.FindDedupId;
import io.duramen.protocol.frame.FindDedupId.Finding;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message is stored once for each dedup id; "a:1" is one with the id a. */
class DedupTest {
    private static final BranchId ONE = branch("one");
    private static final BranchId TWO = branch("two");

    private final TestShard shard = aShard().with("dedup-ids-max", "40000").started();
    private TestClient client = shard.aClient().knowsQueue("orders").knowsQueue("bills");

    private static BranchId branch(String name) {
        ByteBuffer bytes = ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
        return new BranchId(7, bytes, bytes);
    }

    private Answer sends(String... texts) {
        return client.publishes("orders", Acks.ALL, Batches.of(texts).withDedupIds());
    }

    private PartitionBatch aSend(String queue, String... texts) {
        return new PartitionBatch(
                client.partitionOf(queue), Batches.of(texts).withDedupIds().batch());
    }

    private void reconnects() {
        client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
    }

    private List<String> stored(String queue) {
        return client.consumes(queue).withCredit(50).receives();
    }

    private long leftOut() {
        return shard.image().dedup().stream().mapToLong(DedupRow::leftOut).sum();
    }

    private Finding finds(String id) {
        DedupKey key = DedupKey.of(id);
        return client.asks(new FindDedupId.Request(0, client.partitionOf("orders"), key.high(), key.low()))
                .response(FindDedupId.Response.class)
                .finding();
    }

    @Test
    void shouldStoreOnceWhatIsSentTwice() {
        sends("a:1").isSuccess();
        assertThat(sends("a:2").response(Publish.Response.class).baseOffset()).isEqualTo(-1);
        sends("b:3", "a:4", "c:5", "b:6", "plain").isSuccess();
        sends("plain").isSuccess();
        assertThat(stored("orders")).containsExactly("a:1", "b:3", "c:5", "plain", "plain");
        assertThat(leftOut()).isEqualTo(3);
    }

    @Test
    void shouldTakeTheIdAsNewsInAnotherDestination() {
        sends("a:1").isSuccess();
        client.publishes("bills", Acks.ALL, Batches.of("a:2").withDedupIds()).isSuccess();
        assertThat(stored("bills")).containsExactly("a:2");
    }

    @Test
    void shouldAnswerARepeatOnlyWhenTheFirstIsOnDisk() {
        shard.log().holdSyncs();
        Answer first = sends("a:1");
        Answer repeat = sends("a:2");
        first.isMissing();
        repeat.isMissing();
        shard.log().sync();
        shard.run();
        shard.log().sync();
        shard.run();
        first.isSuccess();
        repeat.isSuccess();
        assertThat(stored("orders")).containsExactly("a:1");
    }

    @Test
    void shouldStoreOneOfTwoThatAreOnTheirWayTogether() {
        shard.paused();
        Answer first = sends("a:1");
        Answer second = sends("a:2");
        shard.resumed();
        first.isSuccess();
        second.isSuccess();
        assertThat(stored("orders")).containsExactly("a:1");
    }

    @Test
    void shouldTakeTheProducersNextBatchAndItsRetriesWhenSomeOfOneWasLeftOut() {
        sends("a:1").isSuccess();
        Batches first = Batches.of("a:2", "b:3", "c:4").withDedupIds().by(9, 0, 0);
        Batches second = Batches.of("a:5").withDedupIds().by(9, 0, 3);
        Batches third = Batches.of("d:6").withDedupIds().by(9, 0, 4);
        client.publishes("orders", Acks.ALL, first).isSuccess();
        client.publishes("orders", Acks.ALL, second).isSuccess();
        client.publishes("orders", Acks.ALL, third).isSuccess();
        shard.restarts();
        reconnects();
        client.publishes("orders", Acks.ALL, first).isSuccess();
        client.publishes("orders", Acks.ALL, second).isSuccess();
        client.publishes("orders", Acks.ALL, third).isSuccess();
        assertThat(stored("orders")).containsExactly("a:1", "b:3", "c:4", "d:6");
    }

    @Test
    void shouldKnowTheIdsWhenItComesBackHoweverItEnded() {
        sends("a:1").isSuccess();
        shard.losesPowerAndRestarts();
        reconnects();
        sends("a:2", "b:3").isSuccess();
        shard.restarts();
        reconnects();
        sends("a:4", "b:5", "c:6").isSuccess();
        shard.restartsWithoutImage();
        reconnects();
        sends("a:7", "b:8", "c:9").isSuccess();
        assertThat(stored("orders")).containsExactly("a:1", "b:3", "c:6");
        assertThat(leftOut()).isEqualTo(6);
    }

    @Test
    void shouldForgetAnIdWhenItsTimeIsOver() {
        sends("a:1").isSuccess();
        shard.passes(Duration.ofMinutes(59));
        sends("a:2").isSuccess();
        shard.passes(Duration.ofMinutes(2));
        sends("a:3").isSuccess();
        assertThat(stored("orders")).containsExactly("a:1", "a:3");
    }

    @Test
    void shouldForgetTheOldestWhenThereAreTooMany() {
        for (int i = 0; i < 41; i++) {
            String[] texts = new String[1000];
            for (int j = 0; j < texts.length; j++) {
                texts[j] = "id-" + (1000 * i + j) + ":m";
            }
            client.publishes("orders", Acks.ALL, Batches.of(texts).withDedupIds())
                    .isSuccess();
        }
        DedupRow row = shard.image().dedup().get(0);
        assertThat(row.end() - row.first()).isEqualTo(40_000);
        assertThat(finds("id-999")).isEqualTo(Finding.UNKNOWN);
        assertThat(finds("id-1000")).isEqualTo(Finding.STORED);
        shard.restarts();
        reconnects();
        assertThat(shard.store().stored().stream()
                        .mapToLong(changes -> changes.dedupBlocks().size())
                        .sum())
                .isEqualTo(41_000 / DedupBlock.IDS);
        assertThat(finds("id-1000")).isEqualTo(Finding.STORED);
        assertThat(finds("id-40999")).isEqualTo(Finding.STORED);
        assertThat(finds("id-41000")).isEqualTo(Finding.UNKNOWN);
        assertThat(shard.image().dedup()).containsExactly(row);
    }

    @Test
    void shouldLeaveOutTheWholeTransactionWhenItsOneIdIsARepeat() {
        sends("x:1", "x:2").isSuccess();
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        List<PartitionBatch> sends = List.of(aSend("bills", "t:1", "plain"), aSend("orders", "unmarked"));
        client.commits(1, sends, List.of()).isSuccess();
        client.commits(2, sends, List.of(consumer.aSettlementOf("x:1"))).isSuccess();
        assertThat(stored("bills")).containsExactly("t:1", "plain");
        assertThat(leftOut()).isEqualTo(4);
        client.closes();
        reconnects();
        assertThat(stored("orders")).containsExactly("unmarked");
    }

    @Test
    void shouldStoreWhatIsNewsOfATransactionAndWhatHasNoId() {
        sends("a:1").isSuccess();
        client.commits(1, List.of(aSend("orders", "a:2", "b:3", "b:4", "plain")), List.of())
                .isSuccess();
        assertThat(stored("orders")).containsExactly("a:1", "b:3", "plain");
    }

    @Test
    void shouldNeitherTakeNorLeaveOutWhileAPreparedBranchHasTheId() {
        client.asks(new Prepare.Request(0, ONE, List.of(aSend("orders", "a:1")), List.of()))
                .isSuccess();
        sends("a:2").isRefusedWith(ErrorCode.DEDUP_ID_UNDECIDED);
        shard.restarts();
        reconnects();
        sends("a:3").isRefusedWith(ErrorCode.DEDUP_ID_UNDECIDED);
        client.asks(new Prepare.Request(0, TWO, List.of(aSend("orders", "a:4")), List.of()))
                .isRefusedWith(ErrorCode.DEDUP_ID_UNDECIDED);
        assertThat(finds("a")).isEqualTo(Finding.UNDECIDED);
        client.asks(new EndBranch.Request(0, ONE, true)).isSuccess();
        sends("a:5").isSuccess();
        assertThat(finds("a")).isEqualTo(Finding.STORED);
        assertThat(stored("orders")).containsExactly("a:1");
    }

    @Test
    void shouldTakeTheIdWhenTheBranchThatHadItIsRolledBack() {
        client.asks(new Prepare.Request(0, ONE, List.of(aSend("orders", "a:1")), List.of()))
                .isSuccess();
        client.asks(new EndBranch.Request(0, ONE, false)).isSuccess();
        sends("a:2").isSuccess();
        assertThat(stored("orders")).containsExactly("a:2");
    }

    @Test
    void shouldLeaveOutOfABranchWhatIsStored() {
        sends("a:1").isSuccess();
        Prepare.Request one =
                new Prepare.Request(0, ONE, List.of(aSend("bills", "c:3"), aSend("orders", "a:2", "b:3")), List.of());
        client.asks(one).isSuccess();
        client.asks(one).isSuccess();
        client.asks(new Prepare.Request(0, ONE, List.of(aSend("orders", "a:2", "d:3")), List.of()))
                .isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.asks(new Prepare.Request(0, TWO, List.of(aSend("orders", "a:4", "guarded")), List.of()))
                .isSuccess();
        client.asks(new EndBranch.Request(0, ONE, true)).isSuccess();
        client.asks(new EndBranch.Request(0, TWO, true)).isSuccess();
        assertThat(stored("orders")).containsExactly("a:1", "b:3");
    }

    @Test
    void shouldForgetTheIdsOfADestinationThatIsDeleted() {
        client.knowsTemporary("temp.x", DestinationKind.TEMPORARY_QUEUE, 9);
        client.publishes("temp.x", Acks.ALL, Batches.of("a:1").withDedupIds()).isSuccess();
        assertThat(shard.image().dedup()).hasSize(1);
        client.asks(new DeleteDestination.Request("temp.x")).isSuccess();
        client.knowsTemporary("temp.x", DestinationKind.TEMPORARY_QUEUE, 9);
        client.publishes("temp.x", Acks.ALL, Batches.of("a:2").withDedupIds()).isSuccess();
        shard.passes(Duration.ofSeconds(20));
        assertThat(shard.store().last()).contains(shard.image());
        assertThat(shard.image().dedup()).hasSize(1);
    }

    @Test
    void shouldRefuseAMessageThatSaysItHasAnIdAndDoesNot() {
        ByteBuffer batch = Batches.of("a:1").withDedupIds().batch();
        int header = RecordBatch.HEADER_LENGTH + MessageRecord.HEADER_LENGTH;
        batch.put(header, (byte) 1);
        RecordBatch.seal(batch, true, 0, 0, -1, 1);
        client.asks(new Publish.Request(0, client.partitionOf("orders"), Acks.ALL, batch))
                .isRefusedWith(ErrorCode.CORRUPT_BATCH);
    }
}
