package io.duramen.broker.shard;

import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.PropertyType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Properties that the broker adds to a message when it moves it to another queue. Used by one thread. */
final class AddedProperties {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int count;

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
        count++;
    }

    /** The record with them, and without expiration and delivery time: it neither expires nor waits where it comes to. */
    ByteBuffer moved(ByteBuffer record) {
        byte[] more = bytes.toByteArray();
        int properties = record.getInt(MessageRecord.PROPERTIES_LENGTH_AT);
        int before = properties == 0 ? 0 : record.getInt(propertiesAt(record));
        int added = more.length + (properties == 0 ? Integer.BYTES : 0);
        int propertiesEnd = propertiesAt(record) + properties;
        ByteBuffer out = ByteBuffer.allocate(record.capacity() + added);
        out.put(record.slice(0, propertiesEnd));
        if (properties == 0) {
            out.putInt(0);
        }
        out.put(more);
        out.put(record.slice(propertiesEnd, record.capacity() - propertiesEnd));
        out.flip();
        out.putInt(propertiesAt(record), before + count);
        out.putInt(MessageRecord.LENGTH_AT, out.limit() - Integer.BYTES);
        out.putInt(MessageRecord.PROPERTIES_LENGTH_AT, properties + added);
        int flags = out.get(MessageRecord.FLAGS_AT) | MessageRecord.FLAG_PROPERTIES;
        out.put(MessageRecord.FLAGS_AT, (byte) (flags & ~MessageRecord.FLAG_DEDUP)); // what is moved is no repeat
        out.putLong(MessageRecord.EXPIRATION_AT, 0);
        out.putLong(MessageRecord.DELIVERY_TIME_AT, 0);
        return out;
    }

    private static int propertiesAt(ByteBuffer record) {
        return MessageRecord.HEADER_LENGTH + record.getInt(MessageRecord.HEADERS_LENGTH_AT);
    }
}
