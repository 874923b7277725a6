package io.duramen.broker.subscription;

import io.duramen.replication.ReplicatedLog;
import java.util.function.Consumer;

/**
 * What all subscriptions of a shard share.
 *
 * @param limits of what is handed out
 * @param buffer in which Deliver frames are gathered
 * @param chunks bounds what is kept of the log
 * @param recalls watches where one consumer waits while another holds what it has not seen
 * @param dirty is told of a subscription that may have something to hand out, once until its next dispatch
 */
public record DispatchContext(
        int shard,
        ReplicatedLog log,
        Limits limits,
        DeliveryBuffer buffer,
        ChunkBudget chunks,
        Recalls recalls,
        Consumer<Subscription> dirty) {
    /**
     * @param deliverBytes size at which a Deliver frame is sent, and about which is read from the log at a time
     * @param leasesMax most unsettled messages of one consumer
     * @param window most messages that a lane keeps ready, and as many again of those that overtake them
     */
    public record Limits(int deliverBytes, int leasesMax, int window) {}
}
