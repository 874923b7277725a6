package io.duramen.broker.subscription;

import io.duramen.replication.ReplicatedLog;
import java.util.function.Consumer;

/**
 * What all subscriptions of a shard share.
 *
 * @param deliverBytes size at which a Deliver frame is sent
 * @param leasesMax most unsettled messages of one consumer
 * @param buffer in which Deliver frames are gathered
 * @param dirty is told of a subscription that may have something to hand out, once until its next dispatch
 */
public record DispatchContext(
        int shard,
        ReplicatedLog log,
        int deliverBytes,
        int leasesMax,
        DeliveryBuffer buffer,
        Consumer<Subscription> dirty) {}
