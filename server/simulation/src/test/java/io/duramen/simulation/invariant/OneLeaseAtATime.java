package io.duramen.simulation.invariant;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SubscriptionKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** No message of a subscription is leased to a consumer while another, or the same, holds it. */
public final class OneLeaseAtATime implements Observer {
    private final Map<SubscriptionKey, Map<Place, Attachment>> leases = new HashMap<>();

    private Map<Place, Attachment> of(Attachment attachment) {
        return leases.computeIfAbsent(attachment.subscription(), key -> new HashMap<>());
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        lease(attachment, delivery.place());
    }

    @Override
    public void attached(Attachment attachment, Attach.Request request, Attach.Response response) {
        Set<Place> lost = new TreeSet<>();
        response.lost().forEach(one -> lost.addAll(Attachment.places(one.partition(), one.ranges())));
        for (Attach.HeldDeliveries held : request.held()) {
            for (Place place : Attachment.places(held.partition(), held.ranges())) {
                if (!lost.contains(place)) {
                    lease(attachment, place);
                }
            }
        }
    }

    private void lease(Attachment attachment, Place place) {
        Attachment before = of(attachment).put(place, attachment);
        if (before != null && !before.isGone()) {
            throw new AssertionError(place + " is leased to " + attachment + " while " + before + " holds it");
        }
    }

    @Override
    public void settling(Attachment attachment, Settle.Request request) {
        if (request.outcome() != Settle.Outcome.ACCEPTED) {
            end(attachment, request);
        }
    }

    @Override
    public void settled(Attachment attachment, Settle.Request request, Settle.Response response) {
        if (request.outcome() == Settle.Outcome.ACCEPTED) {
            end(attachment, request);
        }
    }

    private void end(Attachment attachment, Settle.Request request) {
        Attachment.places(request.partition(), request.ranges())
                .forEach(place -> of(attachment).remove(place, attachment));
    }

    @Override
    public void committed(TransactionView transaction, Optional<io.duramen.protocol.ErrorCode> refusal) {
        if (refusal.isEmpty()) {
            transaction.accepted().forEach(one -> of(one.attachment()).remove(one.place(), one.attachment()));
        }
    }

    @Override
    public void prepared(TransactionView branch) {
        branch.accepted().forEach(one -> of(one.attachment()).remove(one.place(), one.attachment()));
    }

    @Override
    public void died(boolean powerCut) {
        leases.clear();
    }
}
