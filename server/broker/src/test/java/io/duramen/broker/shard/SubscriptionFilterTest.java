package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.DURABLE;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.EXCLUSIVE;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.SHARED;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.SHARED_DURABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.record.HeaderTag;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Selector and noLocal of a topic's subscriptions (sections 8.3.1 to 8.3.4). */
class SubscriptionFilterTest {
    private final TestShard shard = aShard().with("window", "16").started();
    private final TestClient client = aClient("c1");

    private TestClient aClient(String clientId) {
        return shard.aClient(clientId).knowsTopic("news").knowsTopic("sports");
    }

    /** What a message is about is its text without its number; who sent it is what the test says. */
    private void publishes(String from, String... texts) {
        Batches batch = Batches.of(texts)
                .each(text -> Records.aRecord()
                        .header(HeaderTag.CLIENT_ID, from)
                        .with("about", text.substring(0, text.length() - 1)));
        client.publishes("news", Acks.ALL, batch).isSuccess();
    }

    private TestConsumer subscribes(SubscriptionKind kind, String name, String selector) {
        TestConsumer consumer = client.consumer("news", kind, name).selecting(selector);
        consumer.attaches().isSuccess();
        return consumer.withCredit(100);
    }

    private static Answer attaches(TestClient by, String topic, SubscriptionKind kind, String name, String selector) {
        return by.consumer(topic, kind, name).selecting(selector).attaches();
    }

    private CursorRow cursor() {
        return shard.image().cursors().get(0);
    }

    @Test
    void shouldAddOnlyWhatMatchesWhateverTheKind() {
        TestConsumer[] all = {
            subscribes(EXCLUSIVE, "", "about = 'sea'"),
            subscribes(SHARED, "s", "about = 'sea'"),
            subscribes(DURABLE, "d", "about = 'sea'"),
            subscribes(SHARED_DURABLE, "sd", "about = 'sea'")
        };
        publishes("x", "sea1", "sky1", "sea2", "sky2");
        for (TestConsumer consumer : all) {
            assertThat(consumer.receives()).containsExactly("sea1", "sea2");
        }
    }

    @Test
    void shouldSettleInRangesWhatItLeavesOut() {
        TestConsumer consumer = subscribes(DURABLE, "d", "about = 'sea'");
        long before = shard.image().nextLogOffset();
        for (int i = 0; i < 10; i++) {
            publishes("x", IntStream.range(0, 100).mapToObj(j -> "sky" + j % 10).toArray(String[]::new));
        }
        for (int i = 0; i < 100; i++) {
            publishes("x", "sky1");
        }
        assertThat(consumer.receives()).isEmpty();
        shard.passes(Duration.ofSeconds(1));
        assertThat(cursor().settledBelow()).isEqualTo(1100);
        long records = shard.image().nextLogOffset() - before;
        assertThat(records).as("log records for 1,100 messages").isLessThanOrEqualTo(1100 + 3);
        publishes("x", "sky1", "sea1", "sky2");
        assertThat(consumer.receives()).containsExactly("sea1");
        consumer.accepts("sea1").isSuccess();
        shard.passes(Duration.ofSeconds(1));
        assertThat(cursor().settledBelow()).isEqualTo(1103);
        assertThat(cursor().settledBeyond().hasRemaining()).isFalse();
    }

    @Test
    void shouldLeaveOutWhatCameWhileItWasAway() {
        subscribes(DURABLE, "d", "about = 'sea'").detaches();
        publishes("x", "sky1", "sea1", "sky2");
        shard.isKilledAndRestarts();
        TestClient again = aClient("c1");
        TestConsumer consumer = again.consumer("news", DURABLE, "d").selecting("about = 'sea'");
        consumer.attaches().isSuccess();
        assertThat(consumer.withCredit(10).receives()).containsExactly("sea1");
        shard.passes(Duration.ofSeconds(1));
        shard.restartsWithoutImage();
        assertThat(cursor().settledBelow()).isEqualTo(1);
    }

    @Test
    void shouldReplaceWhenADurableOneComesBackWithAnotherSelectorOrNoLocal() {
        subscribes(DURABLE, "d", "about = 'sea'").detaches();
        publishes("x", "sea1", "sky1");
        TestConsumer sky = subscribes(DURABLE, "d", "about = 'sky'");
        publishes("x", "sea2", "sky2");
        assertThat(sky.receives()).containsExactly("sky2");
        sky.detaches();
        publishes("x", "sky3");
        TestConsumer foreign =
                client.consumer("news", DURABLE, "d").selecting("about = 'sky'").withoutWhatIsFrom("c1");
        foreign.attaches().isSuccess();
        publishes("x", "sky4");
        assertThat(foreign.withCredit(5).receives()).containsExactly("sky4");
        foreign.detaches();
        publishes("x", "sky5");
        TestConsumer same = client.consumer("news", DURABLE, "d")
                .selecting(" about = 'sky'")
                .withoutWhatIsFrom("c1");
        same.attaches().isSuccess();
        assertThat(same.withCredit(5).receives()).containsExactly("sky4", "sky5");
    }

    @Test
    void shouldReplaceASharedDurableOneOnlyWhenNobodyUsesIt() {
        TestConsumer first = subscribes(SHARED_DURABLE, "s", "about = 'sea'");
        attaches(client, "news", SHARED_DURABLE, "s", "about = 'sky'").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        attaches(client, "news", SHARED_DURABLE, "s", "").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        attaches(client, "sports", SHARED_DURABLE, "s", "about = 'sea'").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        first.detaches();
        publishes("x", "sea1");
        TestConsumer sky = subscribes(SHARED_DURABLE, "s", "about = 'sky'");
        publishes("x", "sea2", "sky1");
        assertThat(sky.receives()).containsExactly("sky1");
        attaches(client, "news", DURABLE, "s", "about = 'sky'").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
    }

    @Test
    void shouldRefuseAnotherSelectorWhileASharedOneIsUsed() {
        TestConsumer first = subscribes(SHARED, "s", "about = 'sea'");
        attaches(client, "news", SHARED, "s", "about = 'sky'").isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        attaches(client, "news", SHARED, "s", null).isRefusedWith(ErrorCode.SUBSCRIPTION_IN_USE);
        attaches(aClient("c2"), "news", SHARED, "s", "about = 'sky'").isSuccess();
        attaches(client, "news", SHARED_DURABLE, "s", "about = 'sky'").isSuccess();
        first.detaches();
        attaches(client, "news", SHARED, "s", "about = 'sky'").isSuccess();
    }

    @Test
    void shouldLeaveOutWhatItsOwnConnectionPublished() {
        TestConsumer foreign = client.consumer("news", EXCLUSIVE, "").withoutWhatIsFrom("\u0001me");
        foreign.attaches().isSuccess();
        TestConsumer all = subscribes(EXCLUSIVE, "", "");
        publishes("\u0001me", "sea1");
        publishes("\u0001you", "sea2");
        client.publishes("news", Acks.ALL, Batches.of("sea3")).isSuccess();
        assertThat(foreign.withCredit(9).receives()).containsExactly("sea2", "sea3");
        assertThat(all.receives()).containsExactly("sea1", "sea2", "sea3");
    }

    @Test
    void shouldLeaveOutWhatItsClientIdPublishedWhenDurable() {
        TestConsumer foreign =
                client.consumer("news", DURABLE, "d").selecting("about = 'sea'").withoutWhatIsFrom("c1");
        foreign.attaches().isSuccess();
        foreign.detaches();
        publishes("c1", "sea1");
        publishes("c2", "sea2", "sky1");
        publishes("c11", "sea3");
        shard.losesPowerAndRestarts();
        TestConsumer again = aClient("c1")
                .consumer("news", DURABLE, "d")
                .selecting("about = 'sea'")
                .withoutWhatIsFrom("c1");
        again.attaches().isSuccess();
        assertThat(again.withCredit(9).receives()).containsExactly("sea2", "sea3");
    }
}
