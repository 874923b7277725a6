package io.duramen.jms.delivery;

import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.record.Deliveries;
import io.duramen.protocol.record.MessageRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guarded by its feed. What the application was given and the node has not yet confirmed as settled, in three steps:
 * {@code given} (the application has it; {@code enlisted} where a branch took it over), {@code accepted} (to be settled with the next frame), {@code asked} (the
 * settlement is on its way). All of them are what a consumer claims as held when it attaches again.
 */
final class Holdings {
    private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);

    /** Those of one partition. */
    private static final class Part {
        final int partition;
        final OffsetRanges given = new OffsetRanges();
        /** Given, and a branch's to settle. */
        final OffsetRanges enlisted = new OffsetRanges();
        /** Of what was enlisted, what the node has delivered again: it has ended that branch, which is not yet known here. */
        final OffsetRanges givenAgain = new OffsetRanges();

        final OffsetRanges accepted = new OffsetRanges();
        final OffsetRanges asked = new OffsetRanges();
        /** Expired or asked back before the application saw them: to be given back with the next frame. */
        final OffsetRanges unseen = new OffsetRanges();

        Part(int partition) {
            this.partition = partition;
        }

        boolean isEmpty() {
            return given.isEmpty() && enlisted.isEmpty() && accepted.isEmpty() && asked.isEmpty() && unseen.isEmpty();
        }

        void give(long offset) {
            if (enlisted.contains(offset)) {
                enlisted.remove(offset);
                givenAgain.add(offset);
            }
            given.add(offset);
        }

        /** What of these is not another's than who speaks of them: what was given again since is not his. */
        List<OffsetRange> own(List<OffsetRange> ranges) {
            if (givenAgain.isEmpty()) {
                return ranges;
            }
            OffsetRanges own = new OffsetRanges();
            own.addAll(ranges);
            own.removeAll(givenAgain.toList());
            givenAgain.removeAll(ranges);
            return own.toList();
        }

        List<OffsetRange> ask(OffsetRanges due) {
            List<OffsetRange> ranges = due.toList();
            asked.addAll(ranges);
            due.clear();
            return ranges;
        }
    }

    private final Subscribing subscribing;
    private final List<Part> parts = new ArrayList<>(1);
    private Part last;

    Holdings(Subscribing subscribing) {
        this.subscribing = subscribing;
    }

    private Part of(int partition) {
        if (last != null && last.partition == partition) {
            return last;
        }
        for (Part part : parts) {
            if (part.partition == partition) {
                last = part;
                return part;
            }
        }
        last = new Part(partition);
        parts.add(last);
        return last;
    }

    // ---- one delivery ----------------------------------------------------------------------------------------------

    void give(Delivery delivery) {
        of(delivery.partition()).give(delivery.offset());
    }

    void giveAccepted(Delivery delivery) {
        of(delivery.partition()).accepted.add(delivery.offset());
    }

    /** It goes back unseen with the next frame. */
    void release(Delivery delivery) {
        of(delivery.partition()).unseen.add(delivery.offset());
    }

    void releaseAll(List<Delivery> deliveries) {
        deliveries.forEach(this::release);
    }

    /** All in a frame, before anyone has seen them, but for those whose body is yet to be fetched. */
    void acceptAll(Deliver.Push frame) {
        Part part = of(frame.partition());
        try {
            Deliveries.forEach(frame.deliveries(), frame.count(), (offset, count, record) -> {
                if (!MessageRecord.isLarge(record, record.position())) {
                    part.accepted.add(offset);
                }
            });
        } catch (MalformedFrameException e) {
            LOG.debug("A frame does not hold what it says; who opens it is told", e);
        }
    }

    /** @return false where it is no longer given: it was given back meanwhile */
    boolean accept(Delivery delivery) {
        Part part = of(delivery.partition());
        if (!part.given.contains(delivery.offset())) {
            return false;
        }
        part.given.remove(delivery.offset());
        part.accepted.add(delivery.offset());
        return true;
    }

    void takeBack(Delivery delivery) {
        of(delivery.partition()).given.remove(delivery.offset());
    }

    // ---- all of them -----------------------------------------------------------------------------------------------

    boolean isEmpty() {
        for (Part part : parts) {
            if (!part.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    boolean hasGiven() {
        for (Part part : parts) {
            if (!part.given.isEmpty() || !part.enlisted.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    List<Attach.HeldDeliveries> held() {
        List<Attach.HeldDeliveries> held = new ArrayList<>();
        for (Part part : parts) {
            OffsetRanges all = new OffsetRanges();
            all.addAll(part.given);
            all.addAll(part.enlisted);
            all.addAll(part.accepted);
            all.addAll(part.asked);
            all.addAll(part.unseen);
            if (!all.isEmpty()) {
                held.add(new Attach.HeldDeliveries(part.partition, all.toList()));
            }
        }
        return held;
    }

    /**
     * The node no longer lends us these: they are settled, or another consumer has them. What was accepted needs no
     * settlement any more; what was given stays, so that the session's settlement or commit meets the node's refusal and
     * the application learns of it.
     */
    void lost(List<Attach.HeldDeliveries> lost) {
        for (Attach.HeldDeliveries held : lost) {
            Part part = of(held.partition());
            part.accepted.removeAll(held.ranges());
            part.unseen.removeAll(held.ranges());
        }
    }

    /** What was given, for a transaction that accepts it; still counts as given. */
    List<Commit.ConsumerSettlement> given() {
        List<Commit.ConsumerSettlement> given = new ArrayList<>();
        for (Part part : parts) {
            if (!part.given.isEmpty()) {
                given.add(new Commit.ConsumerSettlement(subscribing.consumerId(), part.partition, part.given.toList()));
            }
        }
        return given;
    }

    /** What was given and belongs to a branch from now on. */
    List<Commit.ConsumerSettlement> enlistGiven() {
        List<Commit.ConsumerSettlement> given = given();
        for (Part part : parts) {
            part.enlisted.addAll(part.given);
            part.given.clear();
        }
        return given;
    }

    void committed(Commit.ConsumerSettlement settlement) {
        Part part = of(settlement.partition());
        List<OffsetRange> own = part.own(settlement.ranges());
        part.given.removeAll(own);
        part.enlisted.removeAll(own);
    }

    // ---- settlements -----------------------------------------------------------------------------------------------

    private Settle.Request settle(
            Part part, List<OffsetRange> ranges, Settle.Outcome outcome, long seen, boolean urgent) {
        return new Settle.Request(
                subscribing.shard(), subscribing.consumerId(), part.partition, ranges, outcome, seen, urgent);
    }

    /** One that the application waits for. */
    private Settle.Request urgent(
            Part part, List<OffsetRange> ranges, Settle.Outcome outcome, long seen, String reason) {
        return new Settle.Request(
                subscribing.shard(), subscribing.consumerId(), part.partition, ranges, outcome, seen, true, reason);
    }

    /**
     * Settlements that nobody waits for, of what was accepted or goes back unseen since the last.
     *
     * @param givenAgain of which the node has to know that the application has it, by a settlement of nothing where there is
     *     no other; null for none
     */
    List<Settle.Request> askGathered(long seen, Delivery givenAgain) {
        List<Settle.Request> frames = new ArrayList<>(1);
        for (Part part : parts) {
            if (!part.accepted.isEmpty()) {
                frames.add(settle(part, part.ask(part.accepted), Settle.Outcome.ACCEPTED, seen, false));
            }
            if (!part.unseen.isEmpty()) {
                frames.add(settle(part, part.ask(part.unseen), Settle.Outcome.RELEASED, seen, false));
            }
        }
        if (givenAgain != null && frames.isEmpty()) {
            frames.add(settle(of(givenAgain.partition()), List.of(), Settle.Outcome.RELEASED, seen, false));
        }
        return frames;
    }

    /** Settlements of all that was given, which the application waits for. */
    List<Settle.Request> askGiven(Settle.Outcome outcome, long seen, String reason) {
        List<Settle.Request> frames = new ArrayList<>();
        for (Part part : parts) {
            if (!part.given.isEmpty()) {
                frames.add(urgent(part, part.ask(part.given), outcome, seen, reason));
            }
        }
        return frames;
    }

    /** As {@link #askGiven(Settle.Outcome, long, String)}, of one delivery; none where it is not given. */
    List<Settle.Request> askGiven(Delivery delivery, Settle.Outcome outcome, long seen, String reason) {
        if (!of(delivery.partition()).given.contains(delivery.offset())) {
            return List.of();
        }
        List<OffsetRange> one = List.of(OffsetRange.of(delivery.offset()));
        return List.of(ask(delivery.partition(), one, outcome, seen, reason));
    }

    /** A settlement of some of what was given, which the application waits for. */
    Settle.Request ask(int partition, List<OffsetRange> ranges, Settle.Outcome outcome, long seen, String reason) {
        Part part = of(partition);
        List<OffsetRange> own = part.own(ranges);
        part.given.removeAll(own);
        part.enlisted.removeAll(own);
        part.asked.addAll(own);
        return urgent(part, own, outcome, seen, reason);
    }

    /** Releases of all that waits unseen, which leaves the arrivals. */
    List<Settle.Request> askReleased(Arrivals arrivals) {
        Map<Part, OffsetRanges> unseen = new LinkedHashMap<>();
        for (Delivery next = arrivals.poll(); next != null; next = arrivals.poll()) {
            unseen.computeIfAbsent(of(next.partition()), part -> new OffsetRanges())
                    .add(next.offset());
        }
        List<Settle.Request> frames = new ArrayList<>();
        unseen.forEach((part, offsets) ->
                frames.add(settle(part, part.ask(offsets), Settle.Outcome.RELEASED, arrivals.seen(), true)));
        return frames;
    }

    /** The node has answered a settlement; where it refused, what the application waits to settle is given again. */
    void answered(Settle.Request request, boolean refused) {
        Part part = of(request.partition());
        part.asked.removeAll(request.ranges());
        if (refused && request.urgent() && request.outcome() != Settle.Outcome.RELEASED) {
            part.given.addAll(request.ranges());
        }
    }
}
