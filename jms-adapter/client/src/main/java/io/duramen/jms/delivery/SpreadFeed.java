package io.duramen.jms.delivery;

import io.duramen.jms.link.JmsErrors;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Thread-safe. Feeds one consumer from several shards, in turn, each with its share of what is sent ahead; its place in the
 * subscription is held in the shard with the catalogue: by the feed there, else by a {@link Membership}. Its own lock guards only whether something has happened: it is taken inside
 * a feed's, never around one.
 */
public final class SpreadFeed implements Feed {
    private final Seat seat;
    private final List<ConsumerFeed> feeds;

    /** Those that leave before the seat is left. */
    private final List<ConsumerFeed> others;

    private final Map<Integer, ConsumerFeed> byPartition = new ConcurrentHashMap<>();
    private volatile int next;
    private volatile boolean closed;
    private volatile boolean keepGiven;
    private long happened;

    /** The consumer's place in the subscription: taken before all else, and left behind all else. */
    private interface Seat {
        int consumerId();

        void leave(boolean keepGiven) throws JMSException;

        /** Leaves without waiting. */
        void leaveSoon();
    }

    /** @param feeds attached, in other shards than the membership's */
    public SpreadFeed(Membership membership, List<ConsumerFeed> feeds) {
        this(
                new Seat() {
                    @Override
                    public int consumerId() {
                        return membership.consumerId();
                    }

                    @Override
                    public void leave(boolean keepGiven) throws JMSException {
                        membership.detach();
                    }

                    @Override
                    public void leaveSoon() {
                        membership.detachSoon();
                    }
                },
                feeds,
                feeds);
    }

    /** @param feeds at least one, attached; the first is that in the shard with the catalogue */
    public SpreadFeed(List<ConsumerFeed> feeds) {
        this(
                new Seat() {
                    @Override
                    public int consumerId() {
                        return feeds.get(0).consumerId();
                    }

                    @Override
                    public void leave(boolean keepGiven) throws JMSException {
                        feeds.get(0).detach(keepGiven);
                        feeds.get(0).awaitDetached();
                    }

                    @Override
                    public void leaveSoon() {
                        feeds.get(0).detach(false);
                    }
                },
                feeds,
                feeds.subList(1, feeds.size()));
    }

    private SpreadFeed(Seat seat, List<ConsumerFeed> feeds, List<ConsumerFeed> others) {
        this.seat = seat;
        this.feeds = List.copyOf(feeds);
        this.others = List.copyOf(others);
        this.feeds.forEach(feed -> feed.watchedBy(this::happened));
    }

    private synchronized void happened() {
        happened++;
        notifyAll();
    }

    private synchronized long seenSoFar() {
        return happened;
    }

    @Override
    public int consumerId() {
        return seat.consumerId();
    }

    @Override
    public void flowing(boolean now) {
        feeds.forEach(feed -> feed.flowing(now));
    }

    @Override
    public void onArrival(Runnable action) {
        feeds.forEach(feed -> feed.onArrival(action));
    }

    @Override
    public Delivery poll(boolean accept) {
        int first = next;
        for (int i = 0; i < feeds.size(); i++) {
            ConsumerFeed feed = feeds.get((first + i) % feeds.size());
            Delivery delivery = feed.poll(accept);
            if (delivery != null) {
                next = (first + i + 1) % feeds.size();
                return from(feed, delivery);
            }
        }
        return null;
    }

    private Delivery from(ConsumerFeed feed, Delivery delivery) {
        byPartition.putIfAbsent(delivery.partition(), feed);
        return delivery;
    }

    @Override
    public Delivery take(long timeoutNanos, boolean accept) throws JMSException {
        long deadline = System.nanoTime() + timeoutNanos;
        demand();
        while (!closed) {
            long seen = seenSoFar();
            throwFailure();
            Delivery delivery = poll(accept);
            if (delivery != null) {
                askedEnough();
                return delivery;
            }
            long left = deadline - System.nanoTime();
            if (timeoutNanos != 0 && left <= 0) {
                return askedEnough() ? takeNow(accept) : null;
            }
            await(seen, timeoutNanos == 0 ? Long.MAX_VALUE : left);
        }
        return null;
    }

    private boolean askedEnough() {
        boolean onDemand = false;
        for (ConsumerFeed feed : feeds) {
            onDemand = feed.askedEnough();
        }
        return onDemand;
    }

    private void throwFailure() throws JMSException {
        for (ConsumerFeed feed : feeds) {
            feed.throwFailure();
        }
    }

    private synchronized void await(long seen, long nanos) throws JMSException {
        if (happened != seen || closed) {
            return;
        }
        try {
            long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
            wait(Math.max(1, Math.min(millis, Integer.MAX_VALUE)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.caused(new JMSException("interrupted while waiting for a message"), e);
        }
    }

    @Override
    public Delivery takeNow(boolean accept) throws JMSException {
        throwFailure();
        Delivery here = poll(accept);
        if (here != null || closed) {
            return here;
        }
        feeds.forEach(ConsumerFeed::startDrain);
        for (ConsumerFeed feed : feeds) {
            Delivery delivery = feed.takeNow(accept);
            if (delivery != null) {
                return from(feed, delivery);
            }
        }
        return null;
    }

    @Override
    public void demand() {
        feeds.forEach(ConsumerFeed::demand);
    }

    @Override
    public ConsumerFeed origin(Delivery delivery) {
        return byPartition.get(delivery.partition());
    }

    @Override
    public List<ConsumerFeed> origins() {
        return feeds;
    }

    @Override
    public boolean hasGiven() {
        return feeds.stream().anyMatch(ConsumerFeed::hasGiven);
    }

    @Override
    public void close() {
        closed = true;
        feeds.forEach(ConsumerFeed::close);
        happened();
    }

    @Override
    public void detach(boolean keep) {
        close();
        keepGiven = keep;
        others.forEach(feed -> feed.detach(keep));
    }

    /** The seat is left last: whoever takes its place then finds it nowhere. */
    @Override
    public void awaitDetached() throws JMSException {
        try {
            for (ConsumerFeed feed : others) {
                feed.awaitDetached();
            }
        } finally {
            seat.leave(keepGiven);
        }
    }

    @Override
    public void end(RuntimeException why) {
        feeds.forEach(feed -> feed.end(why));
        seat.leaveSoon();
        happened();
    }

    @Override
    public boolean isFinished() {
        return feeds.stream().allMatch(ConsumerFeed::isFinished);
    }
}
