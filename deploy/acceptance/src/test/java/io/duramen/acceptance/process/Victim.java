package io.duramen.acceptance.process;

import java.io.IOException;

/** A server that a test kills, and that is there again afterwards. Used by one thread. */
public interface Victim {
    /** Starts it; returns when clients are served. */
    void begin() throws IOException, InterruptedException;

    /** {@code kill -9} of what serves; returns when clients are served again. */
    void killAndReturn() throws IOException, InterruptedException;

    /** What was done to it and lasts is over. */
    default void end() {}

    String url();

    /** The last lines that it wrote. */
    String output();
}
