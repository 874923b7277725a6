package io.duramen.runtime.disk;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Tells a full disk from other failures: the JDK has only the system's message for it. Stateless. */
final class NoSpace {
    private static final List<String> MESSAGES =
            List.of("no space left on device", "disk quota exceeded", "not enough space on the disk", "disk is full");

    private NoSpace() {}

    static IOException recognise(IOException failure) {
        if (failure instanceof NoSpaceException || failure.getMessage() == null) {
            return failure;
        }
        String message = failure.getMessage().toLowerCase(Locale.ROOT);
        return MESSAGES.stream().anyMatch(message::contains)
                ? new NoSpaceException(failure.getMessage(), failure)
                : failure;
    }
}
