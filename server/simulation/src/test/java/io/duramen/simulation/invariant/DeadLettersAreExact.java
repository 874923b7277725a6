package io.duramen.simulation.invariant;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SubscriptionKey;
import io.duramen.simulation.message.DeadMark;
import io.duramen.simulation.message.TestMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A message that became a dead letter of a subscription is one once, was not settled there, and is never delivered there
 * again. Its count is the maximum where that is why, at least the rejections that were promised, and at most the deliveries.
 * A dead letter that no one was told to be on disk may be a message again after a power cut.
 */
public final class DeadLettersAreExact implements Observer {
    private record Message(SubscriptionKey subscription, TestMessage message) {}

    private static final class History {
        private int deliveries;
        private int rejections;
    }

    private final int deliveriesMax;
    private final Map<Message, Place> dead = new HashMap<>();
    private final Map<Place, Message> byPlace = new HashMap<>();
    private final Set<Message> onDisk = new HashSet<>();
    private final Set<Message> settled = new HashSet<>();
    private final Map<Message, History> histories = new HashMap<>();

    /** @param deliveriesMax of every destination whose dead letters are looked at */
    public DeadLettersAreExact(int deliveriesMax) {
        this.deliveriesMax = deliveriesMax;
    }

    /** From which subscription a dead letter came. One without a name is not told from others of its topic. */
    static SubscriptionKey origin(DeadMark mark) {
        SubscriptionKind kind = switch (mark.subscription()) {
            case "durable" -> SubscriptionKind.DURABLE;
            case "shared-durable" -> SubscriptionKind.SHARED_DURABLE;
            case "shared" -> SubscriptionKind.SHARED;
            default -> mark.origin().startsWith("topic") ? SubscriptionKind.EXCLUSIVE : SubscriptionKind.QUEUE;
        };
        return new SubscriptionKey(mark.origin(), kind, mark.clientId(), mark.subscription(), 0);
    }

    /** Whether the consumer takes the dead letters of several subscriptions, among which a message is once for each. */
    static boolean areOfSeveral(Attachment attachment) {
        return attachment.subscription().destination().startsWith("DLQ.topic");
    }

    private History of(Attachment attachment, TestMessage message) {
        return histories.computeIfAbsent(
                new Message(attachment.subscription(), message.moved()), none -> new History());
    }

    @Override
    public void attached(Attachment attachment, Attach.Request request, Attach.Response response) {
        for (Attach.HeldDeliveries held : request.held()) {
            for (Place place : Attachment.places(held.partition(), held.ranges())) {
                if (attachment.given(place) != null) {
                    of(attachment, attachment.given(place)).deliveries++;
                }
            }
        }
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        if (delivery.dead().isPresent()) {
            found(delivery, delivery.dead().get());
            return;
        }
        Message message =
                new Message(attachment.subscription(), delivery.message().moved());
        if (dead.containsKey(message)) {
            throw new AssertionError(
                    message + " became a dead letter at " + dead.get(message) + " and is delivered to " + attachment);
        }
        of(attachment, delivery.message()).deliveries++;
        if (deliveriesMax > 0 && delivery.count() > deliveriesMax && !isWithoutMaximum(attachment)) {
            throw new AssertionError(message + " is delivered for the time " + delivery.count());
        }
    }

    private static boolean isWithoutMaximum(Attachment attachment) {
        String destination = attachment.subscription().destination();
        return destination.startsWith("ring") || destination.equals("topic-again");
    }

    private void found(Delivery delivery, DeadMark mark) {
        boolean spent = mark.cause().equals("DELIVERIES_MAX");
        if (mark.deliveries() < 1 || spent && mark.deliveries() != deliveriesMax) {
            throw new AssertionError(delivery + " has another count than the maximum, " + deliveriesMax);
        }
        SubscriptionKey origin = origin(mark);
        if (!origin.isDurable()) {
            return; // what it was before, it forgets with its server
        }
        Message message = new Message(origin, delivery.message().moved());
        History history = histories.getOrDefault(message, new History());
        if (mark.deliveries() > history.deliveries || mark.deliveries() < history.rejections) {
            throw new AssertionError(message + " has a count of " + mark.deliveries() + " after " + history.deliveries
                    + " deliveries and " + history.rejections + " rejections");
        }
        if (settled.contains(message)) {
            throw new AssertionError(message + " was settled and is a dead letter");
        }
        Place before = dead.put(message, delivery.place());
        if (before != null && !before.equals(delivery.place())) {
            throw new AssertionError(message + " is a dead letter twice, at " + before + " and " + delivery.place());
        }
        byPlace.put(delivery.place(), message);
    }

    @Override
    public void settled(Attachment attachment, Settle.Request request, Settle.Response response) {
        Set<Place> stale = Set.copyOf(Attachment.places(request.partition(), response.stale()));
        for (Place place : Attachment.places(request.partition(), request.ranges())) {
            TestMessage message = attachment.given(place);
            if (message == null || stale.contains(place)) {
                continue;
            }
            boolean ofDead = attachment.subscription().destination().startsWith("DLQ.");
            if (ofDead && request.outcome() != Settle.Outcome.RELEASED && byPlace.containsKey(place)) {
                onDisk.add(byPlace.get(place));
            } else if (!ofDead && request.outcome() == Settle.Outcome.ACCEPTED) {
                settled.add(new Message(attachment.subscription(), message.moved()));
            } else if (!ofDead && request.outcome() == Settle.Outcome.REJECTED) {
                of(attachment, message).rejections++;
            }
        }
    }

    @Override
    public void died(boolean powerCut) {
        if (powerCut) {
            dead.keySet().retainAll(onDisk);
            byPlace.values().retainAll(onDisk);
        }
        dead.keySet().removeIf(message -> !message.subscription.isDurable());
        settled.removeIf(message -> !message.subscription.isDurable());
        histories.keySet().removeIf(message -> !message.subscription.isDurable());
    }
}
