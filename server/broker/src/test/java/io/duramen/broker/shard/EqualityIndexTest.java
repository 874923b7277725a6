package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What selectors that demand a value of a field cost, and that nothing is lost or out of order for it. */
class EqualityIndexTest {
    private TestShard shard = aShard().with("window", "64").started();
    private TestClient client = shard.aClient().knowsQueue("replies");

    private void restart(String setting, String value) {
        shard = aShard().with("window", "64").with(setting, value).started();
        client = shard.aClient().knowsQueue("replies");
    }

    private TestConsumer selecting(String selector) {
        TestConsumer consumer = client.consumer("replies", QUEUE, "").selecting(selector);
        consumer.attaches().isSuccess();
        return consumer;
    }

    private TestConsumer awaiting(String id) {
        return selecting("JMSCorrelationID = '" + id + "'");
    }

    /** The correlation id of a message is its text. */
    private void publishes(String... texts) {
        client.publishes(
                        "replies",
                        Acks.ALL,
                        Batches.of(texts)
                                .each(text -> Records.aRecord()
                                        .correlated(text)
                                        .with("color", text.replaceAll("[0-9]", ""))
                                        .with("number", Integer.parseInt("0" + text.replaceAll("[^0-9]", "")))))
                .isSuccess();
    }

    private void publishesBacklog(int messages) {
        for (int i = 0; i < messages; i += 1000) {
            int base = i;
            publishes(IntStream.range(base, Math.min(messages, base + 1000))
                    .mapToObj(n -> "stale" + n)
                    .toArray(String[]::new));
        }
        client.forgets();
    }

    private long looked() {
        return shard.agent().looks().records();
    }

    private long evaluated() {
        return shard.agent().looks().evaluations();
    }

    @Test
    void shouldLookAtEachMessageOnceWhenOneOf200000Matches() {
        restart("index-messages", "300000");
        publishesBacklog(199_000);
        publishes("mine");
        publishesBacklog(1_000);
        assertThat(awaiting("mine").withCredit(5).receives()).containsExactly("mine");
        assertThat(looked()).as("records looked at").isEqualTo(200_001);
        assertThat(evaluated()).as("selectors evaluated").isEqualTo(1);
        assertThat(awaiting("stale17").withCredit(5).receives()).containsExactly("stale17", "stale17");
        assertThat(awaiting("nobody").withCredit(5).receives()).isEmpty();
        assertThat(looked()).as("records looked at, for later consumers too").isEqualTo(200_001 + 2);
        assertThat(evaluated()).isEqualTo(3);
    }

    @Test
    void shouldEvaluateOneSelectorAMessageWhenAThousandConsumersWait() {
        List<TestConsumer> waiting = new ArrayList<>();
        List<String> replies = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            waiting.add(awaiting("r" + i).withCredit(1));
            replies.add("r" + i);
        }
        Collections.shuffle(replies, new Random(1));
        for (String reply : replies) {
            publishes(reply);
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(waiting.get(i).receives()).containsExactly("r" + i);
            waiting.get(i).accepts("r" + i).isSuccess();
        }
        assertThat(looked()).isEqualTo(1000);
        assertThat(evaluated()).isEqualTo(1000);
        assertThat(shard.image().cursors().get(0).settledBelow()).isEqualTo(1000);
    }

    @Test
    void shouldFindWhatCameBeforeWithoutAScanWhenAConsumerIsMadeForEachRequest() {
        publishesBacklog(5_000);
        awaiting("first").detaches();
        long before = looked();
        for (int i = 0; i < 100; i++) {
            publishes("r" + i);
            TestConsumer consumer = awaiting("r" + i).withCredit(1);
            assertThat(consumer.receives()).containsExactly("r" + i);
            consumer.accepts("r" + i).isSuccess();
            consumer.detaches().isSuccess();
        }
        assertThat(looked() - before)
                .as("looks: the backlog once, and each reply as news and as a find")
                .isBetween(100L, 5_200L);
    }

    @Test
    void shouldLoseNothingWhenTheIndexIsFull() {
        restart("index-messages", "100");
        TestConsumer early = awaiting("early").withCredit(10);
        publishesBacklog(1_000);
        publishes("early", "late");
        assertThat(early.receives()).containsExactly("early");
        TestConsumer late = awaiting("late").withCredit(10);
        assertThat(late.receives()).containsExactly("late");
        publishes("early", "late", "other");
        assertThat(early.receives()).containsExactly("early");
        assertThat(late.receives()).containsExactly("late");
        assertThat(awaiting("stale3").withCredit(1).receives()).containsExactly("stale3");
    }

    @Test
    void shouldIndexAgainWhenWhatWasForgottenIsSettled() {
        restart("index-messages", "100");
        TestConsumer first = awaiting("first").withCredit(10);
        publishesBacklog(1_000);
        TestConsumer any = client.consumes("replies").withCredit(1_000);
        any.accepts(any.receives().toArray(String[]::new)).isSuccess();
        any.detaches();
        publishes("second", "first");
        assertThat(first.receives()).containsExactly("first");
        long before = looked();
        assertThat(awaiting("second").withCredit(1).receives()).containsExactly("second");
        assertThat(looked() - before).isEqualTo(1);
    }

    @Test
    void shouldNotIndexWhenItIsSwitchedOff() {
        restart("index-messages", "0");
        publishes("a", "b");
        assertThat(awaiting("b").withCredit(5).receives()).containsExactly("b");
        publishes("b", "a");
        assertThat(awaiting("a").withCredit(5).receives()).containsExactly("a", "a");
    }

    @Test
    void shouldKeepTheOrderWhenAValueFillsTheWindow() {
        TestConsumer red = selecting("color = 'red'");
        TestConsumer blue = selecting("color = 'blue'").withCredit(1_000);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            publishes("red" + i, "blue" + i);
            expected.add("red" + i);
        }
        assertThat(blue.receives()).hasSize(500);
        red.withCredit(1_000);
        assertThat(red.receives()).isEqualTo(expected);
    }

    @Test
    void shouldAskTheWholeSelectorWhenItDemandsMore() {
        TestConsumer high = selecting("color = 'red' AND number > 10").withCredit(10);
        TestConsumer low = selecting("color = 'red' AND number <= 10").withCredit(10);
        TestConsumer some =
                selecting("color IN ('green', 'blue') AND number <> 3").withCredit(10);
        publishes("red5", "red20", "green3", "blue4", "green1");
        assertThat(high.receives()).containsExactly("red20");
        assertThat(low.receives()).containsExactly("red5");
        assertThat(some.receives()).containsExactly("blue4", "green1");
        assertThat(client.consumes("replies").withCredit(5).receives()).containsExactly("green3");
    }

    @Test
    void shouldOfferAgainWhatComesBackBeforeWhatCameLater() {
        TestConsumer one = selecting("color = 'red'").withCredit(2);
        publishes("red1", "red2", "red3");
        assertThat(one.receives()).containsExactly("red1", "red2");
        one.hasSeen(2).rejects("red1").isSuccess();
        one.withCredit(1);
        assertThat(one.receives()).containsExactly("red1");
        one.isRedelivered("red1", 2);
        TestConsumer other = selecting("color = 'red' AND number > 0").withCredit(10);
        assertThat(other.receives()).containsExactly("red3");
        one.detaches().isSuccess();
        assertThat(other.receives()).containsExactly("red1", "red2");
        other.isRedelivered("red1", 2); // the one before was not seen
        TestConsumer plain = client.consumes("replies").withCredit(1);
        publishes("red4");
        assertThat(other.receives().size() + plain.receives().size()).isEqualTo(1);
    }

    @Test
    void shouldFindWhatAPlainConsumerHeldWhenTheIndexWasMade() {
        publishes("a", "b", "c");
        TestConsumer plain = client.consumes("replies").withCredit(3);
        assertThat(plain.receives()).hasSize(3);
        TestConsumer b = awaiting("b").withCredit(5);
        assertThat(b.receives()).isEmpty();
        plain.detaches().isSuccess();
        assertThat(b.receives()).containsExactly("b");
        assertThat(awaiting("c").withCredit(5).receives()).containsExactly("c");
    }

    @Test
    void shouldGiveBackItsRoomWhenMessagesOrTheQueueAreGone() {
        restart("index-messages", "50");
        for (int i = 0; i < 10; i++) {
            String name = "temp." + i;
            TestClient owner = shard.aClient();
            owner.knowsTemporary(name, DestinationKind.TEMPORARY_QUEUE, i + 1);
            TestConsumer consumer = owner.consumer(name, QUEUE, "").selecting("JMSCorrelationID = 'x'");
            consumer.attaches().isSuccess();
            for (int j = 0; j < 20; j++) {
                owner.publishes(
                        name,
                        Acks.ALL,
                        Batches.of("m").each(text -> Records.aRecord().correlated(text)));
            }
            owner.closes();
        }
        publishesBacklog(40);
        awaiting("x");
        long before = looked();
        assertThat(awaiting("stale7").withCredit(1).receives()).containsExactly("stale7");
        assertThat(looked() - before).isEqualTo(1);
    }

    private static Records correlated(String text) {
        return Records.aRecord().correlated(text);
    }

    @Test
    void shouldHandOutWhatIsDelayedWhenItIsDue() {
        TestConsumer early = awaiting("a").withCredit(10);
        Batches later = Batches.of("a", "b").deliveredAt(shard.nowMillis() + 60_000);
        client.publishes("replies", Acks.ALL, later.each(EqualityIndexTest::correlated))
                .isSuccess();
        publishes("a");
        assertThat(early.receives()).containsExactly("a");
        TestConsumer late = awaiting("b").withCredit(10);
        assertThat(late.receives()).isEmpty();
        shard.passes(Duration.ofSeconds(61));
        assertThat(early.receives()).containsExactly("a");
        assertThat(late.receives()).containsExactly("b");
    }

    @Test
    void shouldSettleWhatIsExpired() {
        TestConsumer consumer = awaiting("a").withCredit(10);
        Batches brief = Batches.of("b", "a", "c").expiringAt(shard.nowMillis() + 1_000);
        client.publishes("replies", Acks.ALL, brief.each(EqualityIndexTest::correlated))
                .isSuccess();
        assertThat(consumer.receives()).containsExactly("a");
        consumer.accepts("a").isSuccess();
        shard.passes(Duration.ofSeconds(5));
        assertThat(awaiting("b").withCredit(1).receives()).isEmpty();
        assertThat(shard.image().cursors().get(0).settledBelow()).isEqualTo(3);
    }

    @Test
    void shouldObeyPriority() {
        TestConsumer consumer = awaiting("a");
        client.publishes("replies", Acks.ALL, Batches.of("a").each(EqualityIndexTest::correlated));
        client.publishes("replies", Acks.ALL, Batches.of("a").withPriority(9).each(EqualityIndexTest::correlated));
        consumer.withCredit(2);
        assertThat(consumer.deliveries().stream().map(TestConsumer.Delivery::offset))
                .containsExactly(1L, 0L);
    }

    @Test
    void shouldLookByItselfWhereMessagesHaveGroups() {
        TestConsumer one = selecting("color = 'red'").withCredit(1);
        TestConsumer two = selecting("color = 'red' AND number > 0").withCredit(10);
        for (int i = 1; i <= 4; i++) {
            client.publishes(
                            "replies",
                            Acks.ALL,
                            Batches.of("red" + i)
                                    .inGroup(7)
                                    .each(text -> Records.aRecord()
                                            .with("color", "red")
                                            .with("number", 1)))
                    .isSuccess();
        }
        publishes("red5", "blue6");
        List<String> all = new ArrayList<>(one.receives());
        List<String> others = two.receives();
        assertThat(all.size() + others.size()).isPositive();
        TestConsumer owner = all.contains("red1") ? one : two;
        owner.accepts("red1").isSuccess();
        one.withCredit(10);
        all.addAll(one.receives());
        List<String> both = new ArrayList<>(all);
        both.addAll(others);
        both.addAll(two.receives());
        assertThat(both).containsExactlyInAnyOrder("red1", "red2", "red3", "red4", "red5");
        assertThat(selecting("color = 'blue'").withCredit(1).receives()).containsExactly("blue6");
    }
}
