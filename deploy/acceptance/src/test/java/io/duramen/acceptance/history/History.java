package io.duramen.acceptance.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What happened, in the order in which it was told. Thread-safe: every method holds this object's lock, under which the
 * waiting ones wait.
 */
public final class History {
    private final Map<String, List<Subscription>> subscriptions = new LinkedHashMap<>();
    private final Map<MessageId, Sent> sent = new HashMap<>();
    private final Map<Long, List<Sent>> transactions = new HashMap<>();
    private final Map<String, Map<MessageId, List<Delivery>>> deliveries = new LinkedHashMap<>();
    private final List<Kill> kills = new ArrayList<>();
    private final List<String> disturbances = new ArrayList<>();
    private long stored;
    private long undelivered;

    /** In which order messages come. */
    public enum Order {
        /** There is one consumer at a time: first deliveries keep each producer's order without any exception. */
        ONE,
        /** Each of several consumers sees each producer's messages in their order. */
        EACH,
        /** All consumers together see each producer's messages of a group in their order. */
        GROUPS
    }

    /** A queue's consumers, or a durable subscription. */
    public record Subscription(String name, String destination, Order order) {
        boolean exclusive() {
            return order == Order.ONE;
        }
    }

    /** Must precede the first message to its destination. */
    public synchronized void subscribe(Subscription subscription) {
        subscriptions
                .computeIfAbsent(subscription.destination(), d -> new ArrayList<>())
                .add(subscription);
        deliveries.put(subscription.name(), new HashMap<>());
    }

    /** A message is about to be sent; until more is said of it, it is in doubt. */
    public synchronized void sending(MessageId id, String destination, long transaction) {
        Sent message = new Sent(id, destination, transaction);
        send(message);
        if (transaction != Sent.NO_TRANSACTION) {
            transactions.computeIfAbsent(transaction, t -> new ArrayList<>()).add(message);
        }
    }

    /** The same of a message that belongs to a group, outside of transactions. @param nanos just before the call */
    public synchronized void sending(MessageId id, String destination, String group, long nanos) {
        send(new Sent(id, destination, Sent.NO_TRANSACTION, group, nanos));
    }

    private void send(Sent message) {
        if (sent.put(message.id(), message) != null) {
            throw new IllegalArgumentException("sent twice: " + message.id());
        }
    }

    /** The blocking send of a message outside of transactions has returned. */
    public synchronized void stored(MessageId id) {
        store(sent.get(id));
        notifyAll();
    }

    /** What became of a transaction: {@code commit} returned, {@code rollback} was called or the commit was refused. */
    public synchronized void ended(long transaction, Sent.Outcome outcome) {
        for (Sent message : transactions.getOrDefault(transaction, List.of())) {
            if (outcome == Sent.Outcome.STORED) {
                store(message);
            } else {
                message.become(outcome);
            }
        }
        notifyAll();
    }

    private void store(Sent message) {
        message.become(Sent.Outcome.STORED);
        stored++;
        for (Subscription subscription : subscriptions.get(message.destination())) {
            if (!deliveries.get(subscription.name()).containsKey(message.id())) {
                undelivered++;
            }
        }
    }

    /** The application was given a message. The result takes what becomes of the delivery. */
    public synchronized Delivery delivered(String subscription, String consumer, MessageId id, long nanos) {
        Delivery delivery = new Delivery(subscription, consumer, id, nanos);
        List<Delivery> earlier = deliveries.get(subscription).computeIfAbsent(id, i -> new ArrayList<>(1));
        Sent message = sent.get(id);
        if (earlier.isEmpty() && message != null && message.outcome() == Sent.Outcome.STORED) {
            undelivered--;
        }
        earlier.add(delivery);
        notifyAll();
        return delivery;
    }

    public synchronized void killed(Kill kill) {
        kills.add(kill);
    }

    /** A client's call failed although the client reconnects by itself; for the report. */
    public synchronized void disturbed(String what) {
        disturbances.add(what);
    }

    /** How many messages are confirmed as stored so far. */
    public synchronized long stored() {
        return stored;
    }

    /** Waits until that many messages are stored; false where it took longer than the time given. */
    public synchronized boolean awaitStored(long count, long seconds) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (stored < count) {
            if (!awaitChange(deadlineNanos)) {
                return false;
            }
        }
        return true;
    }

    /** Waits until every stored message was delivered to every subscription; false where nothing came for so long. */
    public synchronized boolean awaitDelivered(long patienceSeconds) throws InterruptedException {
        long left = undelivered;
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
        while (undelivered > 0) {
            if (!awaitChange(deadlineNanos)) {
                return false;
            }
            if (undelivered < left) {
                left = undelivered;
                deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
            }
        }
        return true;
    }

    private boolean awaitChange(long deadlineNanos) throws InterruptedException {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (leftMillis <= 0) {
            return false;
        }
        wait(leftMillis);
        return true;
    }

    /** Judges what was told so far. */
    public synchronized Report check() {
        return new HistoryChecker(this).check();
    }

    Map<String, List<Subscription>> subscriptions() {
        return subscriptions;
    }

    Map<MessageId, Sent> sent() {
        return sent;
    }

    Map<Long, List<Sent>> transactions() {
        return transactions;
    }

    /** Of a subscription, by message, in the order of receipt. */
    Map<MessageId, List<Delivery>> deliveriesOf(Subscription subscription) {
        return deliveries.get(subscription.name());
    }

    List<Kill> kills() {
        return kills;
    }

    List<String> disturbances() {
        return disturbances;
    }
}
