package io.duramen.jms.delivery;

import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.record.Deliveries;
import io.duramen.protocol.record.MessageRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Guarded by its feed. What was sent ahead and no one has seen, in the order sent; frames are opened one by one. */
final class Arrivals {
    private record Unopened(Deliver.Push frame, long firstNumber) {}

    private final Deque<Unopened> frames = new ArrayDeque<>();
    private final ArrayDeque<Delivery> opened = new ArrayDeque<>();
    private int count;
    private long lengthBytes;
    private long received;
    private long seen;
    private Delivery givenAgain;

    /** @return bytes of the records in it */
    long add(Deliver.Push frame) {
        frames.add(new Unopened(frame, received + 1));
        received += frame.count();
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

    /** Number of the last delivery that came. */
    long received() {
        return received;
    }

    /** Number of the last delivery before which none waits here. */
    long seen() {
        return seen;
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
        seen = next.number();
        givenAgain = next.count() > 1 ? next : givenAgain;
        return next;
    }

    /**
     * Takes the last delivery that came again and was given out since the last call; null where there is none. Should the
     * application die of it, that counts, and what it was not given does not: so the node has to be told.
     */
    Delivery takeGivenAgain() {
        Delivery taken = givenAgain;
        givenAgain = null;
        return taken;
    }

    /**
     * As {@link #poll}, past those whose time is over.
     *
     * @param onExpired told of each of them
     */
    Delivery pollUnexpired(Consumer<Delivery> onExpired) {
        while (true) {
            Delivery next = poll();
            if (next == null) {
                return null;
            }
            long expiration = next.record().getLong(next.record().position() + MessageRecord.EXPIRATION_AT);
            if (expiration == 0 || expiration > System.currentTimeMillis()) {
                return next;
            }
            onExpired.accept(next);
        }
    }

    void putBack(Delivery delivery) {
        opened.addFirst(delivery);
        count++;
        lengthBytes += delivery.record().remaining();
        seen = delivery.number() - 1;
    }

    /** Takes out those that came last, at most so many; the latest first. */
    List<Delivery> takeLatest(int max) {
        List<Delivery> latest = new ArrayList<>();
        while (open()) {
            continue;
        }
        while (latest.size() < max && !opened.isEmpty()) {
            Delivery last = opened.pollLast();
            count--;
            lengthBytes -= last.record().remaining();
            latest.add(last);
        }
        if (count == 0) {
            seen = received;
        }
        return latest;
    }

    private boolean open() {
        Unopened next = frames.poll();
        if (next == null) {
            return false;
        }
        Deliver.Push frame = next.frame;
        int before = opened.size();
        try {
            Deliveries.forEach(
                    frame.deliveries(),
                    frame.count(),
                    (offset, deliveryCount, record) -> opened.add(new Delivery(
                            frame.partition(),
                            offset,
                            next.firstNumber + opened.size() - before,
                            deliveryCount,
                            record)));
        } catch (RuntimeException e) {
            while (opened.size() > before) {
                opened.removeLast();
            }
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

    /** The consumer attaches anew: deliveries are counted from 1 again. */
    void restart() {
        received = 0;
        seen = 0;
        givenAgain = null;
    }
}
