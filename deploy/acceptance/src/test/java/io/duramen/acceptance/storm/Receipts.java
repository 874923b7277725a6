package io.duramen.acceptance.storm;

import io.duramen.acceptance.history.Delivery;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What one consumer has received and not settled yet, on its way into the history. Confined to the consumer's thread. */
final class Receipts {
    /**
     * How long the client may keep to itself what is settled automatically: what the manual says of AUTO_ACKNOWLEDGE, and as
     * much again for threads that wait for a core.
     */
    private static final long IN_THE_BACKGROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Field field;
    private final String subscription;
    private final String destination;
    private final String consumer;
    private final List<Delivery> pending = new ArrayList<>();
    private final ArrayDeque<OnItsWay> onTheirWay = new ArrayDeque<>();

    /** Told to the server in the background, at a moment that nobody knows, after {@code sinceNanos}. */
    private record OnItsWay(Delivery delivery, long sinceNanos) {}

    Receipts(Field field, String subscription, String destination, String consumer) {
        this.field = field;
        this.subscription = subscription;
        this.destination = destination;
        this.consumer = consumer;
    }

    void add(Message message) throws JMSException {
        long nowNanos = System.nanoTime();
        pending.add(field.history().delivered(subscription, consumer, Field.idOf(message), nowNanos));
        field.makeRoom(destination);
    }

    int size() {
        return pending.size();
    }

    /** The call that settles all of them has returned. */
    void settled() {
        long nowNanos = System.nanoTime();
        onTheirWay.forEach(one -> one.delivery.settled(nowNanos));
        onTheirWay.clear();
        pending.forEach(delivery -> delivery.settled(nowNanos));
        pending.clear();
    }

    /**
     * The next receive has returned: the client tells the server of them in the background, which brings them to its log
     * behind what it is syncing just then. They count as settled once a blocking send is answered that began after the client
     * must have told.
     */
    void settledSoon() {
        long sinceNanos = System.nanoTime();
        pending.forEach(delivery -> onTheirWay.add(new OnItsWay(delivery, sinceNanos)));
        pending.clear();
        long behindNanos = field.answeredFrom() - IN_THE_BACKGROUND_NANOS;
        long nowNanos = System.nanoTime();
        while (!onTheirWay.isEmpty() && onTheirWay.peek().sinceNanos < behindNanos) {
            onTheirWay.poll().delivery.settled(nowNanos);
        }
    }

    /** @param fromNanos before the call that gave them back: another may have had them before it returned */
    void released(long fromNanos) {
        long nowNanos = System.nanoTime();
        pending.forEach(delivery -> delivery.released(fromNanos, nowNanos));
        pending.clear();
    }

    /** The connection is gone, and nobody knows. */
    void forgotten() {
        onTheirWay.clear();
        pending.clear();
    }
}
