package io.duramen.jms.delivery;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.DestinationKind;
import java.util.List;

/**
 * Any thread. What a consumer attaches to: the lasting part of {@link Attach.Request}.
 *
 * @param consumerId unique in its connection, for good
 * @param publisher what its connection's own messages say of who published them
 * @param backoff how long what it gives back waits
 */
public record Subscribing(
        int shard,
        int consumerId,
        String destination,
        DestinationKind kind,
        Choice choice,
        String publisher,
        Attach.Backoff backoff) {
    /** Which of the destination's subscriptions, and which of its messages; texts are empty for none. */
    public record Choice(Attach.SubscriptionKind subscription, String name, String selector, boolean noLocal) {}

    /** The same in another shard, as another consumer of the connection. */
    public Subscribing in(int otherShard, int otherConsumerId) {
        return new Subscribing(otherShard, otherConsumerId, destination, kind, choice, publisher, backoff);
    }

    Attach.Request attach(List<Attach.HeldDeliveries> held) {
        return new Attach.Request(
                shard,
                consumerId,
                destination,
                kind,
                choice.subscription,
                choice.name,
                choice.selector,
                choice.noLocal,
                choice.noLocal ? publisher : "",
                held,
                backoff);
    }
}
