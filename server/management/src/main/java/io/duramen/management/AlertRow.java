package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * Something that an operator should know of. Immutable.
 *
 * @param kind see {@link AlertsMXBean}
 * @param subject what it concerns, as {@code shard 3}
 * @param message for people
 * @param sinceMillis when it was seen first, milliseconds since 1970
 */
public record AlertRow(String kind, String subject, String message, long sinceMillis) {
    @ConstructorParameters({"kind", "subject", "message", "sinceMillis"})
    public AlertRow {}

    public String getKind() {
        return kind;
    }

    public String getSubject() {
        return subject;
    }

    public String getMessage() {
        return message;
    }

    public long getSinceMillis() {
        return sinceMillis;
    }
}
