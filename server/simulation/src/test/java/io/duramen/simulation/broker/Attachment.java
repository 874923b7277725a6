package io.duramen.simulation.broker;

import io.duramen.protocol.frame.OffsetRange;
import io.duramen.simulation.message.TestMessage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A consumer's taking part in a subscription over one connection. Confined to the simulation. */
public final class Attachment {
    /** Where a message stands. */
    public record Place(int partition, long offset) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int order = Integer.compare(partition, other.partition);
            return order != 0 ? order : Long.compare(offset, other.offset);
        }
    }

    private final long number;
    private final SimulatedLink link;
    private final int consumerId;
    private final SubscriptionKey subscription;
    private final Map<Place, TestMessage> given;
    private boolean gone;

    /** @param given what this consumer was given over all its connections, by place; shared among its attachments */
    Attachment(
            long number,
            SimulatedLink link,
            int consumerId,
            SubscriptionKey subscription,
            TreeMap<Place, TestMessage> given) {
        this.number = number;
        this.link = link;
        this.consumerId = consumerId;
        this.subscription = subscription;
        this.given = given;
    }

    public long number() {
        return number;
    }

    public SimulatedLink link() {
        return link;
    }

    public int consumerId() {
        return consumerId;
    }

    public SubscriptionKey subscription() {
        return subscription;
    }

    /** Whether its end has reached the server's inbox, so that its leases may end at any time. */
    public boolean isGone() {
        return gone;
    }

    void end() {
        gone = true;
    }

    void give(Place place, TestMessage message) {
        given.put(place, message);
    }

    /** What the consumer knows to stand at a place; null where it was never given anything from there. */
    public TestMessage given(Place place) {
        return given.get(place);
    }

    /** All places of some ranges, in order. */
    public static List<Place> places(int partition, List<OffsetRange> ranges) {
        List<Place> places = new java.util.ArrayList<>();
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                places.add(new Place(partition, offset));
            }
        }
        return places;
    }

    @Override
    public String toString() {
        return "consumer " + consumerId + " of client " + link.clientNumber() + " on " + subscription;
    }
}
