package io.duramen.runtime;

/** The one door to time. Thread-safe. */
public interface Clock {
    /** Milliseconds since 1970, for what people and messages see; may jump either way. */
    long millis();

    /** Nanoseconds from an arbitrary point, never going back; for intervals. */
    long nanos();
}
