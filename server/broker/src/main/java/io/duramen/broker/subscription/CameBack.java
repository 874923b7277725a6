package io.duramen.broker.subscription;

/**
 * How deliveries came back.
 *
 * @param atMillis log time, or the clock's where nothing of the subscription is in the log
 * @param refused whether nobody is to be handed them again
 * @param reason what the consumer said of them; empty for nothing
 */
public record CameBack(long atMillis, boolean refused, String reason) {
    /** Rejected, without a word. */
    public static CameBack at(long millis) {
        return new CameBack(millis, false, "");
    }
}
