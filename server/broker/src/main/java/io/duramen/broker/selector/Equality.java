package io.duramen.broker.selector;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a selector demands of one field, whatever else it asks: that it is a string, and one of these. Any thread.
 *
 * @param field a property's or a header's name
 * @param texts distinct
 */
public record Equality(String field, List<String> texts) {
    /** Stands for no value: a field that is not there, or is no string. */
    public static final long NO_VALUE = 0;

    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    /** The texts as numbers, distinct; two texts may share one. */
    public long[] values() {
        return texts.stream()
                .mapToLong(text -> {
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    return valueOf(new Value().setText(ByteBuffer.wrap(bytes), 0, bytes.length));
                })
                .distinct()
                .toArray();
    }

    static long valueOf(Value text) {
        long hash = OFFSET_BASIS;
        for (int i = 0; i < text.textLength(); i++) {
            hash = (hash ^ text.text().get(text.textAt() + i) & 0xFF) * PRIME;
        }
        hash ^= hash >>> 29;
        return hash == NO_VALUE ? 1 : hash;
    }

    /** Reads the number of one field's value from records. Confined to one thread. */
    public static final class Reader {
        private final RecordFields fields;
        private final Value value = new Value();

        public Reader(String field) {
            fields = new RecordFields(List.of(field));
        }

        /** {@link #NO_VALUE} where it is not there, is no string, or cannot be read. */
        public long valueOf(ByteBuffer batch, int record) {
            fields.open(batch, record);
            fields.load(0, value);
            return value.isString() && !fields.isDamaged() ? Equality.valueOf(value) : NO_VALUE;
        }
    }
}
