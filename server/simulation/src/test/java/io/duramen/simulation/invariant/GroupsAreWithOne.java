package io.duramen.simulation.invariant;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SubscriptionKey;
import java.util.HashMap;
import java.util.Map;

/**
 * No message of a group is sent to a consumer while another of the same subscription was sent messages of that group and
 * partition that it has not settled. What a consumer brings with it after a lost connection does not count: its group
 * may have gone on meanwhile.
 */
public final class GroupsAreWithOne implements Observer {
    private record Group(SubscriptionKey subscription, int partition, int hash) {}

    private final Map<Group, Map<Place, Attachment>> inHand = new HashMap<>();

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        int hash = delivery.message().ordering().group();
        if (hash == 0) {
            return;
        }
        Map<Place, Attachment> held = inHand.computeIfAbsent(
                new Group(attachment.subscription(), delivery.place().partition(), hash), group -> new HashMap<>());
        held.values().removeIf(Attachment::isGone);
        for (Attachment holder : held.values()) {
            if (holder != attachment) {
                throw new AssertionError(delivery.place() + " of group " + hash + " is sent to " + attachment
                        + " while " + holder + " holds others of it");
            }
        }
        held.put(delivery.place(), attachment);
    }

    @Override
    public void attached(Attachment attachment, Attach.Request request, Attach.Response response) {
        for (Attach.HeldDeliveries again : request.held()) {
            Attachment.places(again.partition(), again.ranges()).forEach(place -> end(attachment, place));
        }
    }

    @Override
    public void settling(Attachment attachment, Settle.Request request) {
        Attachment.places(request.partition(), request.ranges()).forEach(place -> end(attachment, place));
    }

    @Override
    public void committing(TransactionView transaction) {
        transaction.accepted().forEach(one -> end(one.attachment(), one.place()));
    }

    private void end(Attachment attachment, Place place) {
        inHand.forEach((group, held) -> {
            if (group.partition == place.partition() && group.subscription.equals(attachment.subscription())) {
                held.remove(place);
            }
        });
    }

    @Override
    public void died(boolean powerCut) {
        inHand.clear();
    }
}
