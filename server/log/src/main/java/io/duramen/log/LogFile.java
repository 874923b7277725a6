package io.duramen.log;

/**
 * A file of a log, as far as it says what is written. Immutable.
 *
 * @param length so many bytes from its beginning; {@link #WHOLE} for all of it
 */
public record LogFile(String name, long length) {
    public static final long WHOLE = -1;
}
