package io.duramen.jms.delivery;

import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.record.Deliveries;
import java.util.ArrayDeque;
import java.util.Deque;

/** Guarded by its feed. What was sent ahead and no one has seen, in the order sent; frames are opened one by one. */
final class Arrivals {
    private final Deque<Deliver.Push> frames = new ArrayDeque<>();
    private final Deque<Delivery> opened = new ArrayDeque<>();
    private int count;
    private long lengthBytes;

    /** @return bytes of the records in it */
    long add(Deliver.Push frame) {
        frames.add(frame);
        count += frame.count();
        long length = recordBytes(frame);
        lengthBytes += length;
        return length;
    }

    private static long recordBytes(Deliver.Push frame) {
        return frame.deliveries().remaining() - (long) frame.count() * Deliveries.OVERHEAD_LENGTH;
    }

    int count() {
        return count;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /**
     * @return null where nothing waits
     * @throws io.duramen.protocol.MalformedFrameException where a frame does not hold what it says; it is dropped
     */
    Delivery poll() {
        if (opened.isEmpty() && !open()) {
            return null;
        }
        Delivery next = opened.poll();
        count--;
        lengthBytes -= next.record().remaining();
        return next;
    }

    void putBack(Delivery delivery) {
        opened.addFirst(delivery);
        count++;
        lengthBytes += delivery.record().remaining();
    }

    private boolean open() {
        Deliver.Push frame = frames.poll();
        if (frame == null) {
            return false;
        }
        try {
            Deliveries.forEach(
                    frame.deliveries(),
                    frame.count(),
                    (offset, deliveryCount, record) ->
                            opened.add(new Delivery(frame.partition(), offset, deliveryCount, record)));
        } catch (RuntimeException e) {
            opened.clear();
            count -= frame.count();
            lengthBytes -= recordBytes(frame);
            throw e;
        }
        return true;
    }

    void clear() {
        frames.clear();
        opened.clear();
        count = 0;
        lengthBytes = 0;
    }
}
