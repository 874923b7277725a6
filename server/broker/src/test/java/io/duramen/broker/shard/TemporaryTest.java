package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Settle.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Destinations that live as long as their client. */
class TemporaryTest {
    private static final DestinationKind QUEUE = DestinationKind.TEMPORARY_QUEUE;
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final TestShard shard = aShard().started();
    private final TestClient owner = shard.aClient();

    private void created() {
        owner.knowsTemporary("temp.a", QUEUE, 42);
    }

    private boolean exists() {
        return !shard.image().destinations().isEmpty();
    }

    @Test
    void shouldGoWhenItsConnectionCloses() {
        created();
        owner.publishes("temp.a", "m1").isSuccess();
        owner.consumes("temp.a").withCredit(1).hasSeen(1);
        owner.closes();
        assertThat(exists()).isFalse();
        assertThat(shard.image().subscriptions()).isEmpty();
    }

    @Test
    void shouldGoAfterTheGraceWhenItsConnectionIsLost() {
        created();
        owner.vanishes();
        shard.passes(GRACE.minusMillis(1));
        assertThat(exists()).isTrue();
        assertThat(shard.agent().deadlineNanos()).isLessThanOrEqualTo(GRACE.toNanos());
        shard.passes(Duration.ofMillis(1));
        assertThat(exists()).isFalse();
    }

    @Test
    void shouldStayWhenItsClientComesBack() {
        created();
        owner.publishes("temp.a", "m1");
        owner.vanishes();
        TestClient again = shard.aClient();
        again.knowsTemporary("temp.a", QUEUE, 42);
        shard.passes(GRACE.plusSeconds(1));
        assertThat(again.consumes("temp.a").withCredit(1).receives()).containsExactly("m1");
    }

    @Test
    void shouldHaveTheWholeGraceAgainWhenTheConnectionIsLostTwice() {
        created();
        owner.vanishes();
        shard.passes(GRACE.minusSeconds(5));
        TestClient again = shard.aClient();
        again.knowsTemporary("temp.a", QUEUE, 42);
        again.vanishes();
        shard.passes(Duration.ofSeconds(6));
        assertThat(exists()).isTrue();
        shard.passes(GRACE.minusSeconds(6));
        assertThat(exists()).isFalse();
    }

    @Test
    void shouldStayWithTheNewConnectionWhenTheOldOneEndsLate() {
        created();
        TestClient again = shard.aClient();
        again.knowsTemporary("temp.a", QUEUE, 42);
        owner.closes();
        shard.passes(GRACE.plusSeconds(1));
        assertThat(exists()).isTrue();
        again.closes();
        assertThat(exists()).isFalse();
    }

    @Test
    void shouldStayWithTheNewConnectionWhenTheOldOneAsksLate() {
        created();
        TestClient again = shard.aClient();
        again.knowsTemporary("temp.a", QUEUE, 42);
        owner.knowsTemporary("temp.a", QUEUE, 42);
        owner.vanishes();
        again.publishes("temp.a", "m1");
        assertThat(again.consumes("temp.a").withCredit(1).receives()).containsExactly("m1");
        shard.passes(GRACE.plusSeconds(1));
        assertThat(exists()).isTrue();
    }

    @Test
    void shouldGoAfterTheGraceWhenTheShardRestartedAndNobodyCame() {
        created();
        shard.isKilledAndRestarts();
        assertThat(exists()).isTrue();
        shard.passes(GRACE);
        assertThat(exists()).isFalse();
    }

    @Test
    void shouldGoWhenItsConnectionIsLostBeforeItIsCommitted() {
        shard.log().holdSyncs();
        owner.asks(new CreateTemporary.Request(QUEUE, "temp.a", 42)).isMissing();
        owner.vanishes();
        shard.log().flow();
        shard.run();
        shard.passes(GRACE);
        assertThat(exists()).isFalse();
    }

    @Test
    void shouldRefuseOthersWhenTheyConsumeDeleteOrCreateIt() {
        created();
        TestClient other = shard.aClient();
        other.consumer("temp.a", SubscriptionKind.QUEUE, "")
                .attaches()
                .isRefusedWith(ErrorCode.TEMPORARY_DESTINATION_FOREIGN);
        other.asks(new DeleteDestination.Request("temp.a")).isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        other.asks(new CreateTemporary.Request(QUEUE, "temp.a", 43)).isRefusedWith(ErrorCode.INVALID_REQUEST);
        other.asks(new CreateTemporary.Request(QUEUE, "orders", 43)).isRefusedWith(ErrorCode.INVALID_REQUEST);
        other.asks(new CreateTemporary.Request(DestinationKind.QUEUE, "temp.b", 43))
                .isRefusedWith(ErrorCode.INVALID_REQUEST);
        other.knowsQueue("temp.a");
        other.publishes("temp.a", "m1").isSuccess();
        assertThat(owner.consumes("temp.a").withCredit(1).receives()).containsExactly("m1");
    }

    @Test
    void shouldRefuseDeletionWhenItHasAConsumer() {
        created();
        TestConsumer consumer = owner.consumes("temp.a");
        owner.asks(new DeleteDestination.Request("temp.a")).isRefusedWith(ErrorCode.DESTINATION_IN_USE);
        consumer.detaches().isSuccess();
        owner.asks(new DeleteDestination.Request("temp.a")).isSuccess();
        owner.publishes("temp.a", "m1").isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldBeMadeAnewWhenItsDeletionIsOnItsWay() {
        created();
        shard.log().holdWrites();
        owner.asks(new DeleteDestination.Request("temp.a"));
        owner.publishes("temp.a", "m1").isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        Answer attach = owner.consumer("temp.a", SubscriptionKind.QUEUE, "").attaches();
        Answer create = owner.asks(new CreateTemporary.Request(QUEUE, "temp.a", 42));
        create.isMissing();
        shard.log().flow();
        shard.run();
        attach.isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        create.isSuccess();
        assertThat(exists()).isTrue();
    }

    @Test
    void shouldBelongToTheLastToAskWhenTheRequestsOfALostConnectionWaitedToo() {
        TestShard lingering = aShard().with("settlement-linger", "5ms").started();
        CreateTemporary.Request create = new CreateTemporary.Request(QUEUE, "temp.a", 42);
        TestClient consuming = lingering.aClient().knowsQueue("orders");
        consuming.publishes("orders", "m1");
        TestConsumer consumer = consuming.consumes("orders").withCredit(1);
        TestClient lost = lingering.aClient();
        TestClient again = lingering.aClient();

        lingering.log().holdWrites();
        lost.asks(create);
        consumer.settles(Outcome.ACCEPTED, false, consumer.rangesOf("m1"));
        lost.asks(create);
        again.asks(create);
        lingering.log().flow();
        lingering.run();
        lingering.passes(Duration.ofMillis(5));
        again.asks(new DeleteDestination.Request(create.name())).isSuccess();
    }
}
