package io.duramen.broker.destination;

/**
 * When a message comes again that was given back after the application had it, and when it does not. Immutable.
 *
 * @param deliveriesMax deliveries after which it goes to the dead letters; 0 for no maximum
 * @param atOnce how many redeliveries come at once and in the message's place; those after them wait
 * @param delayMillis how long the first of those waits
 * @param multiplier by which the wait grows each time
 * @param delayMaxMillis longest wait
 * @param deadLetterQueue where it goes to; empty where the destination is one itself, whose messages go nowhere
 */
public record RedeliveryPolicy(
        int deliveriesMax, int atOnce, long delayMillis, int multiplier, long delayMaxMillis, String deadLetterQueue) {
    /** Whether a message that is refused goes anywhere, and does not just come again. */
    public boolean hasDeadLetters() {
        return !deadLetterQueue.isEmpty();
    }

    /** Whether a message is not delivered again that was delivered so often. */
    public boolean isSpent(int deliveries) {
        return deliveriesMax > 0 && deliveries >= deliveriesMax;
    }

    /** The same, but that a message waits before its first redelivery already, and so long. */
    public RedeliveryPolicy waiting(long millis, int multiplying, long millisMax) {
        return new RedeliveryPolicy(deliveriesMax, 0, millis, multiplying, millisMax, deadLetterQueue);
    }

    /** How long a message waits that was delivered so often, from when it was given back. */
    public long waitMillis(int deliveries) {
        int waits = deliveries - atOnce;
        if (waits <= 0) {
            return 0;
        }
        long wait = Math.min(delayMillis, delayMaxMillis);
        for (int i = 1; i < waits && wait > 0 && wait < delayMaxMillis && multiplier > 1; i++) {
            wait = wait > delayMaxMillis / multiplier ? delayMaxMillis : wait * multiplier;
        }
        return wait;
    }
}
