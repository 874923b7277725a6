package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Messages that one consumer holds unseen are asked back when another has nothing to do. */
class RecallTest {
    private static final Duration HALF = Duration.ofMillis(50);
    private static final Duration ALMOST = Duration.ofMillis(99);
    private static final Duration REST = Duration.ofMillis(1);

    private final TestShard shard = aShard().with("recall-after", "100ms").started();
    private final TestClient client = shard.aClient().knowsQueue("orders");

    private TestConsumer busy() {
        client.publishes("orders", "m1", "m2", "m3", "m4");
        TestConsumer busy = client.consumes("orders").withCredit(10);
        assertThat(busy.receives()).hasSize(4);
        return busy;
    }

    private TestConsumer idle() {
        return shard.aClient().knowsQueue("orders").consumes("orders").withCredit(10);
    }

    @Test
    void shouldGiveToTheIdleInOrderWhatTheBusyHasNotSeen() {
        TestConsumer busy = busy();
        TestConsumer idle = idle();
        shard.passes(ALMOST);
        assertThat(busy.recalls()).isEmpty();
        shard.passes(REST);
        assertThat(busy.recalls()).containsExactly(4);
        busy.hasSeen(4).releases("m4", "m3", "m2").isSuccess();
        assertThat(idle.receives()).containsExactly("m2", "m3", "m4");
        idle.isRedelivered("m2", 1);
        busy.accepts("m1").isSuccess();
    }

    @Test
    void shouldSendNothingToTheBusyUntilItAsksForMore() {
        TestConsumer busy = busy();
        TestConsumer idle = idle();
        shard.passes(ALMOST.plus(REST));
        busy.hasSeen(4).releases("m4");
        client.publishes("orders", "m5", "m6");
        assertThat(idle.receives()).containsExactly("m4", "m5", "m6");
        idle.detaches();
        client.publishes("orders", "m7");
        assertThat(busy.receives()).doesNotContain("m7");
        busy.withCredit(10);
        assertThat(busy.receives()).as("that credit crossed the recall").doesNotContain("m7");
        busy.answersTheRecall().withCredit(10);
        assertThat(busy.receives()).endsWith("m7");
    }

    @Test
    void shouldAskNothingWhenTheBusyWillSoonBeDone() {
        TestConsumer busy = busy();
        idle();
        shard.passes(HALF);
        busy.hasSeen(2).withCredit(0);
        shard.passes(HALF);
        assertThat(busy.recalls()).isEmpty();
    }

    @Test
    void shouldAskForHalfOfTheSurplusWhenTheBusyGoesOnTooSlowly() {
        TestConsumer busy = busy();
        idle();
        shard.passes(HALF);
        busy.hasSeen(1).withCredit(0);
        shard.passes(HALF);
        assertThat(busy.recalls()).containsExactly(1);
    }

    @Test
    void shouldAskForAllWhenWhatIsHeardOfTheBusyIsOldNews() {
        TestConsumer busy = busy();
        TestConsumer idle = idle();
        busy.hasSeen(1).withCredit(0);
        shard.passes(HALF);
        assertThat(busy.recalls()).isEmpty();
        shard.passes(HALF);
        assertThat(busy.recalls()).containsExactly(3);
        busy.releases("m4", "m3", "m2").isSuccess();
        assertThat(idle.receives()).containsExactly("m2", "m3", "m4");
    }

    @Test
    void shouldAskNothingWhenNobodyIsIdleOrTheApplicationHasSeenAll() {
        TestConsumer busy = busy();
        client.consumes("orders");
        shard.passes(Duration.ofSeconds(1));
        assertThat(busy.recalls()).as("the other has no credit").isEmpty();
        busy.hasSeen(4).withCredit(0);
        idle();
        shard.passes(Duration.ofSeconds(1));
        assertThat(busy.recalls()).as("all was seen").isEmpty();
    }

    @Test
    void shouldAskNothingWhenTheIdleHasFoundWorkMeanwhile() {
        TestConsumer busy = busy();
        TestConsumer idle = idle();
        shard.passes(ALMOST);
        for (int i = 0; i < 20; i++) {
            client.publishes("orders", "n" + i);
        }
        assertThat(idle.receives()).isNotEmpty();
        shard.passes(REST);
        assertThat(busy.recalls()).isEmpty();
    }

    @Test
    void shouldAskAgainOnlyWhileSomethingIsUnseen() {
        TestConsumer busy = busy();
        idle();
        shard.passes(Duration.ofMillis(100));
        shard.passes(Duration.ofMillis(100));
        assertThat(busy.recalls()).as("no answer came").containsExactly(4);
        busy.answersTheRecall();
        shard.passes(Duration.ofMillis(100));
        assertThat(busy.recalls()).containsExactly(4, 4);
        busy.hasSeen(4).answersTheRecall();
        shard.passes(Duration.ofMillis(100));
        shard.passes(Duration.ofMillis(100));
        assertThat(busy.recalls()).hasSize(2);
    }

    @Test
    void shouldLeaveWhatCameBeforeTheMessagesOfTheIdle() {
        TestConsumer busy = client.consumes("orders").withCredit(2);
        TestConsumer other = shard.aClient().knowsQueue("orders").consumes("orders");
        client.publishes("orders", "m1", "m2");
        assertThat(busy.receives()).containsExactly("m1", "m2");
        client.publishes("orders", "m3");
        other.withCredit(10);
        assertThat(other.receives()).containsExactly("m3");
        other.hasSeen(1).accepts("m3").isSuccess();
        shard.passes(ALMOST);
        shard.passes(ALMOST);
        assertThat(busy.recalls()).isEmpty();
    }

    /** The busy one was asked, has seen one, and the idle one is handed a later message before the answer comes. */
    private TestConsumer askedWhileTheIdleGetsALaterOne(TestConsumer busy) {
        TestConsumer idle = idle();
        shard.passes(ALMOST.plus(REST));
        assertThat(busy.recalls()).containsExactly(4);
        client.publishes("orders", "m5");
        assertThat(idle.receives()).containsExactly("m5");
        busy.hasSeen(1).releases("m2", "m3", "m4").isSuccess();
        assertThat(idle.receives()).as("it has had a later one").isEmpty();
        return idle;
    }

    @Test
    void shouldGiveWhatComesBackToWhoeverHasHadNothingBehindIt() {
        TestConsumer busy = busy();
        TestConsumer idle = askedWhileTheIdleGetsALaterOne(busy);
        client.publishes("orders", "m6");
        assertThat(idle.receives()).as("others are not held up").containsExactly("m6");
        assertThat(idle().receives()).containsExactly("m2", "m3", "m4");
    }

    @Test
    void shouldGiveWhatComesBackToWhereItCameFromBeforeLaterOnes() {
        TestConsumer busy = busy();
        busy.receives();
        TestConsumer idle = askedWhileTheIdleGetsALaterOne(busy);
        idle.detachesKeepingSeen();
        client.publishes("orders", "m6");
        busy.answersTheRecall().withCredit(10);
        assertThat(busy.receives()).containsExactly("m2", "m3", "m4", "m5", "m6");
        busy.isRedelivered("m2", 1);
    }

    @Test
    void shouldGiveWhatCameBackToAnyoneOnceTheOtherHasLeft() {
        TestConsumer busy = busy();
        TestConsumer idle = askedWhileTheIdleGetsALaterOne(busy);
        busy.accepts("m1").isSuccess();
        busy.detaches().isSuccess();
        assertThat(idle.receives()).containsExactly("m2", "m3", "m4");
        idle.isRedelivered("m2", 1);
    }

    @Test
    void shouldLoseNothingWhenTheBusyVanishesBeforeItAnswers() {
        TestClient lost = shard.aClient().knowsQueue("orders");
        client.publishes("orders", "m1", "m2", "m3");
        TestConsumer busy = lost.consumes("orders").withCredit(10);
        TestConsumer idle = idle();
        shard.passes(ALMOST.plus(REST));
        assertThat(busy.recalls()).containsExactly(3);
        lost.vanishes();
        assertThat(idle.receives()).containsExactly("m1", "m2", "m3");
        idle.isRedelivered("m1", 2).isRedelivered("m2", 1);
    }

    @Test
    void shouldNotCountAsAskedWhatIsGivenBackByItself() {
        client.publishes("orders", "m1", "m2", "m3", "m4");
        TestConsumer busy = client.consumes("orders").withCredit(4);
        assertThat(busy.receives()).hasSize(4);
        TestConsumer idle = idle();
        client.publishes("orders", "m5");
        assertThat(idle.receives()).containsExactly("m5");
        busy.releases("m2").isSuccess();
        assertThat(idle.receives()).containsExactly("m2");
    }
}
