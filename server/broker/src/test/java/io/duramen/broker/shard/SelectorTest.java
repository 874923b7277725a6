package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static io.duramen.protocol.frame.Attach.SubscriptionKind.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Browse;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.record.Deliveries;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Consumers of a queue that take some of its messages (section 4.1.2): each sees the whole queue. */
class SelectorTest {
    private final TestShard shard = aShard().with("window", "16").started();
    private final TestClient client = shard.aClient().knowsQueue("orders");

    private TestConsumer selecting(String selector) {
        TestConsumer consumer = client.consumer("orders", QUEUE, "").selecting(selector);
        consumer.attaches().isSuccess();
        return consumer;
    }

    /** The color of a message is what its text begins with. */
    private void publishes(String... texts) {
        client.publishes("orders", Acks.ALL, Batches.of(texts).each(SelectorTest::colored))
                .isSuccess();
    }

    private static Records colored(String text) {
        return Records.aRecord().with("color", text.substring(0, text.length() - 1));
    }

    @Test
    void shouldTakeWhatMatchesAndLeaveTheRestToOthers() {
        publishes("red1", "blue1", "red2", "green1", "blue2");
        TestConsumer red = selecting("color = 'red'").withCredit(10);
        TestConsumer notRed = selecting("color <> 'red' AND color <> 'green'").withCredit(10);
        assertThat(red.receives()).containsExactly("red1", "red2");
        assertThat(notRed.receives()).containsExactly("blue1", "blue2");
        TestConsumer any = client.consumes("orders").withCredit(10);
        assertThat(any.receives()).containsExactly("green1");
        publishes("red3", "green2");
        assertThat(red.receives().size() + any.receives().size()).isEqualTo(2);
    }

    @Test
    void shouldShareWhenSelectorsAreEqual() {
        TestConsumer one = selecting("color = 'red'").withCredit(1);
        TestConsumer two = selecting(" color = 'red' ").withCredit(1);
        publishes("red1", "blue1", "red2");
        List<String> both = new ArrayList<>(one.receives());
        both.addAll(two.receives());
        assertThat(both).containsExactlyInAnyOrder("red1", "red2");
    }

    @Test
    void shouldFindTheMatchWhenABacklogStandsBeforeIt() {
        for (int i = 0; i < 20; i++) {
            publishes(IntStream.range(0, 100).mapToObj(j -> "blue" + j % 10).toArray(String[]::new));
        }
        publishes("red1");
        TestConsumer red = selecting("color = 'red'").withCredit(10);
        assertThat(red.receives()).containsExactly("red1");
        publishes("blue1", "red2");
        assertThat(red.receives()).containsExactly("red2");
        red.accepts("red1").isSuccess();
        assertThat(client.consumes("orders").withCredit(1).receives()).containsExactly("blue0");
    }

    @Test
    void shouldOfferAgainWhenAMessageComesBack() {
        TestConsumer red = selecting("color = 'red'").withCredit(10);
        publishes("red1", "blue1", "red2");
        assertThat(red.receives()).containsExactly("red1", "red2");
        red.hasSeen(1).rejects("red1").isSuccess();
        assertThat(red.receives()).containsExactly("red1");
        red.isRedelivered("red1", 2);
        TestConsumer any = client.consumes("orders").withCredit(10);
        assertThat(any.receives()).containsExactly("blue1");
        red.detaches().isSuccess();
        assertThat(any.receives()).containsExactly("red1", "red2");
    }

    @Test
    void shouldReachASelectorWhenAPlainConsumerGivesItBack() {
        publishes("blue1", "red1", "blue2");
        TestConsumer any = client.consumes("orders").withCredit(3);
        assertThat(any.receives()).containsExactly("blue1", "red1", "blue2");
        TestConsumer red = selecting("color = 'red'").withCredit(10);
        assertThat(red.receives()).isEmpty();
        any.hasSeen(3).rejects("red1").isSuccess();
        any.hasSeen(3).rejects("blue1").isSuccess();
        assertThat(red.receives()).containsExactly("red1");
        red.isRedelivered("red1", 2);
        any.withCredit(3);
        assertThat(any.receives()).containsExactly("blue1");
    }

    @Test
    void shouldRefuseWhenTheSelectorIsNone() {
        client.consumer("orders", QUEUE, "").selecting("color =").attaches().isRefusedWith(ErrorCode.INVALID_SELECTOR);
        client.consumer("orders", QUEUE, "")
                .selecting("x = '" + "y".repeat(20_000) + "'")
                .attaches()
                .isRefusedWith(ErrorCode.INVALID_SELECTOR);
        browse("color =").isRefusedWith(ErrorCode.INVALID_SELECTOR);
        selecting("  ").withCredit(1);
    }

    private Answer browse(String selector) {
        return client.asks(new Browse.Request(
                0, "orders", client.partitionOf("orders"), selector, Browse.NOW, 0, new Browse.Place(0, 0, 0), 100));
    }

    @Test
    void shouldBrowseWhatMatches() {
        publishes("red1", "blue1", "red2");
        Browse.Response page = browse("color = 'red'").response(Browse.Response.class);
        List<String> texts = new ArrayList<>();
        Deliveries.forEach(
                page.deliveries(), page.count(), (offset, count, record) -> texts.add(Batches.textOf(record)));
        assertThat(texts).containsExactly("red1", "red2");
    }
}
