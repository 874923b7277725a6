package io.duramen.protocol.record;

/** What the body region holds; the ordinal stands in the record. */
public enum BodyType {
    /** No body: a plain {@code Message}. */
    NONE,
    /** UTF-8 text; see {@link #TEXT_NULL} for a null text. */
    TEXT,
    /** A {@code TextMessage} whose text is null. */
    TEXT_NULL,
    BYTES,
    /** Entries as in a property region. */
    MAP,
    /** Values as in a property region, without names. */
    STREAM,
    /** Java serialization; opened only by a client whose filter allows the class. */
    OBJECT;

    private static final BodyType[] VALUES = values();

    /** @throws io.duramen.protocol.MalformedFrameException for a number that is not in the table */
    public static BodyType of(int number) {
        if (number < 0 || number >= VALUES.length) {
            throw new io.duramen.protocol.MalformedFrameException("no body type " + number);
        }
        return VALUES[number];
    }
}
