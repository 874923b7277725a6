package io.duramen.runtime;

/** A condition that holds unless the code is wrong. Checked always; a broken one stops the shard, not the node. */
public final class Invariant {
    private Invariant() {}

    /** @throws BrokenInvariantException with the formatted message where the condition is false */
    public static void hold(boolean condition, String format, Object... arguments) {
        if (!condition) {
            throw new BrokenInvariantException(String.format(format, arguments));
        }
    }

    /** As {@link #hold(boolean, String, Object...)}, without boxing. */
    public static void hold(boolean condition, String format, long first, long second) {
        if (!condition) {
            throw new BrokenInvariantException(String.format(format, first, second));
        }
    }

    /** The code found itself in a state that it rules out. */
    public static final class BrokenInvariantException extends IllegalStateException {
        BrokenInvariantException(String message) {
            super(message);
        }
    }
}
