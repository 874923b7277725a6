package io.duramen.log;

/** Bytes on disk that are not what was written. The message names file, position and what to do, where they are known. */
public final class DamagedLogException extends RuntimeException {
    public DamagedLogException(String message) {
        super(message);
    }
}
