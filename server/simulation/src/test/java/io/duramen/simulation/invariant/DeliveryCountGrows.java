package io.duramen.simulation.invariant;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.broker.SubscriptionKey;
import io.duramen.simulation.message.TestMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The delivery count is 1 for a message never delivered before, counts every rejection that was promised, and does not go
 * back in the life of a server, unless the subscription is sought. It does not exceed the deliveries made, where a delivery that a consumer took with it to a
 * new connection counts for each connection. So redelivered (a count beyond 1) tells the truth.
 */
public final class DeliveryCountGrows implements Observer {
    private static final class History {
        private int deliveries;
        private int rejections;
        private int last;
    }

    private final Map<SubscriptionKey, Map<TestMessage, History>> histories = new HashMap<>();

    private History of(Attachment attachment, TestMessage message) {
        return histories
                .computeIfAbsent(attachment.subscription(), key -> new HashMap<>())
                .computeIfAbsent(message, m -> new History());
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        if (DeadLettersAreExact.areOfSeveral(attachment)) {
            return;
        }
        History history = of(attachment, delivery.message());
        int count = delivery.count();
        if (count > history.deliveries + 1 || count < history.rejections + 1 || count < history.last) {
            throw new AssertionError(delivery.message() + " goes to " + attachment + " with count " + count + " after "
                    + history.deliveries + " deliveries, the last with count " + history.last + ", and "
                    + history.rejections + " rejections");
        }
        history.deliveries++;
        history.last = count;
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
    public void settled(Attachment attachment, Settle.Request request, Settle.Response response) {
        if (request.outcome() == Settle.Outcome.REJECTED) {
            Set<Place> stale = Set.copyOf(Attachment.places(request.partition(), response.stale()));
            for (Place place : Attachment.places(request.partition(), request.ranges())) {
                if (!stale.contains(place) && attachment.given(place) != null) {
                    of(attachment, attachment.given(place)).rejections++;
                }
            }
        }
    }

    @Override
    public void seeking(SubscriptionKey subscription) {
        histories.getOrDefault(subscription, Map.of()).values().forEach(history -> {
            history.last = 0;
            history.rejections = 0;
        });
    }

    @Override
    public void died(boolean powerCut) {
        histories.keySet().removeIf(key -> !key.isDurable());
        histories.values().forEach(all -> all.values().forEach(history -> history.last = 0));
    }
}
