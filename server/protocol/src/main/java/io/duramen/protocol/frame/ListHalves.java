package io.duramen.protocol.frame;

import java.util.List;

/** Asks for half messages: those that wait for their end, and those that were parked lately. */
public interface ListHalves {
    /** Most that are answered at a time. */
    int PAGE_MAX = 1_000;

    /** @param skip how many to leave out, in the order of the answer */
    record Request(int shard, int skip) implements ForShard {}

    /** @param halves at most {@value #PAGE_MAX}: those that wait, in the order in which they were stored, then those that were parked */
    record Response(List<Half> halves) {}

    /**
     * @param destination of its first message; empty where it was deleted, or the half is parked
     * @param preparedMillis the server's time when it was stored, or where it is parked, when it was
     * @param asks how often its group was asked
     * @param parked where it was parked and why; empty for one that waits
     */
    record Half(HalfId id, String group, String destination, long preparedMillis, int asks, String parked) {}
}
