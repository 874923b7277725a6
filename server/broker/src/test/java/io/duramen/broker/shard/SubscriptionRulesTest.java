package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.DURABLE;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.EXCLUSIVE;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.SHARED;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.SHARED_DURABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Unsubscribe;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may take part in which subscription of a topic, and from where on. */
class SubscriptionRulesTest {
    private final TestShard shard = aShard().with("subscriptions-max", "3").started();
    private final TestClient client = aClient("c1");

    private TestClient aClient(String clientId) {
        return shard.aClient(clientId).knowsTopic("news").knowsTopic("sports").knowsQueue("orders");
    }

    private static Answer attach(TestClient by, String topic, Attach.SubscriptionKind kind, String name) {
        return by.consumer(topic, kind, name).attaches();
    }

    @Test
    void shouldKeepMessagesWhenADurableSubscriberIsAway() {
        client.publishes("news", "before");
        client.subscribes("news", DURABLE, "s").detaches().isSuccess();
        client.publishes("news", "n1");
        shard.isKilledAndRestarts();
        TestConsumer again = aClient("c1").subscribes("news", DURABLE, "s").withCredit(5);
        assertThat(again.receives()).containsExactly("n1");
    }

    @Test
    void shouldGiveEachItsOwnCopyWhenExclusive() {
        client.publishes("news", "before");
        TestConsumer one = client.subscribes("news", EXCLUSIVE, "").withCredit(5);
        TestConsumer two = aClient(null).subscribes("news", EXCLUSIVE, "").withCredit(5);
        client.publishes("news", "n1");
        assertThat(one.receives()).containsExactly("n1");
        assertThat(two.receives()).containsExactly("n1");
        one.detaches();
        client.publishes("news", "n2");
        assertThat(two.receives()).containsExactly("n2");
    }

    @Test
    void shouldShareWhenNameAndClientIdAreTheSame() {
        TestConsumer one = client.subscribes("news", SHARED, "s").withCredit(1);
        TestConsumer two = aClient("c1").subscribes("news", SHARED, "s").withCredit(1);
        TestConsumer foreign = aClient("c2").subscribes("news", SHARED, "s").withCredit(5);
        client.publishes("news", "n1", "n2");
        assertThat(one.receives()).hasSize(1);
        assertThat(two.receives()).hasSize(1);
        assertThat(foreign.receives()).containsExactly("n1", "n2");
    }

    @Test
    void shouldGoToAnotherWhenAConsumerOfASharedOneLeaves() {
        TestConsumer one = client.subscribes("news", SHARED, "s").withCredit(2);
        TestConsumer two = client.subscribes("news", SHARED, "s");
        client.publishes("news", "n1", "n2");
        assertThat(one.receives()).containsExactly("n1", "n2");
        one.hasSeen(1).detaches();
        two.withCredit(5);
        assertThat(two.receives()).containsExactly("n1", "n2");
        two.isRedelivered("n1", 2).isRedelivered("n2", 1);
        two.detaches();
        client.publishes("news", "n3");
        assertThat(client.subscribes("news", SHARED, "s").withCredit(5).receives())
                .isEmpty();
    }

    @Test
    void shouldSettleWhenTheSubscriptionEndedWithItsConsumer() {
        TestConsumer consumer = client.subscribes("news", EXCLUSIVE, "").withCredit(5);
        client.publishes("news", "n1", "n2", "n3");
        consumer.hasSeen(3).detachesKeepingSeen();
        consumer.accepts("n1").isSuccess();
        consumer.rejects("n2").isSuccess();
        client.commits(1, List.of(), List.of(consumer.aSettlementOf("n3"))).isSuccess();
    }

    @Test
    void shouldRefuseWhenAConnectionHasTooManyConsumers() {
        for (int i = 0; i < 10_000; i++) {
            client.subscribes("news", SHARED, "s");
        }
        attach(client, "news", EXCLUSIVE, "").isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        attach(aClient("c1"), "news", EXCLUSIVE, "").isSuccess();
    }

    @Test
    void shouldRefuseWhenANameIsUsedOtherwise() {
        TestConsumer shared = client.subscribes("news", SHARED_DURABLE, "s");
        client.subscribes("news", SHARED_DURABLE, "s");
        attach(client, "news", DURABLE, "s").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        attach(client, "sports", SHARED_DURABLE, "s").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        shared.detaches();
        client.subscribes("news", DURABLE, "d");
        attach(aClient("c1"), "news", DURABLE, "d").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        attach(client, "news", SHARED_DURABLE, "d").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        client.subscribes("news", SHARED, "x");
        attach(client, "sports", SHARED, "x").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
    }

    @Test
    void shouldBeReplacedWhenItComesBackOnAnotherTopic() {
        client.subscribes("news", DURABLE, "s").detaches();
        client.publishes("news", "n1");
        TestConsumer moved = client.subscribes("sports", DURABLE, "s").withCredit(5);
        client.publishes("sports", "s1");
        assertThat(moved.receives()).containsExactly("s1");
        moved.detaches();
        assertThat(client.subscribes("news", DURABLE, "s").withCredit(5).receives())
                .isEmpty();
    }

    @Test
    void shouldRefuseWhenTheRequestMakesNoSense() {
        attach(shard.aClient(), "news", DURABLE, "s").isRefusedWith(ErrorCode.INVALID_REQUEST);
        attach(client, "news", DURABLE, "").isRefusedWith(ErrorCode.INVALID_REQUEST);
        attach(client, "nothing", EXCLUSIVE, "").isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
        attach(client, "orders", EXCLUSIVE, "").isRefusedWith(ErrorCode.DESTINATION_KIND_MISMATCH);
        TestConsumer twice = client.subscribes("news", EXCLUSIVE, "");
        twice.attaches().isRefusedWith(ErrorCode.INVALID_REQUEST);
        client.consumer("news", EXCLUSIVE, "").selecting("a = ").attaches().isRefusedWith(ErrorCode.INVALID_SELECTOR);
        client.consumer("news", SHARED, "s")
                .withoutWhatIsFrom("c1")
                .attaches()
                .isRefusedWith(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldRefuseWhenTooManyExist() {
        for (int i = 0; i < 3; i++) {
            client.subscribes("news", SHARED_DURABLE, "s" + i);
        }
        attach(client, "news", SHARED_DURABLE, "s3").isRefusedWith(ErrorCode.RESOURCE_EXHAUSTED);
        shard.log().setFull(true);
        client.asks(new Unsubscribe.Request("s0")).isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        client.subscribes("news", SHARED_DURABLE, "s1");
    }

    @Test
    void shouldStartAnewWhenUnsubscribed() {
        client.subscribes("news", DURABLE, "s").detaches();
        client.publishes("news", "n1");
        aClient("c2").asks(new Unsubscribe.Request("s")).isRefusedWith(ErrorCode.SUBSCRIPTION_NOT_FOUND);
        client.asks(new Unsubscribe.Request("s")).isSuccess();
        client.asks(new Unsubscribe.Request("s")).isRefusedWith(ErrorCode.SUBSCRIPTION_NOT_FOUND);
        assertThat(client.subscribes("news", DURABLE, "s").withCredit(5).receives())
                .isEmpty();
    }

    @Test
    void shouldStartAnewWhenItsEndIsOnItsWay() {
        client.subscribes("news", DURABLE, "s").detaches();
        shard.log().holdSyncs();
        Answer first = client.asks(new Unsubscribe.Request("s"));
        Answer second = client.asks(new Unsubscribe.Request("s"));
        TestConsumer consumer = client.consumer("news", DURABLE, "s");
        Answer attach = consumer.attaches();
        attach.isMissing();
        shard.log().flow();
        shard.run();
        first.isSuccess();
        second.isRefusedWith(ErrorCode.SUBSCRIPTION_NOT_FOUND);
        attach.isSuccess();
        consumer.withCredit(5);
        client.publishes("news", "n1");
        assertThat(consumer.receives()).containsExactly("n1");
    }

    @Test
    void shouldLetOneInWhenTwoCreateTheSameAtOnce() {
        shard.log().holdSyncs();
        Answer one = attach(client, "news", DURABLE, "s");
        Answer two = attach(aClientThatKnowsNothing(), "news", DURABLE, "s");
        shard.log().flow();
        shard.run();
        one.isSuccess();
        two.isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
    }

    private TestClient aClientThatKnowsNothing() {
        return shard.aClient("c1");
    }
}
