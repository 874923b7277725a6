package io.duramen.protocol.frame;

import java.util.List;

/** Ends leases. Answered when the settlement is committed and, for {@code ACCEPTED} and {@code REJECTED}, on disk. */
public interface Settle {
    /**
     * @param seen see {@link Credit.Push#seen}
     * @param urgent whether someone waits: the settlement is then synced at once, else with the next that is
     */
    record Request(
            int shard,
            int consumerId,
            int partition,
            List<OffsetRange> ranges,
            Outcome outcome,
            long seen,
            boolean urgent)
            implements ForShard {}

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
        REJECTED
    }
}
