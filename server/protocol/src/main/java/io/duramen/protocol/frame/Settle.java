package io.duramen.protocol.frame;

import java.util.List;

/** Ends leases. Answered when the settlement is committed and, for all but {@code RELEASED}, on disk. */
public interface Settle {
    /** Longest reason, in characters; a longer one is cut. */
    int REASON_LENGTH_MAX = 512;

    /**
     * @param seen see {@link Credit.Push#seen}
     * @param urgent whether someone waits: the settlement is then synced at once, else with the next that is
     * @param reason why they are rejected or refused, for those who will read it among the dead letters; empty for none
     */
    record Request(
            int shard,
            int consumerId,
            int partition,
            List<OffsetRange> ranges,
            Outcome outcome,
            long seen,
            boolean urgent,
            String reason)
            implements ForShard {
        /** Without a reason. */
        public Request(
                int shard,
                int consumerId,
                int partition,
                List<OffsetRange> ranges,
                Outcome outcome,
                long seen,
                boolean urgent) {
            this(shard, consumerId, partition, ranges, outcome, seen, urgent, "");
        }
    }

    /**
     * @param stale those of the ranges that this consumer did not hold and that could not be settled for it either,
     *     because another holds them or they were settled before
     */
    record Response(List<OffsetRange> stale) {}

    enum Outcome {
        /** Done; never delivered again to this subscription. */
        ACCEPTED,
        /** Given back unseen; the delivery does not count. */
        RELEASED,
        /** Given back after the application had it; the delivery counts. */
        REJECTED,
        /** As rejected, and never to be delivered again to this subscription: it goes to the dead letters. */
        REFUSED
    }
}
