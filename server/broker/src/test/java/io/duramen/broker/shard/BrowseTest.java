package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.destination.Names;
import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.metadata.ShardImage;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Browse;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Settle.Outcome;
import io.duramen.protocol.record.Deliveries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Browsing sees the whole queue a page at a time, and leaves no trace. */
class BrowseTest {
    private static final Browse.Place START = new Browse.Place(Browse.ANY_PRIORITY, 0, 0);

    private final TestShard shard = aShard().with("expiry-interval", "1h").started();
    private final TestClient client = shard.aClient().knowsQueue("orders");

    private Answer asks(long end, long asOfMillis, Browse.Place place, int messagesMax) {
        return client.asks(
                new Browse.Request(0, "orders", client.partitionOf("orders"), "", end, asOfMillis, place, messagesMax));
    }

    private Browse.Response first(int messagesMax) {
        return asks(Browse.NOW, 0, START, messagesMax).response(Browse.Response.class);
    }

    private Answer after(Browse.Response page, int messagesMax) {
        return asks(page.end(), page.asOfMillis(), page.next(), messagesMax);
    }

    private static List<String> texts(Browse.Response page) {
        List<String> texts = new ArrayList<>();
        if (page.count() > 0) {
            Deliveries.forEach(
                    page.deliveries(),
                    page.count(),
                    (offset, count, record) -> texts.add(Batches.textOf(record) + "/" + count));
        }
        return texts;
    }

    private Browse.Response fixed() {
        return first(0);
    }

    private List<String> rest(Browse.Response view, int perPage) {
        List<String> all = new ArrayList<>();
        Browse.Response page = view;
        while (!page.last()) {
            page = after(page, perPage).response(Browse.Response.class);
            all.addAll(texts(page));
        }
        return all;
    }

    @Test
    void shouldSeeWhatIsHeldAndWhatIsNotInOrderWhenReadInPages() {
        client.publishes("orders", "m1", "m2", "m3", "m4", "m5");
        TestConsumer consumer = client.consumes("orders").withCredit(3).hasSeen(3);
        consumer.rejects("m1");
        consumer.accepts("m2");
        assertThat(rest(fixed(), 2)).containsExactly("m1/2", "m3/1", "m4/1", "m5/1");
    }

    @Test
    void shouldChangeNothingWhenItReads() {
        client.publishes("orders", "m1", "m2");
        client.publishes("orders", Acks.ALL, Batches.of("old").expiringAt(shard.nowMillis() + 1));
        shard.passes(Duration.ofSeconds(1));
        ShardImage before = shard.image();
        assertThat(rest(fixed(), 10)).containsExactly("m1/1", "m2/1");
        assertThat(shard.image()).isEqualTo(before);
        TestConsumer consumer = client.consumes("orders").withCredit(10);
        assertThat(consumer.receives()).containsExactly("m1", "m2");
        consumer.isRedelivered("m1", 1);
    }

    @Test
    void shouldLeaveOutWhatCameLaterAndWhatIsGoneByNow() {
        client.publishes("orders", "m1", "m2", "m3");
        Browse.Response view = fixed();
        client.publishes("orders", "m4");
        TestConsumer consumer = client.consumes("orders").withCredit(2);
        consumer.accepts("m2");
        assertThat(rest(view, 1)).containsExactly("m1/1", "m3/1");
        assertThat(rest(fixed(), 1)).containsExactly("m1/1", "m3/1", "m4/1");
    }

    @Test
    void shouldLeaveOutWhatExpiresWhileItIsRead() {
        client.publishes("orders", Acks.ALL, Batches.of("m1", "m2").expiringAt(shard.nowMillis() + 1000));
        Browse.Response view = fixed();
        Browse.Response first = after(view, 1).response(Browse.Response.class);
        assertThat(texts(first)).containsExactly("m1/1");
        shard.passes(Duration.ofSeconds(1));
        assertThat(rest(first, 1)).isEmpty();
    }

    @Test
    void shouldSeeWhatWasSentBeforeItWhenNobodyWaitedForThat() {
        shard.paused();
        client.publishes("orders", Acks.NONE, Batches.of("m1"));
        Answer page = asks(Browse.NOW, 0, START, 10);
        client.publishes("orders", Acks.NONE, Batches.of("m2"));
        shard.resumed();
        assertThat(texts(page.response(Browse.Response.class))).startsWith("m1/1");
    }

    @Test
    void shouldSeeWhatIsSettledBeforeItWhenNobodyWaitedForThat() {
        client.publishes("orders", "m1", "m2");
        TestConsumer consumer = client.consumes("orders").withCredit(2).hasSeen(2);
        shard.paused();
        consumer.settles(Outcome.ACCEPTED, false, consumer.rangesOf("m1"));
        Answer page = asks(Browse.NOW, 0, START, 10);
        shard.resumed();
        shard.passes(Duration.ofSeconds(1));
        assertThat(texts(page.response(Browse.Response.class))).containsExactly("m2/1");
    }

    @Test
    void shouldBeRefusedWhenTheQueueIsDeletedBeforeItsViewBegins() {
        String name = Names.TEMPORARY_PREFIX + "a";
        client.knowsTemporary(name, DestinationKind.TEMPORARY_QUEUE, 42);
        shard.paused();
        client.publishes(name, Acks.NONE, Batches.of("m1"));
        Answer page = client.asks(new Browse.Request(0, name, client.partitionOf(name), "", Browse.NOW, 0, START, 10));
        Answer deleted = client.asks(new DeleteDestination.Request(name));
        shard.resumed();
        deleted.isSuccess();
        page.isRefusedWith(ErrorCode.DESTINATION_NOT_FOUND);
    }

    @Test
    void shouldWaitForBytesAndServeOthersMeanwhile() {
        client.publishes("orders", "m1");
        client.publishes("orders", "m2");
        Browse.Response view = fixed();
        shard.log().readCold();
        Answer page = after(view, 10);
        page.isMissing();
        client.publishes("orders", "m3").isSuccess();
        shard.log().fetch();
        shard.run();
        assertThat(texts(page.response(Browse.Response.class))).startsWith("m1/1");
    }

    @Test
    void shouldSeeTheWholeQueueWhenItIsLongerThanAPageLooksAt() {
        for (int i = 0; i < 50; i++) {
            String[] texts = new String[100];
            for (int j = 0; j < texts.length; j++) {
                texts[j] = "m" + (i * 100 + j);
            }
            client.publishes("orders", Acks.ALL, Batches.of(texts).expiringAt(i < 45 ? shard.nowMillis() + 1 : 0));
        }
        shard.passes(Duration.ofSeconds(1));
        Browse.Response first = first(100);
        assertThat(first.count()).as("it looks at so many at a time").isZero();
        assertThat(first.next().offset()).isPositive();
        assertThat(first.last()).isFalse();
        List<String> all = rest(first, 1000);
        assertThat(all).hasSize(500).startsWith("m4500/1").endsWith("m4999/1");
    }

    @Test
    void shouldBeRefusedWhenItNamesWhatIsNotThere() {
        client.knowsTopic("news");
        int partition = client.partitionOf("orders");
        record Bad(String queue, int partition, ErrorCode code) {}
        for (Bad bad : List.of(
                new Bad("nothing", partition, ErrorCode.DESTINATION_NOT_FOUND),
                new Bad("news", partition, ErrorCode.DESTINATION_KIND_MISMATCH),
                new Bad("", partition, ErrorCode.INVALID_DESTINATION_NAME),
                new Bad("orders", 99, ErrorCode.INVALID_REQUEST))) {
            client.asks(new Browse.Request(0, bad.queue(), bad.partition(), "", Browse.NOW, 0, START, 1))
                    .isRefusedWith(bad.code());
        }
        for (long extreme : List.of(Long.MIN_VALUE, Long.MAX_VALUE)) {
            Browse.Place place = new Browse.Place((int) extreme, (int) extreme, extreme);
            assertThat(asks(extreme, 0, place, Integer.MAX_VALUE).response(Browse.Response.class))
                    .satisfies(page -> assertThat(page.last()).isTrue())
                    .satisfies(page -> assertThat(page.count()).isZero());
        }
    }

    @Test
    void shouldSayThatTheLogIsDamagedAndServeOthersWhenItIs() {
        client.knowsQueue("bills");
        client.publishes("orders", "m1");
        client.publishes("bills", "b1");
        shard.medium().destroy(client.partitionOf("orders"), 0);
        asks(Browse.NOW, 0, START, 10).isRefusedWith(ErrorCode.INTERNAL);
        assertThat(client.consumes("bills").withCredit(1).receives()).containsExactly("b1");
    }

    /** The API documentation of QueueBrowser.getEnumeration: in the order in which they would be received. */
    @Test
    void shouldReadInTheOrderOfPriorityWhenMessagesHaveOne() {
        client.publishes("orders", "m1");
        client.publishes("orders", Acks.ALL, Batches.of("low1", "low2").withPriority(1));
        client.publishes("orders", Acks.ALL, Batches.of("high1").withPriority(9));
        client.publishes("orders", "m2");
        client.publishes("orders", Acks.ALL, Batches.of("high2").withPriority(9));
        List<String> expected = List.of("high1/1", "high2/1", "m1/1", "m2/1", "low1/1", "low2/1");
        assertThat(rest(fixed(), 1)).isEqualTo(expected);
        assertThat(texts(first(100))).isEqualTo(expected);
    }

    /** The API documentation of QueueBrowser: no message before its delivery time (and section 7.9). */
    @Test
    void shouldLeaveOutWhatIsNotYetToBeDeliveredAlsoWhenItFallsDueWhileReading() {
        client.publishes("orders", "m1");
        client.publishes("orders", Acks.ALL, Batches.of("later").deliveredAt(shard.nowMillis() + 1000));
        client.publishes("orders", "m2");
        Browse.Response view = fixed();
        assertThat(rest(view, 1)).containsExactly("m1/1", "m2/1");
        shard.passes(Duration.ofSeconds(1));
        assertThat(rest(view, 1)).as("the view is of before").containsExactly("m1/1", "m2/1");
        assertThat(rest(fixed(), 1)).containsExactly("m1/1", "later/1", "m2/1");
    }
}
