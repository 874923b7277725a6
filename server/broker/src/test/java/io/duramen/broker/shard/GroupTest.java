package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Message groups: the messages of one go to one consumer at a time, in their order. */
class GroupTest {
    private final TestShard shard =
            aShard().with("window", "32").with("group-stall", "10s").started();
    private final TestClient client = shard.aClient().knowsQueue("orders");

    private void publishes(int group, String... texts) {
        client.publishes("orders", Acks.ALL, Batches.of(texts).inGroup(group)).isSuccess();
    }

    private TestConsumer another(int credit) {
        return shard.aClient().knowsQueue("orders").consumes("orders").withCredit(credit);
    }

    @Test
    void shouldKeepAGroupWithOneConsumer() {
        TestConsumer one = another(10);
        TestConsumer two = another(10);
        publishes(7, "a1", "a2");
        publishes(7, "a3");
        assertThat(one.deliveries().size() + two.deliveries().size()).isEqualTo(3);
        TestConsumer owner = one.deliveries().isEmpty() ? two : one;
        assertThat(owner.receives()).containsExactly("a1", "a2", "a3");
        owner.accepts("a1", "a2", "a3").isSuccess();
        publishes(7, "a4");
        assertThat(owner.receives()).as("it stays where it is").containsExactly("a4");
    }

    @Test
    void shouldSpreadGroupsEvenly() {
        List<TestConsumer> consumers = List.of(another(100), another(100), another(100));
        for (int group = 1; group <= 30; group++) {
            publishes(group, "g" + group);
        }
        assertThat(consumers)
                .allSatisfy(consumer -> assertThat(consumer.receives()).hasSize(10));
    }

    @Test
    void shouldNotHoldUpOthersWhileTheConsumerOfAGroupHasNoCredit() {
        TestConsumer one = another(1);
        publishes(1, "a1");
        assertThat(one.receives()).containsExactly("a1");
        publishes(1, "a2", "a3");
        publishes(2, "b1");
        client.publishes("orders", "plain").isSuccess();
        TestConsumer two = another(10);
        assertThat(two.receives()).containsExactly("b1", "plain");
        one.accepts("a1").isSuccess();
        one.withCredit(5);
        assertThat(one.receives()).containsExactly("a2", "a3");
        assertThat(two.receives()).isEmpty();
    }

    @Test
    void shouldMoveAGroupWhenItsConsumerLeavesAndKeepItsOrder() {
        TestConsumer one = another(2).hasSeen(1);
        publishes(1, "a1", "a2", "a3");
        assertThat(one.receives()).containsExactly("a1", "a2");
        TestConsumer two = another(10);
        assertThat(two.receives()).isEmpty();
        one.detaches().isSuccess();
        assertThat(two.receives()).containsExactly("a1", "a2", "a3");
        two.isRedelivered("a1", 2).isRedelivered("a2", 1);
    }

    @Test
    void shouldWaitForWhatALeavingConsumerStillHolds() {
        TestConsumer one = another(1).hasSeen(1);
        publishes(1, "a1", "a2");
        TestConsumer two = another(10);
        one.detachesKeepingSeen().isSuccess();
        assertThat(two.receives()).as("a1 is in hand").isEmpty();
        one.accepts("a1").isSuccess();
        assertThat(two.receives()).containsExactly("a2");
    }

    @Test
    void shouldReturnARejectedMessageBeforeLaterOnesOfItsGroup() {
        TestConsumer one = another(1);
        publishes(1, "a1", "a2");
        assertThat(one.receives()).containsExactly("a1");
        one.rejects("a1").isSuccess();
        one.withCredit(2);
        assertThat(one.receives()).containsExactly("a1", "a2");
    }

    @Test
    void shouldGiveANewConsumerItsShareAsSoonAsNothingIsInHand() {
        TestConsumer one = another(100);
        for (int group = 1; group <= 4; group++) {
            publishes(group, "g" + group);
        }
        assertThat(one.receives()).hasSize(4);
        TestConsumer two = another(100);
        for (int group = 1; group <= 4; group++) {
            publishes(group, "h" + group);
        }
        assertThat(two.receives()).as("everything is in hand").isEmpty();
        one.accepts("g1", "g2", "g3", "g4").isSuccess();
        assertThat(one.receives()).hasSize(2);
        assertThat(two.receives()).hasSize(2);
    }

    @Test
    void shouldMoveGroupsFromAConsumerThatStallsWhileOthersAreIdle() {
        TestConsumer stalling = another(1);
        publishes(1, "a1", "a2");
        assertThat(stalling.receives()).containsExactly("a1");
        TestConsumer idle = another(10);
        publishes(1, "a3");
        for (int second = 0; second < 15; second++) {
            shard.passes(Duration.ofSeconds(1));
        }
        assertThat(idle.receives()).as("what is in hand comes first").isEmpty();
        stalling.accepts("a1").isSuccess();
        assertThat(idle.receives()).containsExactly("a2", "a3");
    }

    @Test
    void shouldMoveGroupsFromAConsumerThatStallsWhenTheTimeOfDayIsPutBack() {
        TestConsumer stalling = another(1);
        publishes(1, "a1", "a2");
        assertThat(stalling.receives()).containsExactly("a1");
        TestConsumer idle = another(10);
        publishes(1, "a3");
        shard.setsClockBack(Duration.ofHours(1));
        for (int second = 0; second < 25; second++) {
            shard.passes(Duration.ofSeconds(1));
        }
        stalling.accepts("a1").isSuccess();
        assertThat(idle.receives()).containsExactly("a2", "a3");
    }

    @Test
    void shouldMoveNoGroupsWhenTheTimeOfDayIsPutAhead() {
        TestConsumer one = another(1);
        publishes(1, "a1", "a2");
        assertThat(one.receives()).containsExactly("a1");
        TestConsumer idle = another(10);
        publishes(1, "a3");
        shard.setsClockBack(Duration.ofHours(-1));
        shard.passes(Duration.ofSeconds(1));
        one.accepts("a1").isSuccess();
        one.withCredit(2);
        assertThat(idle.receives()).isEmpty();
        assertThat(one.receives()).containsExactly("a2", "a3");
    }

    @Test
    void shouldMoveOnlyStalledGroups() {
        TestConsumer slow = another(1);
        publishes(1, "a1");
        TestConsumer idle = another(10);
        for (int i = 2; i < 6; i++) {
            publishes(1, "a" + i);
            shard.passes(Duration.ofSeconds(8));
            slow.accepts("a" + (i - 1)).isSuccess();
            slow.withCredit(1);
        }
        assertThat(idle.receives()).isEmpty();
        assertThat(slow.receives()).containsExactly("a1", "a2", "a3", "a4", "a5");
    }

    /** Goal: a deep backlog of a group whose consumer takes nothing fills no memory and holds up nobody. */
    @Test
    void shouldPassOverWhatItHasNoRoomFor() {
        TestConsumer busy = another(1);
        List<String> group = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            publishes(1, "a" + i);
            group.add("a" + i);
        }
        TestConsumer other = another(10);
        publishes(2, "b1");
        assertThat(other.receives()).containsExactly("b1");
        busy.accepts("a0").isSuccess();
        busy.withCredit(1000);
        assertThat(busy.receives()).isEqualTo(group);
        assertThat(other.receives()).isEmpty();
    }

    @Test
    void shouldKeepAGroupWithItsConsumerAcrossALostConnection() {
        TestClient lost = shard.aClient().knowsQueue("orders");
        TestConsumer before = lost.consumes("orders").withCredit(1);
        publishes(1, "a1", "a2");
        assertThat(before.receives()).containsExactly("a1");
        lost.vanishes();
        TestClient again = shard.aClient().knowsQueue("orders");
        TestConsumer after = again.consumer("orders", SubscriptionKind.QUEUE, "");
        after.attaches(before.held("a1")).isSuccess();
        TestConsumer other = another(10);
        assertThat(other.receives()).as("a1 is in hand").isEmpty();
        after.withCredit(1);
        assertThat(after.receives()).containsExactly("a2");
    }

    @Test
    void shouldHandOutPrioritiesWithinGroups() {
        publishes(1, "a1", "a2");
        client.publishes("orders", Acks.ALL, Batches.of("high").inGroup(1).withPriority(9))
                .isSuccess();
        assertThat(another(10).receives()).containsExactly("high", "a1", "a2");
    }

    /** Goal: what waits for a consumer is not offered to all again and again, each time another group is met. */
    @Test
    void shouldNotForgetGroupsWhoseMessagesWaitForTheirConsumer() {
        TestShard few =
                aShard().with("groups-max", "16").with("group-stall", "10s").started();
        TestClient sender = few.aClient().knowsQueue("orders");
        TestConsumer busy =
                few.aClient().knowsQueue("orders").consumes("orders").withCredit(1);
        sender.publishes("orders", Acks.ALL, Batches.of("a1").inGroup(1)).isSuccess();
        busy.accepts("a1").isSuccess();
        TestConsumer idle =
                few.aClient().knowsQueue("orders").consumes("orders").withCredit(100);
        sender.publishes("orders", Acks.ALL, Batches.of("a2").inGroup(1)).isSuccess();

        List<String> others = new ArrayList<>();
        for (int group = 2; group < 40; group++) {
            others.add("of " + group);
            sender.publishes("orders", Acks.ALL, Batches.of("of " + group).inGroup(group))
                    .isSuccess();
            idle.accepts("of " + group).isSuccess();
        }

        assertThat(idle.receives()).isEqualTo(others);
        busy.withCredit(1);
        assertThat(busy.receives()).containsExactly("a1", "a2");
    }
}
