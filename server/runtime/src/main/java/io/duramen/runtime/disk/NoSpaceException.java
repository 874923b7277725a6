package io.duramen.runtime.disk;

import java.io.IOException;

/** The disk, or the quota given to this directory, has no room for what was asked. */
public final class NoSpaceException extends IOException {
    public NoSpaceException(String message, IOException cause) {
        super(message, cause);
    }
}
