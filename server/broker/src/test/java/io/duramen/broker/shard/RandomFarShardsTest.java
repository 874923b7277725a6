package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.NodeClient.Handed;
import io.duramen.broker.kit.TestNode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.Commit.ShardPart;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.protocol.frame.TransactionOutcome.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tokens are moved between queues of several shards by transactions, while shards get other leaders, one by one, and what they say to each other
 * is lost, repeated and late: each token is where its last committed transaction has put it, and nowhere else. Queues that are made
 * meanwhile are in their shards.
 */
class RandomFarShardsTest {
    private static final int RUNS = Integer.getInteger("broker.far.runs", 60);
    private static final int SHARDS = 3;
    private static final int MOVES = 12;
    private static final List<String> QUEUES = List.of("a", "b", "c");
    private static final long PRODUCER = 77;

    private SplittableRandom random;
    private TestNode node;
    private NodeClient client;
    private final TreeMap<String, String> queueByToken = new TreeMap<>();
    private final List<String> made = new ArrayList<>();
    private long sequence;

    private void start(long seed) {
        random = new SplittableRandom(seed);
        node = TestNode.ofShards(SHARDS, seed)
                .overNodes()
                .with("redelivery-delay", "0s")
                .with("deliveries-max", "0")
                .withLazyDisks()
                .started();
        connect();
        for (int token = 0; token < 5; token++) {
            String queue = QUEUES.get(random.nextInt(QUEUES.size()));
            client.publishes(client.place(queue), "t" + token).isSuccess();
            queueByToken.put("t" + token, queue);
        }
    }

    private void connect() {
        client = node.aClient();
        QUEUES.forEach(client::knowsQueue);
    }

    /** One token that the client was given. */
    private Handed given() {
        QUEUES.forEach(queue -> client.consumes(queue, SubscriptionKind.QUEUE, "", 10));
        List<Handed> handed = client.handed();
        assertThat(handed.stream().map(Handed::text))
                .as("settled: %s, %s, prepared: %s", node.isSettled(), queueByToken, prepared())
                .containsExactlyInAnyOrderElementsOf(queueByToken.keySet());
        handed.forEach(
                one -> assertThat(client.place(queueByToken.get(one.text())).partition())
                        .as(one.text())
                        .isEqualTo(one.partition()));
        return handed.get(random.nextInt(handed.size()));
    }

    private List<Integer> prepared() {
        return IntStream.range(0, SHARDS)
                .mapToObj(shard -> node.image(shard).branches().size())
                .toList();
    }

    private void move() {
        Handed token = given();
        String to = QUEUES.get(random.nextInt(QUEUES.size()));
        int home = random.nextBoolean() ? token.shard() : client.place(to).shard();
        Answer answer = client.says(transaction(home, token, to));
        suffer();
        node.run();
        node.withFaultyLinks(false).run();
        boolean answered = answer.hasSucceeded();
        client.vanishes();
        connect();
        Verdict verdict = client.asks(new TransactionOutcome.Request(home, PRODUCER, 0, sequence))
                .response(TransactionOutcome.Response.class)
                .verdict();
        assertThat(!answered || verdict == Verdict.COMMITTED)
                .as("%s was answered", sequence)
                .isTrue();
        if (verdict == Verdict.COMMITTED) {
            queueByToken.put(token.text(), to);
        }
    }

    private Commit.Request transaction(int home, Handed token, String to) {
        PartitionBatch send = new PartitionBatch(
                client.place(to).partition(), Batches.of(token.text()).batch());
        List<ShardPart> others = new ArrayList<>();
        List<PartitionBatch> sends = new ArrayList<>();
        List<ConsumerSettlement> settlements = new ArrayList<>();
        if (client.place(to).shard() == home) {
            sends.add(send);
        } else {
            others.add(new ShardPart(client.place(to).shard(), List.of(send), List.of()));
        }
        if (token.shard() == home) {
            settlements.add(token.settlement());
        } else {
            others.add(new ShardPart(token.shard(), List.of(), List.of(token.settlement())));
        }
        return new Commit.Request(home, PRODUCER, 0, ++sequence, sends, settlements, "", others);
    }

    /** Some steps, in which leaders are lost. */
    private void suffer() {
        if (random.nextInt(3) == 0) {
            made.add("made " + made.size());
            client.says(new ResolveDestination.Request(made.get(made.size() - 1), DestinationKind.QUEUE, true));
        }
        node.withFaultyLinks(random.nextInt(3) > 0);
        for (int step = random.nextInt(200); step > 0; step--) {
            node.step();
            if (random.nextInt(60) == 0) {
                node.failsOver(random.nextInt(SHARDS));
            }
            if (random.nextInt(60) == 0) {
                node.breaksLinks();
            }
        }
    }

    private void run(long seed) {
        start(seed);
        for (int i = 0; i < MOVES; i++) {
            move();
        }
        node.withFaultyLinks(false).run();
        given();
        made.forEach(queue ->
                client.knowsQueue(queue).publishes(client.place(queue), "text").isSuccess());
        node.run();
        assertThat(node.isSettled()).isTrue();
        assertThat(prepared()).containsOnly(0);
    }

    @Test
    void shouldKeepEveryTokenOnceWhenShardsGetOtherLeadersOneByOne() {
        for (long seed = 1; seed <= RUNS; seed++) {
            try {
                new RandomFarShardsTest().run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
