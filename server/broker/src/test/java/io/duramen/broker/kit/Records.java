package io.duramen.broker.kit;

import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.HeaderTag;
import io.duramen.protocol.record.LargeBody;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.PropertyType;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds one record with the headers and properties that a selector may name. */
public final class Records {
    private final Map<Integer, byte[]> headers = new LinkedHashMap<>();
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private int priority = 4;
    private boolean userIdFlagged;
    private boolean persistent;
    private boolean large;
    private long timestamp;
    private long idProducer;
    private long idNumber;

    private Records() {}

    public static Records aRecord() {
        return new Records();
    }

    /** @param value a primitive's object, a String or null */
    public Records with(String name, Object value) {
        properties.put(name, value);
        return this;
    }

    public Records withPriority(int value) {
        priority = value;
        return this;
    }

    public Records persistent() {
        persistent = true;
        return this;
    }

    public Records at(long timestampMillis) {
        timestamp = timestampMillis;
        return this;
    }

    public Records withId(long producer, long number) {
        idProducer = producer;
        idNumber = number;
        return this;
    }

    public Records correlated(String id) {
        return header(HeaderTag.CORRELATION_ID, id);
    }

    public Records correlated(byte[] id) {
        headers.put(HeaderTag.CORRELATION_ID_BYTES, id);
        return this;
    }

    public Records ofType(String type) {
        return header(HeaderTag.TYPE, type);
    }

    public Records inGroup(String group, int sequence) {
        headers.put(
                HeaderTag.GROUP_SEQUENCE,
                ByteBuffer.allocate(Integer.BYTES).putInt(sequence).array());
        return header(HeaderTag.GROUP_ID, group);
    }

    /** Says that it names its user, as the client does that writes the header. */
    public Records sentBy(String user) {
        userIdFlagged = true;
        return header(HeaderTag.USER_ID, user);
    }

    public Records flaggedWithUserId() {
        userIdFlagged = true;
        return this;
    }

    /** Its body stands apart, so that it is to be built without a text. */
    public Records large(LargeBody body) {
        headers.put(HeaderTag.LARGE_BODY, body.encode());
        large = true;
        return this;
    }

    /** Goes first. */
    public Records withDedupId(String id) {
        headers.put(HeaderTag.DEDUP_KEY, DedupKey.of(id).toBytes());
        return this;
    }

    public Records header(int tag, String text) {
        headers.put(tag, text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public ByteBuffer bytes() {
        return bytes("");
    }

    public ByteBuffer bytes(String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        byte[] headerRegion = headerRegion();
        byte[] propertyRegion = propertyRegion();
        int length = MessageRecord.HEADER_LENGTH + headerRegion.length + propertyRegion.length + body.length;
        ByteBuffer out = ByteBuffer.allocate(length);
        out.putInt(MessageRecord.LENGTH_AT, length - Integer.BYTES);
        out.put(MessageRecord.VERSION_AT, MessageRecord.VERSION);
        int flags = (persistent ? MessageRecord.FLAG_PERSISTENT : 0)
                | (userIdFlagged ? MessageRecord.FLAG_USER_ID : 0)
                | (properties.isEmpty() ? 0 : MessageRecord.FLAG_PROPERTIES)
                | (large ? MessageRecord.FLAG_LARGE : 0)
                | (headers.containsKey(HeaderTag.DEDUP_KEY) ? MessageRecord.FLAG_DEDUP : 0);
        out.put(MessageRecord.FLAGS_AT, (byte) flags);
        out.put(MessageRecord.PRIORITY_AT, (byte) priority);
        out.putLong(MessageRecord.TIMESTAMP_AT, timestamp);
        out.putLong(MessageRecord.ID_PRODUCER_AT, idProducer);
        out.putLong(MessageRecord.ID_NUMBER_AT, idNumber);
        out.putInt(MessageRecord.HEADERS_LENGTH_AT, headerRegion.length);
        out.putInt(MessageRecord.PROPERTIES_LENGTH_AT, propertyRegion.length);
        out.putInt(MessageRecord.BODY_LENGTH_AT, body.length);
        return out.position(MessageRecord.HEADER_LENGTH)
                .put(headerRegion)
                .put(propertyRegion)
                .put(body)
                .flip();
    }

    private byte[] headerRegion() {
        return written(out -> {
            for (Map.Entry<Integer, byte[]> header : headers.entrySet()) {
                out.writeByte(header.getKey());
                out.writeInt(header.getValue().length);
                out.write(header.getValue());
            }
        });
    }

    private byte[] propertyRegion() {
        if (properties.isEmpty()) {
            return new byte[0];
        }
        return written(out -> {
            out.writeInt(properties.size());
            for (Map.Entry<String, Object> property : properties.entrySet()) {
                byte[] name = property.getKey().getBytes(StandardCharsets.UTF_8);
                out.writeShort(name.length);
                out.write(name);
                write(property.getValue(), out);
            }
        });
    }

    private static void write(Object value, DataOutputStream out) throws IOException {
        if (value == null) {
            out.writeByte(PropertyType.NULL.number());
        } else if (value instanceof Boolean b) {
            out.writeByte(PropertyType.BOOLEAN.number());
            out.writeBoolean(b);
        } else if (value instanceof Byte b) {
            out.writeByte(PropertyType.BYTE.number());
            out.writeByte(b);
        } else if (value instanceof Short s) {
            out.writeByte(PropertyType.SHORT.number());
            out.writeShort(s);
        } else if (value instanceof Integer i) {
            out.writeByte(PropertyType.INT.number());
            out.writeInt(i);
        } else if (value instanceof Long l) {
            out.writeByte(PropertyType.LONG.number());
            out.writeLong(l);
        } else if (value instanceof Float f) {
            out.writeByte(PropertyType.FLOAT.number());
            out.writeFloat(f);
        } else if (value instanceof Double d) {
            out.writeByte(PropertyType.DOUBLE.number());
            out.writeDouble(d);
        } else if (value instanceof Character c) {
            out.writeByte(PropertyType.CHAR.number());
            out.writeChar(c);
        } else {
            byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
            out.writeByte(PropertyType.STRING.number());
            out.writeInt(text.length);
            out.write(text);
        }
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] written(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
