package io.duramen.jms.delivery;

import io.duramen.jms.link.Link;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Thread-safe: guarded by itself, before its feed. What one session was given of a feed that serves many: of a connection
 * consumer. Giving it back does not stop the feed, so what comes again may come behind newer messages.
 */
public final class Portion implements Owing {
    private final ConsumerFeed feed;
    private final Map<Integer, OffsetRanges> given = new TreeMap<>();

    public Portion(ConsumerFeed feed) {
        this.feed = feed;
    }

    private OffsetRanges of(int partition) {
        return given.computeIfAbsent(partition, p -> new OffsetRanges());
    }

    /** The session's listener is about to get it. */
    public synchronized void give(Delivery delivery) {
        of(delivery.partition()).add(delivery.offset());
    }

    /** A settlement of this one delivery, whether the session was given it or was only to be. */
    synchronized Settle.Request settle(Delivery delivery, Settle.Outcome outcome, String reason) {
        of(delivery.partition()).remove(delivery.offset());
        List<OffsetRange> one = List.of(new OffsetRange(delivery.offset(), delivery.offset()));
        return feed.settle(settlement(delivery.partition(), one), outcome, reason);
    }

    private Commit.ConsumerSettlement settlement(int partition, List<OffsetRange> ranges) {
        return new Commit.ConsumerSettlement(feed.consumerId(), partition, ranges);
    }

    @Override
    public int consumerId() {
        return feed.consumerId();
    }

    @Override
    public int shard() {
        return feed.shard();
    }

    @Override
    public synchronized boolean hasGiven() {
        return given.values().stream().anyMatch(offsets -> !offsets.isEmpty());
    }

    @Override
    public synchronized void accept(Delivery delivery) {
        OffsetRanges offsets = of(delivery.partition());
        if (offsets.contains(delivery.offset())) {
            offsets.remove(delivery.offset());
            feed.accept(delivery);
        }
    }

    @Override
    public synchronized List<Commit.ConsumerSettlement> given() {
        List<Commit.ConsumerSettlement> settlements = new ArrayList<>();
        given.forEach((partition, offsets) -> {
            if (!offsets.isEmpty()) {
                settlements.add(settlement(partition, offsets.toList()));
            }
        });
        return settlements;
    }

    @Override
    public synchronized List<Commit.ConsumerSettlement> enlistGiven() {
        List<Commit.ConsumerSettlement> enlisted = given();
        given.clear();
        return enlisted;
    }

    @Override
    public Settle.Request settle(Commit.ConsumerSettlement enlisted, Settle.Outcome outcome, String reason) {
        return feed.settle(enlisted, outcome, reason);
    }

    @Override
    public synchronized void committed(Commit.ConsumerSettlement settlement) {
        of(settlement.partition()).removeAll(settlement.ranges());
        feed.committed(settlement);
    }

    @Override
    public synchronized List<Settle.Request> settleGiven(Settle.Outcome outcome, String reason) {
        List<Settle.Request> requests = new ArrayList<>();
        given.forEach((partition, offsets) -> {
            if (!offsets.isEmpty()) {
                requests.add(feed.settle(settlement(partition, offsets.toList()), outcome, reason));
                offsets.clear();
            }
        });
        return requests;
    }

    @Override
    public synchronized List<Settle.Request> settleGiven(Delivery delivery, Settle.Outcome outcome, String reason) {
        return of(delivery.partition()).contains(delivery.offset())
                ? List.of(settle(delivery, outcome, reason))
                : List.of();
    }

    @Override
    public synchronized void settled(Settle.Request request, RuntimeException refusal) {
        if (refusal != null && request.outcome() != Settle.Outcome.RELEASED) {
            of(request.partition()).addAll(request.ranges());
        }
        feed.settled(request, refusal);
    }

    @Override
    public void pause() {
        // The feed goes on for the other sessions.
    }

    @Override
    public void awaitDrained(Link link) {
        // As for pause.
    }

    @Override
    public List<Settle.Request> releaseUnseen() {
        return List.of();
    }

    @Override
    public void resume() {
        // As for pause.
    }
}
