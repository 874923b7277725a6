package io.duramen.protocol;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes and reads records: a frame's wire form is its record declaration. Big-endian throughout; thread-safe.
 *
 * <pre>
 *   boolean, byte   1 byte           short, int, long   2, 4, 8 bytes
 *   enum            1 byte, its ordinal: constants are only ever added at the end
 *   String          i32 length in bytes (-1: null), UTF-8; half a surrogate pair is written as '?'
 *   ByteBuffer      i32 length, bytes; read back as a slice of the input, not a copy
 *   List of records i32 count, each element's components; read back immutable
 *   record          its components in order, those of a later {@link io.duramen.protocol.frame.Since} version left out
 * </pre>
 *
 * Every length and count is checked against the bytes that remain before anything is allocated: what a read allocates
 * is bounded by a small multiple of the bytes it is given. Trailing bytes are ignored by {@link #read}, so that a newer
 * peer may send components this side does not know.
 */
public final class Codec {
    private static final ClassValue<Schema> SCHEMAS = new ClassValue<>() {
        @Override
        protected Schema computeValue(Class<?> type) {
            return Schema.of(type);
        }
    };

    private Codec() {}

    /**
     * Bytes that {@link #write} will put for the record, at that protocol version.
     *
     * @throws NullPointerException where a component other than a String is null; the message names it
     * @throws ArithmeticException where it is more than an int holds
     */
    public static int sizeOf(Record value, int version) {
        return SCHEMAS.get(value.getClass()).size(value, version);
    }

    /**
     * Writes the record at the buffer's position. Buffers inside the record keep their position.
     *
     * @throws java.nio.BufferOverflowException where fewer than {@link #sizeOf} bytes remain
     */
    public static void write(Record value, int version, ByteBuffer out) {
        SCHEMAS.get(value.getClass()).write(value, version, out);
    }

    /** The bytes that a record ends with at that version, as they stand in it; null where it ends with something else. */
    static ByteBuffer lastBytes(Record value, int version) {
        return SCHEMAS.get(value.getClass()).lastBytes(value, version);
    }

    /** As {@link #write} for a record that has {@link #lastBytes}, which are left to the caller to put behind. */
    static void writeHead(Record value, int version, ByteBuffer out) {
        SCHEMAS.get(value.getClass()).writeHead(value, version, out);
    }

    /**
     * Reads a record of that type from the buffer's position on.
     *
     * @throws MalformedFrameException where the bytes are not such a record, or its constructor refuses them by an
     *     IllegalArgumentException; the position is then anywhere
     */
    public static <T extends Record> T read(Class<T> type, int version, ByteBuffer in) {
        try {
            return type.cast(SCHEMAS.get(type).read(version, in));
        } catch (BufferUnderflowException e) {
            throw new MalformedFrameException(type.getName() + " ends too early");
        }
    }

    /** Name, type and {@code since} of a record's components, in wire order: the printable schema. */
    public static List<String> describe(Class<? extends Record> type) {
        return SCHEMAS.get(type).describe();
    }
}
