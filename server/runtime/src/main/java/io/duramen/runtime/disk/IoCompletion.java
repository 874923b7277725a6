package io.duramen.runtime.disk;

import java.io.IOException;

/** How an operation ended; exactly one of the two is called, once, on the agent's thread. */
public interface IoCompletion<T> {
    void succeeded(T result);

    /** Whether anything reached the disk is unknown. {@link NoSpaceException} where the disk was full. */
    void failed(IOException cause);
}
