package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Publish.Acks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** JMS 3.1 §3.4.10: higher priorities before lower ones, each in the order of its sending. */
class PriorityTest {
    private TestShard shard =
            aShard().with("window", "16").with("redelivery-delay", "0s").started();
    private TestClient client = shard.aClient().knowsQueue("orders");

    private void publishes(int priority, String... texts) {
        client.publishes("orders", Acks.ALL, Batches.of(texts).withPriority(priority))
                .isSuccess();
    }

    @Test
    void shouldHandOutHigherPrioritiesFirst() {
        publishes(4, "usual1", "usual2");
        publishes(0, "low");
        publishes(9, "high1", "high2");
        publishes(4, "usual3");
        assertThat(client.consumes("orders").withCredit(10).receives())
                .containsExactly("high1", "high2", "usual1", "usual2", "usual3", "low");
    }

    @Test
    void shouldHandOutWhatCameBackBeforeLaterOnesOfItsPriority() {
        publishes(9, "high1", "high2");
        publishes(4, "usual");
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        assertThat(consumer.receives()).containsExactly("high1");
        publishes(9, "high3");
        consumer.rejects("high1").isSuccess();
        consumer.withCredit(9);
        assertThat(consumer.receives()).containsExactly("high1", "high2", "high3", "usual");
        consumer.isRedelivered("high1", 2);
    }

    @Test
    void shouldFindAHigherPriorityBehindAFullWindow() {
        String[] backlog = IntStream.range(0, 500).mapToObj(i -> "usual" + i).toArray(String[]::new);
        publishes(4, backlog);
        publishes(5, "better1", "better2");
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        assertThat(consumer.receives()).containsExactly("better1");
        publishes(7, "best");
        consumer.withCredit(3);
        assertThat(consumer.receives()).containsExactly("best", "better2", "usual0");
        publishes(9, "late");
        consumer.withCredit(500);
        List<String> rest = new ArrayList<>(List.of("late"));
        rest.addAll(List.of(backlog).subList(1, 500));
        assertThat(consumer.receives()).isEqualTo(rest);
    }

    @Test
    void shouldFindTheUsualBehindAWindowFullOfLow() {
        publishes(0, IntStream.range(0, 200).mapToObj(i -> "low" + i).toArray(String[]::new));
        publishes(4, "usual");
        assertThat(client.consumes("orders").withCredit(2).receives()).containsExactly("usual", "low0");
    }

    @Test
    void shouldHandOutEachOnceHoweverOftenHigherOnesOvertake() {
        TestConsumer consumer = client.consumes("orders").withCredit(1);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            publishes(i * 7 % 10, "m" + i);
            sent.add("m" + i);
            if (i % 3 == 0) {
                consumer.withCredit(1);
            }
        }
        consumer.withCredit(1000);
        assertThat(consumer.receives()).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void shouldObeyPrioritiesAfterARestart() {
        publishes(4, "usual");
        publishes(9, "high");
        shard = shard.restarts();
        client = shard.aClient().knowsQueue("orders");
        assertThat(client.consumes("orders").withCredit(2).receives()).containsExactly("high", "usual");
        shard = shard.restartsWithoutImage();
        client = shard.aClient().knowsQueue("orders");
        assertThat(client.consumes("orders").withCredit(2).receives()).containsExactly("high", "usual");
    }

    @Test
    void shouldFetchWhatIsCold() {
        publishes(4, "usual");
        publishes(9, "high");
        shard.log().readCold();
        TestConsumer consumer = client.consumes("orders").withCredit(2);
        assertThat(consumer.receives()).isEmpty();
        shard.log().fetch();
        shard.run();
        assertThat(consumer.receives()).containsExactly("high", "usual");
    }

    @Test
    void shouldLookAgainAtWhatAConsumerHeldBeforeItLostItsConnection() {
        publishes(9, "high");
        publishes(0, "low");
        TestConsumer lost = client.consumes("orders").withCredit(2);
        assertThat(lost.receives()).containsExactly("high", "low");
        client.vanishes();
        TestClient again = shard.aClient().knowsQueue("orders");
        TestConsumer returning = again.consumer("orders", SubscriptionKind.QUEUE, "");
        returning.attaches(lost.held("high", "low")).isSuccess();
        again.publishes("orders", Acks.ALL, Batches.of("usual")).isSuccess();
        returning.detaches();
        assertThat(shard.aClient()
                        .knowsQueue("orders")
                        .consumes("orders")
                        .withCredit(3)
                        .receives())
                .containsExactly("high", "usual", "low");
    }
}
