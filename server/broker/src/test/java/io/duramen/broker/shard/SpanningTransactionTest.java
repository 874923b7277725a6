package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.NodeClient.Handed;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestBody;
import io.duramen.broker.kit.TestNode;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ShardPart;
import io.duramen.protocol.frame.InitProducer;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.StorePart;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.protocol.frame.TransactionOutcome.Verdict;
import io.duramen.protocol.record.LargeBody;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Local transactions over several shards: queues a, b and c lie in shards 0, 1 and 2. */
class SpanningTransactionTest {
    private static final long PRODUCER = 77;

    private TestNode node = TestNode.ofShards(3, 1).started();
    private NodeClient client;

    private static SpanningTransactionTest with(long seed) {
        SpanningTransactionTest run = new SpanningTransactionTest();
        run.node = TestNode.ofShards(3, seed).started();
        return run;
    }

    private void connect() {
        client = node.aClient();
        client.knowsQueue("a").knowsQueue("b").knowsQueue("c");
    }

    /** Sends to all three queues and accepts what is given. */
    private Commit.Request transaction(long sequence, Handed... accepted) {
        List<ShardPart> others = Stream.of(1, 2)
                .map(shard -> new ShardPart(
                        shard,
                        List.of(client.aSend(shard == 1 ? "b" : "c", "to " + shard)),
                        Stream.of(accepted)
                                .filter(one -> one.shard() == shard)
                                .map(Handed::settlement)
                                .toList()))
                .toList();
        return new Commit.Request(
                0,
                PRODUCER,
                0,
                sequence,
                List.of(client.aSend("a", "to 0")),
                Stream.of(accepted)
                        .filter(one -> one.shard() == 0)
                        .map(Handed::settlement)
                        .toList(),
                "",
                others);
    }

    private List<String> queues() {
        NodeClient reader = node.aClient();
        for (String queue : List.of("a", "b", "c")) {
            reader.knowsQueue(queue).consumes(queue, SubscriptionKind.QUEUE, "", 100);
        }
        List<String> texts = reader.texts();
        reader.vanishes();
        return texts;
    }

    private Handed given(String queue, String text) {
        client.publishes(client.place(queue), text);
        client.consumes(queue, SubscriptionKind.QUEUE, "", 10);
        return client.handed().stream()
                .filter(one -> one.text().equals(text))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldPlaceQueuesInTheEmptiestShard() {
        connect();

        assertThat(client.place("a").shard()).isZero();
        assertThat(client.place("b").shard()).isEqualTo(1);
        assertThat(client.place("c").shard()).isEqualTo(2);
    }

    @Test
    void shouldRefuseItWhereOneOfItsDestinationsIsFull() {
        connect();
        List<String> full = List.of("a", "c");
        for (int before = 0; before < full.size(); before++) {
            node.asks(0, new OperatorRequest.ChangeDestination(full.get(before), "max-messages:" + (before + 1)));
            node.run();
            client.asks(transaction(2 * before + 1)).isSuccess();
            client.asks(transaction(2 * before + 2)).isRefusedWith(ErrorCode.DESTINATION_FULL);
            node.asks(0, new OperatorRequest.ChangeDestination(full.get(before), "max-messages:"));
            node.run();
        }
        assertThat(queues()).containsExactlyInAnyOrder("to 0", "to 0", "to 1", "to 1", "to 2", "to 2");
    }

    @Test
    void shouldHandOutWhatAPartBroughtOnlyOnceItIsOnDisk() {
        connect();
        NodeClient reader = node.aClient();
        reader.knowsQueue("b").consumes("b", SubscriptionKind.QUEUE, "", 10);
        node.dyingAt(ShardMessage.FinishBranch.class::isInstance);
        client.says(transaction(1));
        node.run();
        node.withoutSync(1).lives();
        node.run();
        assertThat(reader.texts())
                .as("it may get another place after a power cut")
                .isEmpty();

        node.withoutSync(-1).run();
        assertThat(reader.texts()).containsExactly("to 1");
    }

    @Test
    void shouldCommitInEveryShardWhenAllCan() {
        connect();
        Handed one = given("b", "one");
        Handed two = given("a", "two");

        client.asks(transaction(1, one, two)).isSuccess();
        client.closes();

        assertThat(queues()).containsExactly("to 0", "to 1", "to 2");
        node.restarts();
        assertThat(queues()).containsExactly("to 0", "to 1", "to 2");
        assertThat(node.image(0).branches()).isEmpty();
        assertThat(node.image(1).branches()).isEmpty();
    }

    @Test
    void shouldCommitNowhereWhenOneShardRefuses() {
        connect();
        Handed one = given("b", "one");
        Handed two = given("a", "two");
        client.asks(new Settle.Request(
                        1,
                        one.consumer(),
                        one.partition(),
                        one.settlement().ranges(),
                        Settle.Outcome.ACCEPTED,
                        0,
                        true))
                .isSuccess();

        client.asks(transaction(1, one, two)).isRefusedWith(ErrorCode.LEASE_LOST);

        assertThat(node.image(2).branches()).isEmpty();
        client.closes();
        assertThat(queues()).containsExactly("two");
    }

    @Test
    void shouldLeaveDeliveriesWithTheirConsumerWhenATransactionIsRefused() {
        connect();
        Handed one = given("b", "one");
        Commit.Request broken = new Commit.Request(
                0,
                PRODUCER,
                0,
                1,
                List.of(),
                List.of(),
                "",
                List.of(
                        new ShardPart(1, List.of(), List.of(one.settlement())),
                        new ShardPart(
                                2,
                                List.of(new Commit.PartitionBatch(
                                        999, client.aSend("c", "x").batch())),
                                List.of())));
        client.asks(broken).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);

        client.asks(transaction(2, one)).isSuccess();

        client.closes();
        assertThat(queues()).containsExactly("to 0", "to 1", "to 2");
    }

    @Test
    void shouldAnswerARepeatAsTheFirstWhenItComesWhileThatIsOnItsWay() {
        connect();
        Answer first = client.says(transaction(1));
        node.step();
        Answer second = client.asks(transaction(1));

        first.isSuccess();
        second.isSuccess();
        client.asks(transaction(1)).isSuccess();
        client.closes();
        assertThat(queues()).containsExactly("to 0", "to 1", "to 2");
    }

    @Test
    void shouldRefuseATransactionForGoodWhenSomebodyAskedAfterItOnItsWay() {
        connect();
        node.dyingAt(message -> message instanceof ShardMessage.PrepareBranch);
        Answer commit = client.says(transaction(1));
        while (node.step()) {
            // until the others have been told to prepare
        }
        node.dyingAt(message -> false).lives();
        Verdict verdict = client.asks(new TransactionOutcome.Request(0, PRODUCER, 0, 1))
                .response(TransactionOutcome.Response.class)
                .verdict();

        assertThat(verdict).isEqualTo(Verdict.NOT_COMMITTED);
        commit.isRefusedWith(ErrorCode.TRANSACTION_GIVEN_UP);
        client.asks(transaction(1)).isRefusedWith(ErrorCode.TRANSACTION_GIVEN_UP);
        client.closes();
        assertThat(queues()).isEmpty();
    }

    @Test
    void shouldAnswerWhoAskedAfterItWhenTheLogStopsBeforeItIsGivenUpEverywhere() {
        connect();
        node.dyingAt(message -> message instanceof ShardMessage.PrepareBranch);
        Answer commit = client.says(transaction(1));
        while (node.step()) {
            // until the others have been told to prepare
        }
        node.dyingAt(message -> message instanceof ShardMessage.FinishBranch).lives();
        Answer outcome = client.says(new TransactionOutcome.Request(0, PRODUCER, 0, 1));
        while (node.step()) {
            // until they have been told to drop it
        }
        node.dyingAt(message -> false).lives();
        node.log(0).fail("EIO");
        node.run();

        outcome.isRefusedWith(ErrorCode.SHARD_STOPPED);
        commit.isRefusedWith(ErrorCode.TRANSACTION_GIVEN_UP);
        client.asks(transaction(2)).isRefusedWith(ErrorCode.SHARD_STOPPED);
    }

    @Test
    void shouldNotCommitWhenItsProducerWasTakenOverWhileTheOthersPrepared() {
        connect();
        InitProducer.Response first =
                client.asks(new InitProducer.Request(0, "mover", 1, 1001)).response(InitProducer.Response.class);
        Commit.Request plain = transaction(((long) first.epoch() << 32) + 1);
        Commit.Request commit = new Commit.Request(
                0,
                first.producerId(),
                first.epoch(),
                plain.sequence(),
                plain.batches(),
                plain.settlements(),
                "bill",
                plain.others());
        node.dyingAt(message -> message instanceof ShardMessage.PrepareBranch);
        Answer answer = client.says(commit);
        while (node.step()) {
            // until the others have been told to prepare
        }
        node.dyingAt(message -> false).lives();
        InitProducer.Response second =
                client.asks(new InitProducer.Request(0, "mover", 2, 1002)).response(InitProducer.Response.class);

        assertThat(second).isEqualTo(new InitProducer.Response(first.producerId(), 2, 0, ""));
        answer.isRefusedWith(ErrorCode.PRODUCER_FENCED);
        client.closes();
        assertThat(queues()).isEmpty();
        assertThat(node.image(1).branches()).isEmpty();
    }

    private Commit.Request ofOthers(long sequence, ShardPart... others) {
        return new Commit.Request(0, PRODUCER, 0, sequence, List.of(), List.of(), "", List.of(others));
    }

    private ShardPart to(int shard, int partition, Batches messages) {
        return new ShardPart(shard, List.of(new Commit.PartitionBatch(partition, messages.batch())), List.of());
    }

    private LargeBody aBody(PartitionRef place) {
        TestBody body = TestBody.aBody(place.partition(), 5);
        long offset = client.asks(new StorePart.Request(1, place.partition(), Acks.ALL, body.part(0, "long")))
                .response(StorePart.Response.class)
                .offset();
        return body.pretending(offset, "long".length()).body();
    }

    @Test
    void shouldLeaveOutRepeatsInEveryShardAlsoWhenCommittedOnceMore() {
        connect();
        PartitionRef b = client.place("b");
        Batches first = Batches.of("a:1").withDedupIds();
        client.asks(new Publish.Request(1, b.partition(), Acks.ALL, first.batch()))
                .isSuccess();
        LargeBody body = aBody(b);
        Batches again = Batches.of("a:1", "", "b:1")
                .each(text -> text.isEmpty()
                        ? Records.aRecord().withDedupId("a").large(body)
                        : Records.aRecord().withDedupId(text.substring(0, 1)));
        ShardPart repeats = to(1, b.partition(), again);

        client.asks(ofOthers(1, repeats, to(2, 999, Batches.of("x")))).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        assertThat(leftOut(1)).isZero();
        client.asks(ofOthers(2, repeats, to(2, client.place("c").partition(), Batches.of("c:1"))))
                .isSuccess();

        assertThat(leftOut(1)).isEqualTo(2);
        assertThat(node.image(1).openBodies()).isEmpty();
        client.closes();
        assertThat(queues()).containsExactly("a:1", "b:1", "c:1");
    }

    private long leftOut(int shard) {
        return node.image(shard).dedup().stream().mapToLong(DedupRow::leftOut).sum();
    }

    static Stream<Class<? extends ShardMessage>> steps() {
        return Stream.of(
                ShardMessage.PrepareBranch.class,
                ShardMessage.Voted.class,
                ShardMessage.FinishBranch.class,
                ShardMessage.Finished.class);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void shouldBeWholeWhenTheNodeDiesAtAStep(Class<? extends ShardMessage> step) {
        for (boolean power : new boolean[] {false, true}) {
            for (int nth = 1; nth <= 4; nth++) {
                for (long seed = 1; seed <= 20; seed++) {
                    dieAt(step, nth, power, seed);
                }
            }
        }
    }

    private static void dieAt(Class<? extends ShardMessage> step, int nth, boolean power, long seed) {
        String what =
                "killed at " + step.getSimpleName() + " " + nth + (power ? ", without power" : "") + ", seed " + seed;
        SpanningTransactionTest run = with(seed);
        run.connect();
        Handed one = run.given("b", "one");
        int[] count = new int[1];
        run.node.withLazyDisks().dyingAt(message -> step.isInstance(message) && ++count[0] == nth);
        Answer commit = run.client.asks(run.transaction(1, one));
        boolean answered = commit.isThere();
        if (power) {
            run.node.losesPowerAndRestarts();
        } else {
            run.node.isKilledAndRestarts();
        }
        assertThat(run.node.isSettled()).as(what).isTrue();
        run.client = run.node.aClient();
        Verdict verdict = run.client
                .asks(new TransactionOutcome.Request(0, PRODUCER, 0, 1))
                .response(TransactionOutcome.Response.class)
                .verdict();
        if (answered) {
            assertThat(verdict).as(what).isEqualTo(Verdict.COMMITTED);
        }
        List<String> expected = verdict == Verdict.COMMITTED ? List.of("to 0", "to 1", "to 2") : List.of("one");
        assertThat(run.queues()).as(what).isEqualTo(expected);
        for (int shard = 0; shard < 3; shard++) {
            assertThat(run.node.image(shard).branches()).as(what).isEmpty();
        }
    }
}
