package io.duramen.simulation.invariant;

import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SubscriptionKey;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * After a subscription was sought to a place of a partition, all that is there from it on is delivered to it, and nothing of what is
 * before. While it is not known whether a seek has happened, either may be.
 */
public final class SoughtComesAgain implements Observer {
    /**
     * @param due offsets that are yet to come
     * @param came offsets that have come since it was asked for: the consumer may be back before the answer is there
     */
    public record Bounds(long from, TreeSet<Long> due, TreeSet<Long> came) {
        Bounds(long from) {
            this(from, new TreeSet<>(), new TreeSet<>());
        }
    }

    private final SubscriptionKey subscription;
    private final Map<Integer, Bounds> bounds = new HashMap<>();
    private long again;

    /** @param subscription that is sought, and no other */
    public SoughtComesAgain(SubscriptionKey subscription) {
        this.subscription = subscription;
    }

    /** What holds of a partition. */
    public Bounds bounds(int partition) {
        return bounds.getOrDefault(partition, new Bounds(0));
    }

    /** A seek is asked for; gives what holds until it is known what came of it. */
    public Bounds seeking(int partition, long offset) {
        Bounds either = new Bounds(Math.min(bounds(partition).from, offset));
        bounds.put(partition, either);
        return either;
    }

    /** It was refused. */
    public void notSought(int partition, Bounds before) {
        bounds.put(partition, before);
    }

    /**
     * It was answered; where another was asked for since, of that it is not known.
     *
     * @param asking what {@link #seeking} gave
     */
    public void sought(int partition, Bounds asking, long offset, long end) {
        if (bounds.get(partition) != asking) {
            return;
        }
        TreeSet<Long> due = new TreeSet<>();
        for (long one = offset; one < end; one++) {
            due.add(one);
        }
        again += due.size();
        due.removeAll(asking.came);
        bounds.put(partition, new Bounds(offset, due, new TreeSet<>()));
    }

    /** How many messages were to come again, so far. */
    public long again() {
        return again;
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        if (!attachment.subscription().equals(subscription)) {
            return;
        }
        Bounds of = bounds(delivery.place().partition());
        if (delivery.place().offset() < of.from) {
            throw new AssertionError(
                    delivery.place() + " is delivered to " + attachment + ", which was sought to " + of.from);
        }
        of.due.remove(delivery.place().offset());
        of.came.add(delivery.place().offset());
    }

    @Override
    public void atRest() {
        bounds.forEach((partition, of) -> {
            if (!of.due.isEmpty()) {
                throw new AssertionError(subscription + " was sought to " + partition + ":" + of.from + ", and "
                        + of.due + " have not come again");
            }
        });
    }
}
