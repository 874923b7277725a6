package io.duramen.node.management;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.record.BodyType;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.PropertyType;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Encodes the text messages that operators send. Any thread: holds nothing. */
final class TextRecord {
    private static final int NAME_MAX = 255;
    private static final int PROPERTIES_MAX = 1000;

    private TextRecord() {}

    /**
     * @param idProducer with the number, its JMSMessageID
     * @param nowMillis when it is sent
     * @param timeToLiveMillis 0 for ever
     */
    record Id(long idProducer, long idNumber, long nowMillis, long timeToLiveMillis) {}

    /** @throws ProtocolException where a property cannot have that name, or the priority is none */
    static ByteBuffer of(String text, Map<String, String> properties, int priority, Id id) {
        if (priority < 0 || priority > 9) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "priority " + priority + ": 0 to 9 are allowed");
        }
        if (id.timeToLiveMillis < 0) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "a time to live of " + id.timeToLiveMillis + " milliseconds");
        }
        byte[] region = properties(properties);
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(MessageRecord.HEADER_LENGTH + region.length + body.length);
        int flags = MessageRecord.FLAG_PERSISTENT | (region.length > 0 ? MessageRecord.FLAG_PROPERTIES : 0);
        return out.putInt(out.capacity() - Integer.BYTES)
                .put(MessageRecord.VERSION)
                .put((byte) flags)
                .put((byte) priority)
                .put((byte) BodyType.TEXT.ordinal())
                .putLong(id.nowMillis)
                .putLong(id.timeToLiveMillis == 0 ? 0 : Math.addExact(id.nowMillis, id.timeToLiveMillis))
                .putLong(0)
                .putInt(0)
                .putLong(id.idProducer)
                .putLong(id.idNumber)
                .putInt(0)
                .putInt(region.length)
                .putInt(body.length)
                .put(region)
                .put(body)
                .flip();
    }

    private static byte[] properties(Map<String, String> properties) {
        if (properties.isEmpty()) {
            return new byte[0];
        }
        if (properties.size() > PROPERTIES_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, properties.size() + " properties: the limit is " + PROPERTIES_MAX);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(properties.size());
            for (Map.Entry<String, String> property : properties.entrySet()) {
                byte[] name = checked(property.getKey()).getBytes(StandardCharsets.UTF_8);
                byte[] value = Text.orEmpty(property.getValue()).getBytes(StandardCharsets.UTF_8);
                out.writeShort(name.length);
                out.write(name);
                out.writeByte(PropertyType.STRING.number());
                out.writeInt(value.length);
                out.write(value);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String checked(String name) {
        boolean identifier = name != null
                && !name.isEmpty()
                && name.getBytes(StandardCharsets.UTF_8).length <= NAME_MAX
                && Character.isJavaIdentifierStart(name.charAt(0))
                && name.chars().allMatch(Character::isJavaIdentifierPart);
        if (!identifier || name.toUpperCase(Locale.ROOT).startsWith("JMS")) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "'" + name + "' cannot be a property of a message that is sent by hand: an identifier that does not"
                            + " begin with JMS");
        }
        return name;
    }
}
