package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.broker.shard.OperatorRequest.RequireUnused;
import io.duramen.broker.shard.ShardMessage.Finished;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Browse;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ShardPart;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What carries a transaction out in a shard that does not decide it shares the entry, and the sync, of what comes next. */
class SpanningLingerTest {
    private static final Duration LINGER = Duration.ofMillis(5);

    private final TestNode node =
            TestNode.ofShards(2, 1).with("settlement-linger", "5ms").started();
    private NodeClient client;
    private long before;

    @BeforeEach
    void connect() {
        client = node.aClient().knowsQueue("a").knowsQueue("b");
        client.asks(commit(1, "m1")).isSuccess();
        node.passes(LINGER);
        client.asks(commit(2, "m2")).isSuccess();
        node.passes(LINGER);
        before = node.log(1).status().lastIndex();
    }

    private Commit.Request commit(long sequence, String text) {
        return new Commit.Request(
                0,
                77,
                0,
                sequence,
                List.of(client.aSend("a", text)),
                List.of(),
                "",
                List.of(new ShardPart(1, List.of(client.aSend("b", text)), List.of())));
    }

    private long entries() {
        return node.log(1).status().lastIndex() - before;
    }

    private List<String> queue() {
        client.consumes("b", SubscriptionKind.QUEUE, "", 10);
        return client.texts();
    }

    @Test
    void shouldCarryOutWithTheNextPartWhenOneComesInTime() {
        client.asks(commit(3, "m3")).isSuccess();
        client.asks(commit(4, "m4")).isSuccess();
        client.asks(commit(5, "m5")).isSuccess();
        assertThat(entries()).as("prepared; carried out and prepared, twice").isEqualTo(3);
        assertThat(queue()).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void shouldCarryOutAloneWhenNothingComesInTime() {
        client.asks(commit(3, "m3")).isSuccess();
        node.passes(LINGER.minusMillis(1));
        assertThat(entries()).isEqualTo(1);
        node.passes(Duration.ofMillis(1));
        assertThat(entries()).isEqualTo(2);
        assertThat(queue()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void shouldCarryOutAtOnceWhereSyncsAreSeldom() {
        node.passes(Duration.ofSeconds(1));
        client.asks(commit(3, "m3")).isSuccess();
        assertThat(entries()).isEqualTo(2);
    }

    /** As a plain send by the same producer does. */
    @Test
    void shouldStandBeforeWhatIsSentNext() {
        client.asks(commit(3, "m3")).isSuccess();
        client.publishes(client.place("b"), "m4").isSuccess();
        assertThat(entries()).isEqualTo(2);
        client.consumes("b", SubscriptionKind.QUEUE, "", 10);
        assertThat(client.handed().stream().map(NodeClient.Handed::text)).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void shouldBeWholeWhenTheNodeDiesMeanwhile() {
        for (boolean power : new boolean[] {false, true}) {
            client.asks(commit(power ? 4 : 3, power ? "m4" : "m3")).isSuccess();
            if (power) {
                node.losesPowerAndRestarts();
            } else {
                node.isKilledAndRestarts();
            }
            assertThat(node.isSettled()).isTrue();
            client = node.aClient().knowsQueue("a").knowsQueue("b");
        }
        node.passes(LINGER);
        assertThat(queue()).containsExactly("m1", "m2", "m3", "m4");
        assertThat(node.image(0).branches()).isEmpty();
        assertThat(node.image(1).branches()).isEmpty();
    }

    /** As {@code receiveNoWait} does. */
    @Test
    void shouldNotKeepWaitingWhoAsksWhetherThereIsSomething() {
        int consumer = client.consumes("b", SubscriptionKind.QUEUE, "", 2).get(1);
        client.asks(commit(3, "m3")).isSuccess();
        assertThat(client.texts()).containsExactly("m1", "m2");
        client.drains(1, consumer, 10);
        node.run();
        assertThat(client.texts()).containsExactly("m1", "m2", "m3");
        assertThat(client.drained()).isEqualTo(1);
    }

    @Test
    void shouldNotKeepABrowserWaiting() {
        client.asks(commit(3, "m3")).isSuccess();
        Answer page = client.asks(new Browse.Request(
                1,
                "b",
                client.place("b").partition(),
                "",
                Browse.NOW,
                0,
                new Browse.Place(Browse.ANY_PRIORITY, 0, 0),
                10));
        assertThat(page.response(Browse.Response.class).count()).isEqualTo(3);
    }

    @Test
    void shouldNotKeepAnOperatorWaiting() {
        client.asks(commit(3, "m3")).isSuccess();
        CompletableFuture<Boolean> unused = node.asks(1, new RequireUnused("b"));
        node.run();
        assertThat(unused).isCompletedWithValue(true);
    }

    /** A decision is kept until then. */
    @Test
    void shouldTellWhoDecidedOnceWhenItIsOnDisk() {
        client.asks(commit(3, "m3")).isSuccess();
        assertThat(node.image(0).branches()).hasSize(1);
        long told = finished();
        node.passes(LINGER);
        assertThat(finished()).isEqualTo(told + 1);
        node.passes(LINGER);
        assertThat(node.image(0).branches()).isEmpty();
    }

    private long finished() {
        return node.told().stream().filter(Finished.class::isInstance).count();
    }
}
