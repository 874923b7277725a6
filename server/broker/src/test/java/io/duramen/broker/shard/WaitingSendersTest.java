package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.broker.shard.OperatorRequest.ChangeDestination;
import io.duramen.broker.shard.OperatorRequest.DeleteDestination;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Publish.Acks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sends to a full destination that has its senders wait is called once there is room, in its order. */
class WaitingSendersTest {
    private static final int MANY = 150;

    private final TestShard shard = aShard().started();
    private final TestClient one = shard.aClient().knowsQueue("orders").knowsQueue("bills");
    private final TestClient other = shard.aClient().knowsQueue("orders");
    private TestConsumer consumer;

    @BeforeEach
    void limit() {
        change("max-messages:1 when-full:block");
        consumer = shard.aClient().knowsQueue("orders").consumes("orders").withCredit(100);
        sends(one, 11, 0, "m0").isSuccess();
    }

    private void change(String settings) {
        assertThat(shard.asks(new ChangeDestination("orders", settings))).isCompleted();
    }

    private static Answer sends(TestClient client, long producer, long sequence, String... texts) {
        return client.publishes("orders", Acks.ALL, Batches.of(texts).by(producer, 0, sequence));
    }

    private static void waits(Answer answer) {
        answer.isRefusedWith(ErrorCode.DESTINATION_FULL_WAIT);
    }

    @Test
    void shouldCallTheFirstWhoCameOnceThereIsRoomAndNoMore() {
        waits(sends(one, 11, 1, "m1"));
        waits(sends(other, 22, 0, "o0"));
        one.publishes("bills", "elsewhere").isSuccess();
        assertThat(one.called() + other.called()).isZero();
        consumer.accepts("m0").isSuccess();
        assertThat(one.called()).isEqualTo(1);
        assertThat(other.called()).isZero();
        one.sendsAgain().isSuccess();
        assertThat(other.called()).isZero();
        consumer.accepts("m1").isSuccess();
        other.sendsAgain().isSuccess();
        consumer.accepts("o0").isSuccess();
        assertThat(consumer.receives()).containsExactly("m0", "m1", "o0");
    }

    @Test
    void shouldKeepTheOrderOfAProducerWhateverComesWhen() {
        waits(sends(one, 11, 1, "m1"));
        waits(sends(one, 11, 2, "m2"));
        change("max-messages:3 when-full:block");
        assertThat(one.called()).isEqualTo(2);
        waits(sends(one, 11, 3, "m3"));
        one.sendsAgain().isSuccess();
        one.sendsAgain().isSuccess();
        consumer.accepts("m0", "m1", "m2").isSuccess();
        one.sendsAgain().isSuccess();
        assertThat(consumer.receives()).containsExactly("m0", "m1", "m2", "m3");
    }

    @Test
    void shouldLetNobodyTakeTheRoomOfWhoWasCalledUnlessThatNeverComes() {
        waits(sends(one, 11, 1, "m1"));
        consumer.accepts("m0").isSuccess();
        assertThat(one.called()).isEqualTo(1);
        waits(sends(other, 22, 0, "o0"));
        assertThat(other.called()).isZero();
        shard.passes(Duration.ofSeconds(2));
        other.sendsAgain().isSuccess();
        assertThat(consumer.receives()).containsExactly("m0", "o0");
    }

    @Test
    void shouldCallOthersWhereWhoWasCalledIsGone() {
        waits(sends(one, 11, 1, "m1"));
        waits(sends(other, 22, 0, "o0"));
        consumer.accepts("m0").isSuccess();
        assertThat(one.called()).isEqualTo(1);
        one.vanishes();
        shard.run();
        other.sendsAgain().isSuccess();
    }

    @Test
    void shouldCallEverybodyWhereNobodyHasToWaitAnyMore() {
        waits(sends(one, 11, 1, "m1"));
        waits(sends(other, 22, 0, "o0"));
        change("when-full:refuse");
        one.sendsAgain().isRefusedWith(ErrorCode.DESTINATION_FULL);
        other.sendsAgain().isRefusedWith(ErrorCode.DESTINATION_FULL);
        sends(one, 11, 2, "m2").isRefusedWith(ErrorCode.DESTINATION_FULL);
        change("max-messages:");
        sends(one, 11, 3, "m3").isSuccess();
    }

    @Test
    void shouldTellWhoWaitsThatTheDestinationIsDeleted() {
        waits(sends(other, 22, 0, "o0"));
        consumer.detaches().isSuccess();
        assertThat(shard.asks(new DeleteDestination("orders"))).isCompleted();
        other.sendsAgain().isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldRefuseForGoodWhatCannotWaitOrNeverFits() {
        other.publishes("orders", Acks.NONE, Batches.of("o0").by(22, 0, 0))
                .isRefusedWith(ErrorCode.DESTINATION_FULL_WAIT);
        one.commits(1, List.of(one.aSend("orders", "t1")), List.of()).isRefusedWith(ErrorCode.DESTINATION_FULL);
        change("max-bytes:50");
        sends(one, 11, 1, "x".repeat(100)).isRefusedWith(ErrorCode.DESTINATION_FULL);
        consumer.accepts("m0").isSuccess();
        assertThat(one.called() + other.called()).isZero();
    }

    @Test
    void shouldRefuseWhoHasTooManyWaiting() {
        for (int i = 1; i <= 4096; i++) {
            waits(sends(one, 11, i, "m"));
            one.forgets();
        }
        sends(one, 11, 4097, "m").isRefusedWith(ErrorCode.DESTINATION_FULL);
        waits(sends(other, 22, 0, "o0"));
    }

    /** More than are looked at in one go. */
    @Test
    void shouldComeToEachOfManyDestinations() {
        for (int i = 0; i < MANY; i++) {
            String queue = "many" + i;
            one.knowsQueue(queue);
            other.knowsQueue(queue);
            assertThat(shard.asks(new ChangeDestination(queue, "max-messages:1 when-full:block")))
                    .isCompleted();
            TestConsumer many =
                    shard.aClient().knowsQueue(queue).consumes(queue).withCredit(10);
            one.publishes(queue, Acks.ALL, Batches.of("m0").by(11, 0, 0)).isSuccess();
            waits(one.publishes(queue, Acks.ALL, Batches.of("m1").by(11, 0, 1)));
            waits(other.publishes(queue, Acks.ALL, Batches.of("o0").by(22, 0, 0)));
            many.accepts("m0").isSuccess();
        }
        assertThat(one.called()).isEqualTo(MANY);
        assertThat(other.called()).isZero();
        shard.passes(Duration.ofSeconds(2)); // who was called is late everywhere
        assertThat(other.called()).isEqualTo(MANY);
    }
}
