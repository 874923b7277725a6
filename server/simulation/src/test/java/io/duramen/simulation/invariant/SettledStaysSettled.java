package io.duramen.simulation.invariant;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SubscriptionKey;
import io.duramen.simulation.message.TestMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a subscription was promised to be settled is never delivered to it again, unless it is sought. */
public final class SettledStaysSettled implements Observer {
    private final Map<SubscriptionKey, Set<TestMessage>> settled = new HashMap<>();

    private Set<TestMessage> of(Attachment attachment) {
        return settled.computeIfAbsent(attachment.subscription(), key -> new HashSet<>());
    }

    @Override
    public void settled(Attachment attachment, Settle.Request request, Settle.Response response) {
        if (request.outcome() != Settle.Outcome.ACCEPTED || DeadLettersAreExact.areOfSeveral(attachment)) {
            return;
        }
        Set<Place> stale = Set.copyOf(Attachment.places(request.partition(), response.stale()));
        for (Place place : Attachment.places(request.partition(), request.ranges())) {
            if (!stale.contains(place) && attachment.given(place) != null) {
                of(attachment).add(attachment.given(place));
            }
        }
    }

    @Override
    public void committed(TransactionView transaction, Optional<ErrorCode> refusal) {
        if (refusal.isEmpty()) {
            transaction.accepted().forEach(one -> of(one.attachment()).add(one.message()));
        }
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        if (!DeadLettersAreExact.areOfSeveral(attachment) && of(attachment).contains(delivery.message())) {
            throw new AssertionError(delivery.message() + " was settled and is delivered again to " + attachment);
        }
    }

    @Override
    public void unsubscribed(SubscriptionKey subscription) {
        settled.keySet()
                .removeIf(key -> key.name().equals(subscription.name())
                        && key.clientId().equals(subscription.clientId())
                        && key.kind() == subscription.kind());
    }

    @Override
    public void seeking(SubscriptionKey subscription) {
        settled.remove(subscription);
    }

    @Override
    public void died(boolean powerCut) {
        settled.keySet().removeIf(key -> !key.isDurable());
    }
}
