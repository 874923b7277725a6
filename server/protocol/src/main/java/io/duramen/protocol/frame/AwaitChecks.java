package io.duramen.protocol.frame;

import java.util.List;

/**
 * Asks which half messages of a group nobody has confirmed or cancelled in time. Answered as soon as there are any, or with
 * none after a while. Each that is answered counts as one time that its group was asked; who knows what became of it says so
 * by {@link EndHalf}, who does not says nothing, and it is asked again later. Each is answered to one of those who wait.
 * A connection may close while it waits; it then is not answered.
 */
public interface AwaitChecks {
    /** Longest that an answer is waited for, in milliseconds. */
    int WAIT_MILLIS_MAX = 20_000;

    /**
     * @param waitMillis after which an empty answer is wanted; at most {@value #WAIT_MILLIS_MAX}
     * @param max most that are answered; with 0 this connection waits no longer for the group: the answer has none, and neither
     *     have those to its earlier requests
     */
    record Request(int shard, String group, int waitMillis, int max) implements ForShard {}

    record Response(List<Check> checks) {}

    /**
     * @param asks how often it was asked, this time included
     * @param preparedMillis the server's time when it was stored
     */
    record Check(HalfId id, int asks, long preparedMillis, List<HalfBatch> batches) {}

    /** @param destination empty where it was deleted meanwhile */
    record HalfBatch(String destination, DestinationKind kind, Commit.PartitionBatch batch) {}
}
