package io.duramen.protocol.record;

/** Types of values in a property region and in the bodies of map and stream messages. The number travels. */
public enum PropertyType {
    NULL(0),
    BOOLEAN(1),
    BYTE(2),
    SHORT(3),
    CHAR(4),
    INT(5),
    LONG(6),
    FLOAT(7),
    DOUBLE(8),
    /** {@code i32} length, UTF-8. */
    STRING(9),
    /** {@code i32} length, bytes; in bodies only. */
    BYTES(10);

    private static final PropertyType[] VALUES = values();
    private final int number;

    PropertyType(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** @throws io.duramen.protocol.MalformedFrameException for a number that is not in the table */
    public static PropertyType of(int number) {
        if (number < 0 || number >= VALUES.length) {
            throw new io.duramen.protocol.MalformedFrameException("no property type " + number);
        }
        return VALUES[number];
    }
}
