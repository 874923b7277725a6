package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Publish.Acks;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a producer's id, epoch and sequences are worth: each batch once and in order, whatever is repeated, and after what. */
class IdempotentPublishTest {
    private static final List<Consumer<TestShard>> ENDS = List.of(
            TestShard::restarts,
            TestShard::isKilledAndRestarts,
            TestShard::losesPowerAndRestarts,
            TestShard::restartsWithoutImage);

    private TestShard shard = aShard().with("partitions", "2").started();
    private TestClient client = shard.aClient().knowsQueue("orders");

    private Answer publishes(int partition, Batches batch) {
        return client.publishes(client.partitionOf("orders", partition), Acks.ALL, batch);
    }

    private void restarts(Consumer<TestShard> end) {
        end.accept(shard);
        client = shard.aClient().knowsQueue("orders");
    }

    @Test
    void shouldTellRepeatsOverlapsAndOldEpochsAfterEveryRestart() {
        publishes(0, Batches.of("m0", "m1", "m2").by(7, 3, 10)).isSuccess();
        for (Consumer<TestShard> end : ENDS) {
            restarts(end);
            publishes(0, Batches.of("m0", "m1", "m2").by(7, 3, 10)).isSuccess();
            publishes(0, Batches.of("m2", "m3").by(7, 3, 12)).isRefusedWith(ErrorCode.OUT_OF_ORDER_SEQUENCE);
            publishes(0, Batches.of("m1").by(7, 3, 4)).isRefusedWith(ErrorCode.OUT_OF_ORDER_SEQUENCE);
            publishes(0, Batches.of("m9").by(7, 2, 13)).isRefusedWith(ErrorCode.PRODUCER_FENCED);
        }
        publishes(1, Batches.of("n0").by(7, 2, 0)).isSuccess(); // sequences and epochs are those of a partition
        publishes(0, Batches.of("m3").by(7, 4, 0)).isSuccess();
        publishes(0, Batches.of("m4").by(7, 3, 14)).isRefusedWith(ErrorCode.PRODUCER_FENCED);
        assertThat(client.consumes("orders").withCredit(9).receives())
                .containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "n0");
    }

    /** Many batches on their way; kills lose answers, and batches; all that are unanswered are sent again, in order. */
    @Test
    void shouldKeepOrderWithManyInFlightWhenAnswersAreLost() {
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            shard = aShard().started();
            client = shard.aClient().knowsQueue("orders");
            List<String> texts = new ArrayList<>();
            List<Batches> batches = batches(texts, random);
            int answered = 0;
            while (answered < batches.size()) {
                answered = sendsSome(batches, answered, random);
                if (random.nextInt(3) == 0) {
                    restarts(ENDS.get(random.nextInt(ENDS.size())));
                }
            }
            assertThat(client.consumes("orders").withCredit(300).receives())
                    .as("seed " + seed)
                    .containsExactlyElementsOf(texts);
        }
    }

    private static List<Batches> batches(List<String> texts, Random random) {
        List<Batches> batches = new ArrayList<>();
        while (texts.size() < 200) {
            int first = texts.size();
            String[] some = new String[1 + random.nextInt(4)];
            for (int i = 0; i < some.length; i++) {
                some[i] = "m" + (first + i);
            }
            texts.addAll(List.of(some));
            batches.add(Batches.of(some).by(7, 0, first));
        }
        return batches;
    }

    /** Sends from the first unanswered on, and lets only some syncs happen; returns the first of which no answer came. */
    private int sendsSome(List<Batches> batches, int from, Random random) {
        shard.log().holdSyncs();
        List<Answer> answers = new ArrayList<>();
        for (int i = from; i < Math.min(batches.size(), from + 1 + random.nextInt(40)); i++) {
            answers.add(publishes(0, batches.get(i)));
            if (random.nextInt(10) == 0) {
                shard.log().sync();
                shard.run();
            }
        }
        int answered = (int) answers.stream().filter(Answer::isThere).count();
        answers.subList(0, answered).forEach(Answer::isSuccess);
        return from + (random.nextBoolean() ? answered : random.nextInt(answered + 1));
    }
}
