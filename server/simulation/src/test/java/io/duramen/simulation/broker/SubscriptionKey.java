package io.duramen.simulation.broker;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.SubscriptionKind;

/**
 * A subscription as the clients know it.
 *
 * @param single tells unnamed exclusive subscriptions apart; 0 for all others
 */
public record SubscriptionKey(String destination, SubscriptionKind kind, String clientId, String name, long single) {
    static SubscriptionKey of(Attach.Request request, String clientId, long attachment) {
        boolean exclusive = request.subscription() == SubscriptionKind.EXCLUSIVE;
        boolean queue = request.subscription() == SubscriptionKind.QUEUE;
        return new SubscriptionKey(
                request.destination(),
                request.subscription(),
                queue || exclusive ? "" : clientId,
                request.subscriptionName(),
                exclusive ? attachment : 0);
    }

    public boolean isDurable() {
        return kind.isDurable();
    }
}
