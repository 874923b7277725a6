package io.duramen.broker.shard;

import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.PropertyType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** Properties that the broker adds to a message when it moves it to another queue. Used by one thread. */
final class AddedProperties {
    /** Property: name of the destination from which it was moved. */
    static final String ORIGIN = "JMS_Duramen_Origin";

    /** Property: why it was moved, for people. */
    static final String CAUSE = "JMS_Duramen_Cause";

    private final Set<String> names = new HashSet<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    AddedProperties text(String name, String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        begin(name, PropertyType.STRING);
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(text.length).array());
        bytes.writeBytes(text);
        return this;
    }

    AddedProperties number(String name, long value) {
        begin(name, PropertyType.LONG);
        bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    private void begin(String name, PropertyType type) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        bytes.writeBytes(
                ByteBuffer.allocate(Short.BYTES).putShort((short) text.length).array());
        bytes.writeBytes(text);
        bytes.write(type.number());
        names.add(name);
    }

    /**
     * The record with them, in place of what it had under their names, and without expiration and delivery time: it neither
     * expires nor waits where it comes to.
     */
    ByteBuffer moved(ByteBuffer record) {
        int propertiesAt = MessageRecord.HEADER_LENGTH + record.getInt(MessageRecord.HEADERS_LENGTH_AT);
        int propertiesEnd = propertiesAt + record.getInt(MessageRecord.PROPERTIES_LENGTH_AT);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int count = names.size() + keep(record, propertiesAt, propertiesEnd, all);
        all.writeBytes(bytes.toByteArray());
        int length = Integer.BYTES + all.size();
        ByteBuffer out = ByteBuffer.allocate(propertiesAt + length + record.capacity() - propertiesEnd);
        out.put(record.slice(0, propertiesAt)).putInt(count).put(all.toByteArray());
        out.put(record.slice(propertiesEnd, record.capacity() - propertiesEnd));
        out.flip();
        out.putInt(MessageRecord.LENGTH_AT, out.limit() - Integer.BYTES);
        out.putInt(MessageRecord.PROPERTIES_LENGTH_AT, length);
        int flags = out.get(MessageRecord.FLAGS_AT) | MessageRecord.FLAG_PROPERTIES;
        out.put(MessageRecord.FLAGS_AT, (byte) (flags & ~MessageRecord.FLAG_DEDUP)); // what is moved is no repeat
        out.putLong(MessageRecord.EXPIRATION_AT, 0);
        out.putLong(MessageRecord.DELIVERY_TIME_AT, 0);
        return out;
    }

    /** Copies the record's own properties but those of the same names; returns how many. */
    private int keep(ByteBuffer record, int from, int end, ByteArrayOutputStream to) {
        int kept = 0;
        int at = from + Integer.BYTES;
        while (at < end) {
            int typeAt = at + Short.BYTES + (record.getShort(at) & 0xFFFF);
            int next = typeAt + 1 + valueLength(record, typeAt);
            byte[] property = new byte[next - at];
            record.get(at, property);
            String name = new String(property, Short.BYTES, typeAt - at - Short.BYTES, StandardCharsets.UTF_8);
            if (!names.contains(name)) {
                to.writeBytes(property);
                kept++;
            }
            at = next;
        }
        return kept;
    }

    private static int valueLength(ByteBuffer record, int typeAt) {
        return switch (PropertyType.of(record.get(typeAt))) {
            case NULL -> 0;
            case BOOLEAN, BYTE -> 1;
            case SHORT, CHAR -> Short.BYTES;
            case INT, FLOAT -> Integer.BYTES;
            case LONG, DOUBLE -> Long.BYTES;
            case STRING, BYTES -> Integer.BYTES + record.getInt(typeAt + 1);
        };
    }
}
