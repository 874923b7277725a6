package io.duramen.acceptance.storm;

import io.duramen.acceptance.history.Delivery;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What one consumer has received and not settled yet, on its way into the history. Confined to the consumer's thread. */
final class Receipts {
    /**
     * How long what is settled automatically may be on its way: what the manual says of AUTO_ACKNOWLEDGE, and as much again
     * for threads that wait for a core.
     */
    private static final long IN_THE_BACKGROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Field field;
    private final String subscription;
    private final String destination;
    private final String consumer;
    private final List<Delivery> pending = new ArrayList<>();

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
        pending.forEach(delivery -> delivery.settled(nowNanos));
        pending.clear();
    }

    /** The transaction that took all of them has committed. */
    void committed() {
        long nowNanos = System.nanoTime();
        pending.forEach(delivery -> delivery.committed(nowNanos));
        pending.clear();
    }

    /** The next receive has returned: the client tells the server of them in the background. */
    void settledSoon() {
        long soonNanos = System.nanoTime() + IN_THE_BACKGROUND_NANOS;
        pending.forEach(delivery -> delivery.settled(soonNanos));
        pending.clear();
    }

    /** @param fromNanos before the call that gave them back: another may have had them before it returned */
    void released(long fromNanos) {
        long nowNanos = System.nanoTime();
        pending.forEach(delivery -> delivery.released(fromNanos, nowNanos));
        pending.clear();
    }

    /** The connection is gone, and nobody knows. */
    void forgotten() {
        pending.clear();
    }
}
