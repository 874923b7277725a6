package io.duramen.simulation.invariant;

import io.duramen.broker.destination.RedeliveryPolicy;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SubscriptionKey;
import io.duramen.simulation.message.TestMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A consumer is sent what one sender put into a partition in its order, within a priority and a group, also where another
 * consumer was asked to give it back. Excepted is what waited for a delivery time, or, since it came back often enough, for
 * its next delivery, and what somebody gave back by itself, refused, or left behind.
 */
public final class DeliveredInOrder implements Observer {
    private record Order(long sender, int partition, int priority, int group) {}

    private record Message(SubscriptionKey subscription, Place place) {}

    private static final class Member {
        /** Offsets that it was sent, and has not given back unseen. */
        final Map<Order, TreeSet<Long>> had = new HashMap<>();

        final Set<Message> holds = new HashSet<>();

        /** What it gave back because it was asked to, and nobody was sent since. */
        final Set<Message> gaveBack = new HashSet<>();

        boolean asked;
    }

    private final RedeliveryPolicy policy;
    private final Map<Long, Member> members = new HashMap<>();
    private final Map<Message, Member> gaveBackBy = new HashMap<>();
    private final Set<Message> excepted = new HashSet<>();

    public DeliveredInOrder(RedeliveryPolicy policy) {
        this.policy = policy;
    }

    private Member member(Attachment attachment) {
        return members.computeIfAbsent(attachment.number(), number -> new Member());
    }

    @Override
    public void recalled(Attachment attachment) {
        member(attachment).asked = true;
    }

    /** What it brings with it, it may leave behind. */
    @Override
    public void attaching(Attachment attachment, Attach.Request request) {
        for (Attach.HeldDeliveries brought : request.held()) {
            Attachment.places(brought.partition(), brought.ranges())
                    .forEach(place -> excepted.add(new Message(attachment.subscription(), place)));
        }
    }

    @Override
    public void crediting(Attachment attachment, Credit.Push credit) {
        if (credit.messages() == 0 && credit.bytes() == 0) {
            member(attachment).asked = false;
        }
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        Member member = member(attachment);
        Message message = new Message(attachment.subscription(), delivery.place());
        member.holds.add(message);
        Member origin = gaveBackBy.remove(message);
        if (origin != null) {
            origin.gaveBack.remove(message);
        }
        if (attachment.isGone()) {
            excepted.add(message); // it leaves, and leaves it behind
        }
        boolean waited = delivery.message().ordering().deliveryTime() != 0
                || policy.waitMillis(delivery.count() - 1) > 0; // whichever server it was that had it wait
        if (waited || excepted.contains(message)) {
            return;
        }
        long offset = delivery.place().offset();
        TreeSet<Long> had =
                member.had.computeIfAbsent(order(delivery.place(), delivery.message()), o -> new TreeSet<>());
        if (had.higher(offset) != null) {
            throw new AssertionError(attachment + " is sent " + delivery.message() + " at " + delivery.place()
                    + " after the one at " + had.last());
        }
        had.add(offset);
    }

    private static Order order(Place place, TestMessage message) {
        TestMessage.Ordering ordering = message.ordering();
        return new Order(message.sender(), place.partition(), ordering.priority(), ordering.group());
    }

    @Override
    public void settling(Attachment attachment, Settle.Request request) {
        Member member = member(attachment);
        for (Place place : Attachment.places(request.partition(), request.ranges())) {
            Message message = new Message(attachment.subscription(), place);
            boolean held = member.holds.remove(message);
            if (request.outcome() == Settle.Outcome.RELEASED && held) {
                release(attachment.given(place), place, member, message);
            } else if (request.outcome() != Settle.Outcome.ACCEPTED) {
                excepted.add(message);
            }
        }
    }

    private void release(TestMessage given, Place place, Member member, Message message) {
        TreeSet<Long> had = member.had.get(order(place, given));
        if (had != null) {
            had.remove(place.offset());
        }
        if (member.asked && given.ordering().group() == 0) {
            member.gaveBack.add(message);
            gaveBackBy.put(message, member);
        } else {
            excepted.add(message);
        }
    }

    @Override
    public void left(Attachment attachment) {
        Member member = member(attachment);
        excepted.addAll(member.holds);
        excepted.addAll(member.gaveBack);
        member.gaveBack.forEach(gaveBackBy::remove);
        member.holds.clear();
        member.gaveBack.clear();
    }

    @Override
    public void died(boolean powerCut) {
        members.clear();
        gaveBackBy.clear();
        excepted.clear();
    }
}
