package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.Publish.Acks;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A shard that leads no more comes to the state that its successor has, whatever it had on its way itself. */
class DeposedShardTest {
    private static final int RUNS = 300;
    private static final int IDS = 12;
    private static final int PRODUCER = 9;

    /** A shard that is asked at random; the same where what it draws is. */
    private static final class Life {
        private final TestShard shard = aShard().with("dedup-ids-max", "20")
                .with("redelivery-delay", "0s")
                .started();
        private final TestClient client = shard.aClient().knowsQueue("orders").knowsQueue("bills");
        private final TestConsumer consumer = client.consumes("orders").withCredit(1_000);
        private final ArrayDeque<String> held = new ArrayDeque<>();
        private final ArrayDeque<BranchId> branches = new ArrayDeque<>();
        private int messages;
        private long sequence;
        private long transaction;

        private PartitionBatch aSend(SplittableRandom random) {
            return new PartitionBatch(
                    client.partitionOf(random.nextBoolean() ? "bills" : "orders"),
                    Batches.of(text(random)).withDedupIds().batch());
        }

        private void publish(SplittableRandom random) {
            String[] texts = new String[1 + random.nextInt(3)];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = text(random);
            }
            Batches batch = Batches.of(texts).withDedupIds();
            boolean sequenced = random.nextBoolean();
            client.publishes("orders", Acks.ALL, sequenced ? batch.by(PRODUCER, 0, sequence) : batch);
            sequence += sequenced ? texts.length : 0;
        }

        private String text(SplittableRandom random) {
            String id = random.nextInt(4) == 0 ? "" : "id-" + random.nextInt(IDS) + ":";
            return id + "m" + ++messages;
        }

        private void prepare(SplittableRandom random) {
            ByteBuffer name = ByteBuffer.allocate(Integer.BYTES).putInt(0, ++messages);
            BranchId id = new BranchId(7, name, name);
            client.asks(new Prepare.Request(0, id, List.of(aSend(random)), List.of()));
            branches.add(id);
        }

        private void settle(SplittableRandom random) {
            held.addAll(consumer.receives());
            if (held.isEmpty()) {
                return;
            }
            String text = held.poll();
            if (random.nextBoolean()) {
                consumer.accepts(text);
            } else {
                consumer.rejects(text);
            }
        }

        void works(SplittableRandom random, int steps) {
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> publish(random);
                    case 2 -> client.commits(++transaction, List.of(aSend(random)), List.of());
                    case 3 -> prepare(random);
                    case 4 -> settle(random);
                    default -> {
                        if (!branches.isEmpty()) {
                            client.asks(new EndBranch.Request(0, branches.poll(), random.nextBoolean()));
                        }
                    }
                }
            }
        }
    }

    @Test
    void shouldComeToTheStateOfItsSuccessor() {
        for (long seed = 1; seed <= RUNS; seed++) {
            Life deposed = new Life();
            Life successor = new Life();
            int before = new SplittableRandom(seed).nextInt(30);
            deposed.works(new SplittableRandom(seed), before);
            successor.works(new SplittableRandom(seed), before);
            assertThat(deposed.shard.image()).as("seed %d", seed).isEqualTo(successor.shard.image());

            deposed.shard.log().holdWrites();
            deposed.works(new SplittableRandom(-seed), 10);
            successor.works(new SplittableRandom(-2 * seed), 10);
            deposed.shard.log().succeededBy(successor.shard.medium());
            deposed.shard.run();
            assertThat(deposed.shard.agent().over()).as("seed %d", seed).isCompleted();
            assertThat(deposed.shard.image()).as("seed %d", seed).isEqualTo(successor.shard.image());
        }
    }
}
