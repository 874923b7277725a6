package io.duramen.broker.shard;

import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.PropertyType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Properties that the broker adds to a message when it moves it to another queue, or takes from it. Used by one thread. */
final class AddedProperties {
    /** Property: name of the destination from which it was moved. */
    static final String ORIGIN = "JMS_Duramen_Origin";

    /** Property: why it was moved, for people. */
    static final String CAUSE = "JMS_Duramen_Cause";

    private final Set<String> names = new HashSet<>();
    private int added;
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
        added++;
    }

    /** The record is to be without the property. */
    AddedProperties without(String name) {
        names.add(name);
        return this;
    }

    /** What a record says under a name as text; empty where that is no text, or it says nothing. */
    static Optional<String> textIn(ByteBuffer record, String wanted) {
        if ((record.get(MessageRecord.FLAGS_AT) & MessageRecord.FLAG_PROPERTIES) == 0) {
            return Optional.empty();
        }
        int at = MessageRecord.HEADER_LENGTH + record.getInt(MessageRecord.HEADERS_LENGTH_AT);
        int end = at + record.getInt(MessageRecord.PROPERTIES_LENGTH_AT);
        at += Integer.BYTES;
        while (at < end) {
            int typeAt = at + Short.BYTES + (record.getShort(at) & 0xFFFF);
            int next = typeAt + 1 + valueLength(record, typeAt);
            boolean isText = PropertyType.of(record.get(typeAt)) == PropertyType.STRING;
            if (isText && utf8(record, at + Short.BYTES, typeAt).equals(wanted)) {
                return Optional.of(utf8(record, typeAt + 1 + Integer.BYTES, next));
            }
            at = next;
        }
        return Optional.empty();
    }

    private static String utf8(ByteBuffer record, int from, int end) {
        return StandardCharsets.UTF_8.decode(record.slice(from, end - from)).toString();
    }

    /**
     * The record with them, in place of what it had under their names, and without expiration and delivery time: it neither
     * expires nor waits where it comes to.
     */
    ByteBuffer moved(ByteBuffer record) {
        int propertiesAt = MessageRecord.HEADER_LENGTH + record.getInt(MessageRecord.HEADERS_LENGTH_AT);
        int propertiesEnd = propertiesAt + record.getInt(MessageRecord.PROPERTIES_LENGTH_AT);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int count = added + keep(record, propertiesAt, propertiesEnd, all);
        all.writeBytes(bytes.toByteArray());
        int length = count == 0 ? 0 : Integer.BYTES + all.size();
        ByteBuffer out = ByteBuffer.allocate(propertiesAt + length + record.capacity() - propertiesEnd);
        out.put(record.slice(0, propertiesAt));
        if (count > 0) {
            out.putInt(count).put(all.toByteArray());
        }
        out.put(record.slice(propertiesEnd, record.capacity() - propertiesEnd));
        out.flip();
        out.putInt(MessageRecord.LENGTH_AT, out.limit() - Integer.BYTES);
        out.putInt(MessageRecord.PROPERTIES_LENGTH_AT, length);
        int others = ~(MessageRecord.FLAG_PROPERTIES | MessageRecord.FLAG_DEDUP); // what is moved is no repeat
        int flags = out.get(MessageRecord.FLAGS_AT) & others | (count > 0 ? MessageRecord.FLAG_PROPERTIES : 0);
        out.put(MessageRecord.FLAGS_AT, (byte) flags);
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
