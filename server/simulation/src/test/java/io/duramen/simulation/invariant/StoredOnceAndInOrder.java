package io.duramen.simulation.invariant;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Publish;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.message.TestMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Every message delivered was sent, to that destination, and was not refused; it has one place for good; and the places of
 * a sender's messages in a partition are in the order sent. A message that no one was told to be on disk may lose its place
 * in a power cut.
 */
public final class StoredOnceAndInOrder implements Observer {
    private static final class Sent {
        private final String destination;
        private int times;
        private boolean refused;
        private boolean weak;
        private Place place;
        private int powerCutsBefore;

        Sent(String destination) {
            this.destination = destination;
        }
    }

    private static final Set<ErrorCode> FOR_LACK_OF_ROOM =
            Set.of(ErrorCode.RESOURCE_EXHAUSTED, ErrorCode.DESTINATION_FULL, ErrorCode.DESTINATION_FULL_WAIT);

    private record Sequence(long sender, int partition) {}

    private final Map<TestMessage, Sent> sent = new HashMap<>();
    private final Map<Place, TestMessage> stored = new HashMap<>();
    private final Map<Sequence, TreeMap<Long, Long>> order = new HashMap<>();
    private final Set<TestMessage> promised = new HashSet<>();
    private int powerCuts;

    @Override
    public void publishing(Publish.Request request, String destination, List<TestMessage> messages) {
        for (TestMessage message : messages) {
            Sent now = sent.computeIfAbsent(message, m -> new Sent(destination));
            now.times++;
            now.refused = false;
            now.weak = request.acks() != Publish.Acks.ALL;
        }
    }

    @Override
    public void published(
            Publish.Request request, String destination, List<TestMessage> messages, Optional<ErrorCode> refusal) {
        for (TestMessage message : messages) {
            Sent now = sent.get(message);
            now.refused = refusal.filter(FOR_LACK_OF_ROOM::contains).isPresent() && now.times == 1;
            if (refusal.isEmpty() && request.acks() == Publish.Acks.ALL) {
                promised.add(message);
            }
        }
    }

    @Override
    public void committing(TransactionView transaction) {
        transaction
                .sent()
                .forEach(batch -> batch.messages()
                        .forEach(message -> sent.computeIfAbsent(message, m -> new Sent(batch.destination()))));
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        if (delivery.dead().isPresent()) {
            return; // moved, in the order in which that happened
        }
        TestMessage message = delivery.message();
        if (message.isHalf()) {
            return; // see HalvesEndAsTold
        }
        Sent origin = sent.get(message);
        if (origin == null
                || origin.refused
                || !origin.destination.equals(attachment.subscription().destination())) {
            throw new AssertionError(message + " was " + (origin == null ? "never sent" : "refused or sent elsewhere")
                    + " and is delivered to " + attachment);
        }
        Place place = delivery.place();
        if (origin.place != null && !origin.place.equals(place)) {
            requireLost(message, origin, "is stored at " + place + " and at " + origin.place);
            forget(origin.place, message);
        }
        TestMessage before = stored.put(place, message);
        if (before != null && !before.equals(message)) {
            requireLost(before, sent.get(before), "lost its place " + place + " to " + message);
            forget(place, before);
            stored.put(place, message);
        }
        origin.place = place;
        origin.powerCutsBefore = powerCuts;
        requireOrder(message, place);
    }

    private void requireLost(TestMessage message, Sent origin, String what) {
        boolean mayBeLost = origin.weak && !promised.contains(message) && origin.powerCutsBefore < powerCuts;
        if (!mayBeLost) {
            throw new AssertionError(message + " " + what);
        }
    }

    private void requireLost(TestMessage message, Place place, long offset) {
        Place other = new Place(place.partition(), offset);
        TestMessage before = stored.get(other);
        requireLost(before, sent.get(before), "at " + other + " is out of order with " + message + " at " + place);
        forget(other, before);
    }

    private void forget(Place place, TestMessage message) {
        stored.remove(place, message);
        TreeMap<Long, Long> numbers = order.get(new Sequence(message.sender(), place.partition()));
        if (numbers != null) {
            numbers.remove(place.offset(), message.number());
        }
        sent.get(message).place = null;
    }

    private void requireOrder(TestMessage message, Place place) {
        TreeMap<Long, Long> numbers =
                order.computeIfAbsent(new Sequence(message.sender(), place.partition()), s -> new TreeMap<>());
        Map.Entry<Long, Long> lower = numbers.lowerEntry(place.offset());
        while (lower != null && lower.getValue() >= message.number()) {
            requireLost(message, place, lower.getKey());
            lower = numbers.lowerEntry(place.offset());
        }
        Map.Entry<Long, Long> higher = numbers.higherEntry(place.offset());
        while (higher != null && higher.getValue() <= message.number()) {
            requireLost(message, place, higher.getKey());
            higher = numbers.higherEntry(place.offset());
        }
        numbers.put(place.offset(), message.number());
    }

    @Override
    public void died(boolean powerCut) {
        powerCuts += powerCut ? 1 : 0;
    }
}
