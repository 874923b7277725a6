package io.duramen.protocol.frame;

import java.util.List;

/**
 * Joins a subscription as a consumer. Asked first of the shard with the catalogue, whether or not it carries partitions of
 * the destination: it decides; then, once each, of the other shards that do.
 */
public interface Attach {
    /**
     * @param consumerId chosen by the client, unique in its connection
     * @param destination name; it must exist
     * @param subscription which of the destination's subscriptions
     * @param subscriptionName of a named subscription; empty otherwise. Durable names belong to the client id, or to no
     *     one where the connection has none and the subscription is shared
     * @param selector empty for none
     * @param noLocal whether messages published through this connection, or for a durable subscription any of its client
     *     id, are left out; unshared subscriptions only
     * @param publisher what this connection's messages say in {@link io.duramen.protocol.record.HeaderTag#CLIENT_ID};
     *     empty where noLocal is not asked for
     * @param held what the application was given by this consumer before it lost its connection and has not settled: leased
     *     to it again where still possible
     * @param backoff how long what it gives back waits
     */
    record Request(
            int shard,
            int consumerId,
            String destination,
            DestinationKind kind,
            SubscriptionKind subscription,
            String subscriptionName,
            String selector,
            boolean noLocal,
            String publisher,
            List<HeldDeliveries> held,
            Backoff backoff)
            implements ForShard {
        /** What comes back waits as the node has it. */
        public Request(
                int shard,
                int consumerId,
                String destination,
                DestinationKind kind,
                SubscriptionKind subscription,
                String subscriptionName,
                String selector,
                boolean noLocal,
                String publisher,
                List<HeldDeliveries> held) {
            this(
                    shard,
                    consumerId,
                    destination,
                    kind,
                    subscription,
                    subscriptionName,
                    selector,
                    noLocal,
                    publisher,
                    held,
                    Backoff.AS_NODE);
        }
    }

    /**
     * How long a message waits that a consumer has given back after its application had it, in place of what the node's
     * policy says. Until the node restarts, and while few messages of the partition wait: from half of those on that may
     * ({@code broker.timers-max}) what comes back waits as the node has it, so that no consumer's waits stop the others.
     *
     * @param delayMillis before its first redelivery, at most {@link #DELAY_MILLIS_MAX}; -1 for as the node has it
     * @param multiplier by which it grows each time, 1 to {@link #MULTIPLIER_MAX}
     * @param delayMaxMillis longest wait, at most {@link #DELAY_MILLIS_MAX}
     */
    record Backoff(long delayMillis, int multiplier, long delayMaxMillis) {
        /** A year. */
        public static final long DELAY_MILLIS_MAX = 365L * 24 * 3_600_000;

        public static final int MULTIPLIER_MAX = 1_000;

        /** As the node's policy has it. */
        public static final Backoff AS_NODE = new Backoff(-1, 1, 0);

        public boolean isAsNode() {
            return delayMillis == -1;
        }

        /** Whether all is in its bounds. */
        public boolean isValid() {
            return delayMillis >= -1
                    && delayMillis <= DELAY_MILLIS_MAX
                    && multiplier >= 1
                    && multiplier <= MULTIPLIER_MAX
                    && delayMaxMillis >= 0
                    && delayMaxMillis <= DELAY_MILLIS_MAX;
        }
    }

    /** @param lost those of {@code held} that are settled already or leased to another by now */
    record Response(List<HeldDeliveries> lost) {}

    record HeldDeliveries(int partition, List<OffsetRange> ranges) {}

    enum SubscriptionKind {
        /** The one built-in subscription of a queue. */
        QUEUE,
        /** Unnamed, of this consumer alone, gone with it. */
        EXCLUSIVE,
        /** Named, shared by consumers of the same client id, gone with the last of them. */
        SHARED,
        /** Named, durable, one consumer at a time. */
        DURABLE,
        /** Named, durable, shared. */
        SHARED_DURABLE;

        public boolean isDurable() {
            return this == QUEUE || this == DURABLE || this == SHARED_DURABLE;
        }

        public boolean isShared() {
            return this == QUEUE || this == SHARED || this == SHARED_DURABLE;
        }
    }
}
