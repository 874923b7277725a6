package io.duramen.broker.subscription;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.RedeliveryPolicies;
import io.duramen.replication.ReplicatedLog;

/**
 * What all subscriptions of a shard share.
 *
 * @param limits of what is handed out
 * @param buffer in which Deliver frames are gathered
 * @param chunks bounds what is kept of the log
 * @param recalls watches where one consumer waits while another holds what it has not seen
 * @param indexBudget bounds what indexes remember
 * @param looks counts what is looked at
 * @param turns who has something to do, and when
 * @param redelivery what becomes of messages that are given back
 */
public record DispatchContext(
        int shard,
        ReplicatedLog log,
        Limits limits,
        DeliveryBuffer buffer,
        ChunkBudget chunks,
        Recalls recalls,
        IndexBudget indexBudget,
        Looks looks,
        Turns turns,
        RedeliveryPolicies redelivery) {
    /**
     * @param deliverBytes size at which a Deliver frame is sent, and about which is read from the log at a time
     * @param leasesMax most unsettled messages of one consumer
     * @param window most messages that a lane keeps ready, and as many again of those that overtake them
     * @param timersMax most messages of a partition whose times a subscription keeps in memory
     * @param groupsMax most groups of a partition that a subscription remembers, beyond those in hand or waited for
     * @param groupStallMillis after which a group's messages are no longer kept for a consumer that does nothing
     * @param expiryMillis between two looks for expired messages that nobody asks for, and between two tries
     *     to move what cannot be
     * @param expiredMove whether expired messages are moved, unless their destination says otherwise
     */
    public record Limits(
            int deliverBytes,
            int leasesMax,
            int window,
            int timersMax,
            int groupsMax,
            long groupStallMillis,
            long expiryMillis,
            boolean expiredMove) {}

    /** Of a destination's expired messages, about how many bytes are dealt with together; 0 where their bytes are not wanted. */
    int expiredBytes(Destination destination) {
        return destination.settings().movesExpired(limits.expiredMove) ? limits.deliverBytes : 0;
    }
}
