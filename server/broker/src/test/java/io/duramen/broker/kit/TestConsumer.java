package io.duramen.broker.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.Backoff;
import io.duramen.protocol.frame.Attach.HeldDeliveries;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.Settle.Outcome;
import io.duramen.protocol.record.Deliveries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One consumer of a {@link TestClient}, which remembers what it was handed. */
public final class TestConsumer {
    /** @param count which delivery of the message this is, from 1 */
    public record Delivery(int partition, long offset, int count, String text) {}

    private final TestClient client;
    private final int id;
    private final String destination;
    private final SubscriptionKind kind;
    private final String name;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<Integer> recalls = new ArrayList<>();
    private String selector = "";
    private String publisher = "";
    private int frames;
    private boolean silent;
    private long handed;
    private int drains;
    private long seen;
    private Backoff backoff = Backoff.AS_NODE;
    private int received;
    private Consumer<Delivery> onDelivery = delivery -> {};

    TestConsumer(TestClient client, int id, String destination, SubscriptionKind kind, String name) {
        this.client = client;
        this.id = id;
        this.destination = destination;
        this.kind = kind;
        this.name = name;
    }

    /** It asks for a selector; before it attaches. */
    public TestConsumer selecting(String text) {
        selector = text;
        return this;
    }

    /** It asks for noLocal; before it attaches. */
    public TestConsumer withoutWhatIsFrom(String itsOwnName) {
        publisher = itsOwnName;
        return this;
    }

    /** What it gives back waits so; before it attaches. */
    public TestConsumer backingOff(Backoff how) {
        backoff = how;
        return this;
    }

    /** Called for each delivery as it arrives. */
    public TestConsumer telling(Consumer<Delivery> listener) {
        onDelivery = listener;
        return this;
    }

    public int id() {
        return id;
    }

    public Answer attaches(HeldDeliveries... held) {
        DestinationKind destinationKind =
                kind == SubscriptionKind.QUEUE ? DestinationKind.QUEUE : DestinationKind.TOPIC;
        return client.asks(new Attach.Request(
                0,
                id,
                destination,
                destinationKind,
                kind,
                name,
                selector,
                !publisher.isEmpty(),
                publisher,
                List.of(held),
                backoff));
    }

    /** Grants credit for messages, and for as many bytes as they may have. */
    public TestConsumer withCredit(int messages) {
        client.says(new Credit.Push(0, id, messages, Integer.MAX_VALUE, seen, false));
        return this;
    }

    public TestConsumer withCredit(int messages, int bytes) {
        client.says(new Credit.Push(0, id, messages, bytes, seen, false));
        return this;
    }

    /** It has given back what it could of what it was asked for. */
    public TestConsumer answersTheRecall() {
        client.says(new Credit.Push(0, id, 0, 0, seen, false));
        return this;
    }

    public void drains(int messages) {
        client.says(new Credit.Push(0, id, messages, Integer.MAX_VALUE, seen, true));
    }

    /** Its application has been given so many deliveries in all; told with the next frame. */
    public TestConsumer hasSeen(long number) {
        seen = number;
        return this;
    }

    public Answer accepts(String... texts) {
        return settles(Outcome.ACCEPTED, true, rangesOf(texts));
    }

    public Answer rejects(String... texts) {
        return settles(Outcome.REJECTED, true, rangesOf(texts));
    }

    /** For good, and says why. */
    public Answer refuses(String text, String reason) {
        return client.asks(new Settle.Request(
                0, id, client.partitionOf(destination), rangesOf(text), Outcome.REFUSED, seen, true, reason));
    }

    public Answer releases(String... texts) {
        return settles(Outcome.RELEASED, false, rangesOf(texts));
    }

    /** @param urgent whether someone waits */
    public Answer settles(Outcome outcome, boolean urgent, List<OffsetRange> ranges) {
        return client.asks(new Settle.Request(0, id, client.partitionOf(destination), ranges, outcome, seen, urgent));
    }

    public ConsumerSettlement aSettlementOf(String... texts) {
        return new ConsumerSettlement(id, client.partitionOf(destination), rangesOf(texts));
    }

    public List<OffsetRange> rangesOf(String... texts) {
        List<OffsetRange> ranges = new ArrayList<>();
        for (String text : texts) {
            ranges.add(OffsetRange.of(last(text).offset()));
        }
        return ranges;
    }

    /** What it holds, as it would claim it after a lost connection. */
    public HeldDeliveries held(String... texts) {
        return new HeldDeliveries(client.partitionOf(destination), rangesOf(texts));
    }

    public Answer detaches() {
        return client.asks(new Detach.Request(0, id, seen, false));
    }

    public Answer detachesKeepingSeen() {
        return client.asks(new Detach.Request(0, id, seen, true));
    }

    void isHanded(Deliver.Push push) {
        frames++;
        handed += push.count();
        if (silent) {
            return;
        }
        Deliveries.forEach(push.deliveries(), push.count(), (offset, count, record) -> {
            Delivery delivery = new Delivery(push.partition(), offset, count, Batches.textOf(record));
            deliveries.add(delivery);
            onDelivery.accept(delivery);
        });
    }

    /** From now on it only counts what it is handed. */
    public TestConsumer silent() {
        silent = true;
        return this;
    }

    /** Messages that it was handed. */
    public long handed() {
        return handed;
    }

    void isDrained() {
        drains++;
    }

    void isRecalled(int count) {
        recalls.add(count);
    }

    /** How many deliveries it was asked to give back, each time. */
    public List<Integer> recalls() {
        return recalls;
    }

    public int drainsDone() {
        return drains;
    }

    /** Deliver frames that it was sent. */
    public int frames() {
        return frames;
    }

    public List<Delivery> deliveries() {
        return deliveries;
    }

    /** The texts that it was handed since the last call, in order. */
    public List<String> receives() {
        List<String> texts = deliveries.subList(received, deliveries.size()).stream()
                .map(Delivery::text)
                .toList();
        received = deliveries.size();
        return texts;
    }

    /** The last delivery with a text. */
    public Delivery last(String text) {
        for (int i = deliveries.size() - 1; i >= 0; i--) {
            if (deliveries.get(i).text().equals(text)) {
                return deliveries.get(i);
            }
        }
        throw new AssertionError("'" + text + "' was never delivered to this consumer: " + deliveries);
    }

    public TestConsumer isRedelivered(String text, int count) {
        assertThat(last(text).count()).as("deliveries of " + text).isEqualTo(count);
        return this;
    }
}
