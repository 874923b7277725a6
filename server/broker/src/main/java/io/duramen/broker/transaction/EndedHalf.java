package io.duramen.broker.transaction;

import io.duramen.protocol.frame.HalfId;

/**
 * A half message that is over, remembered for a while so that a repeat is told what it was told before. Immutable.
 *
 * @param asks how often its group was asked
 * @param cause why and where it was parked; empty otherwise
 * @param endedMillis log time
 */
public record EndedHalf(HalfId id, HalfGroup group, End end, int asks, String cause, long endedMillis) {
    /** How it was ended. */
    public enum End {
        /** Its messages are in their partitions. */
        CONFIRMED,
        /** Its messages are gone. */
        CANCELLED,
        /** Nobody said what became of it: its messages are in the queue for such. */
        PARKED
    }
}
