package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.NodeClient.Handed;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.Commit.ShardPart;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.Prepare;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dedup ids that guard transactions over several shards: queues a, b and c lie in shards 0, 1 and 2. */
class SpanningDedupTest {
    private TestNode node = TestNode.ofShards(3, 1).started();
    private NodeClient client;

    private void connect() {
        client = node.aClient();
        client.knowsQueue("a").knowsQueue("b").knowsQueue("c");
    }

    private PartitionBatch to(String queue, String... texts) {
        return new PartitionBatch(
                client.place(queue).partition(), Batches.of(texts).batch());
    }

    private PartitionBatch withId(String queue, String id, String text) {
        Batches messages = Batches.of(text).each(none -> Records.aRecord().withDedupId(id));
        return new PartitionBatch(client.place(queue).partition(), messages.batch());
    }

    private static Commit.Request commit(long producer, int shard, List<PartitionBatch> own, ShardPart... others) {
        return new Commit.Request(shard, producer, 0, 1, own, List.of(), "", List.of(others));
    }

    private static ShardPart part(int shard, PartitionBatch... batches) {
        return new ShardPart(shard, List.of(batches), List.of());
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

    private void requireNothingPrepared() {
        for (int shard = 0; shard < 3; shard++) {
            assertThat(node.image(shard).branches()).isEmpty();
        }
    }

    /** @param coordinator with the id, or without */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldStoreNothingInAnyShardWhenTheIdThatGuardsATransactionIsARepeat(int coordinator) {
        connect();
        for (long producer = 1; producer <= 2; producer++) {
            String round = " " + producer;
            List<ShardPart> parts = List.of(
                    part(0, to("a", "a" + round)),
                    part(1, withId("b", "id", "b" + round), to("b", "plain" + round)),
                    part(2, to("c", "c" + round)));
            ShardPart[] others =
                    parts.stream().filter(one -> one.shard() != coordinator).toArray(ShardPart[]::new);
            client.asks(commit(producer, coordinator, parts.get(coordinator).batches(), others))
                    .isSuccess();
        }
        client.closes();

        assertThat(queues()).containsExactlyInAnyOrder("a 1", "b 1", "plain 1", "c 1");
        requireNothingPrepared();
        node.losesPowerAndRestarts();
        assertThat(queues()).containsExactlyInAnyOrder("a 1", "b 1", "plain 1", "c 1");
    }

    @Test
    void shouldStoreAllButTheRepeatsWhenAnIdInAnotherShardIsNews() {
        connect();
        client.asks(commit(1, 1, List.of(withId("b", "old", "b 1")), part(0, to("a", "a 1"))))
                .isSuccess();

        client.asks(commit(
                        2,
                        1,
                        List.of(withId("b", "old", "b 2"), to("b", "plain 2")),
                        part(2, withId("c", "new", "c 2"))))
                .isSuccess();
        client.closes();

        assertThat(queues()).containsExactlyInAnyOrder("a 1", "b 1", "plain 2", "c 2");
    }

    @Test
    void shouldSettleWhatARepeatedTransactionAccepts() {
        connect();
        client.asks(commit(1, 1, List.of(withId("b", "id", "b 1")))).isSuccess();
        client.publishes(client.place("c"), "given");
        client.consumes("c", SubscriptionKind.QUEUE, "", 10);
        Handed given = client.handed().get(0);

        client.asks(commit(
                        2,
                        1,
                        List.of(withId("b", "id", "b 2")),
                        new ShardPart(2, List.of(to("c", "c 2")), List.of(given.settlement()))))
                .isSuccess();
        client.closes();

        assertThat(queues()).containsExactly("b 1");
    }

    @Test
    void shouldRefuseATransactionWhenAnUndecidedBranchHasItsId() {
        connect();
        client.asks(prepare(9, "id", 1)).isSuccess();

        client.asks(commit(2, 0, List.of(to("a", "x")), part(1, withId("b", "id", "b 2"))))
                .isRefusedWith(ErrorCode.DEDUP_ID_UNDECIDED);
        requireNoMoreThan(1);
    }

    /** In shards 0 and 1. */
    private void requireNoMoreThan(int prepared) {
        assertThat(node.image(0).branches()).hasSize(prepared);
        assertThat(node.image(1).branches()).hasSize(prepared);
    }

    private static BranchId branch(long number) {
        ByteBuffer name = ByteBuffer.allocate(Long.BYTES).putLong(0, number);
        return new BranchId(3, name, name.duplicate());
    }

    private Prepare.Request prepare(long number, String id, int round) {
        return new Prepare.Request(
                0,
                branch(number),
                List.of(to("a", "a " + round)),
                List.of(),
                List.of(part(1, withId("b", id, "b " + round))));
    }

    @Test
    void shouldStoreNothingOfABranchWhenItsIdIsARepeat() {
        connect();
        client.asks(commit(1, 1, List.of(withId("b", "id", "b 1")))).isSuccess();

        client.asks(prepare(7, "id", 2)).isSuccess();
        client.asks(prepare(7, "id", 2)).isSuccess(); // a repeat whose answer was lost
        node.losesPowerAndRestarts();
        connect();
        client.asks(new EndBranch.Request(0, branch(7), true)).isSuccess();
        client.closes();

        assertThat(queues()).containsExactly("b 1");
        requireNothingPrepared();
    }
}
