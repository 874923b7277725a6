package io.duramen.node.management;

import io.duramen.broker.selector.MessageIdText;
import io.duramen.broker.shard.OperatorRequest.SeenMessage;
import io.duramen.management.MessageRow;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.record.BodyType;
import io.duramen.protocol.record.HeaderTag;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.PropertyType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message as an operator sees it: its record read without trust, since a client wrote it. What does not fit where it stands
 * ends the reading. Nothing is deserialized. Used by one thread.
 */
final class ShownMessage {
    private static final int VALUE_MAX = 1000;
    private static final int PROPERTIES_MAX = 200;

    private final ByteBuffer record;
    private final Map<Integer, ByteBuffer> headers = new HashMap<>();
    private final Map<String, String> properties = new LinkedHashMap<>();
    private final int bodyAt;

    private ShownMessage(ByteBuffer record) {
        this.record = record;
        int headersEnd = MessageRecord.HEADER_LENGTH + record.getInt(MessageRecord.HEADERS_LENGTH_AT);
        bodyAt = headersEnd + record.getInt(MessageRecord.PROPERTIES_LENGTH_AT);
        readHeaders(record.slice(MessageRecord.HEADER_LENGTH, headersEnd - MessageRecord.HEADER_LENGTH));
        if (bodyAt - headersEnd > Integer.BYTES) {
            readEntries(
                    record.slice(headersEnd + Integer.BYTES, bodyAt - headersEnd - Integer.BYTES), true, properties);
        }
    }

    static MessageRow row(int partition, SeenMessage seen) {
        return new ShownMessage(seen.record()).row(MessagePlace.text(partition, seen.offset()), seen);
    }

    /** The JMSMessageID of a record; empty for none. */
    static String messageId(ByteBuffer record) {
        long producer = record.getLong(MessageRecord.ID_PRODUCER_AT);
        long number = record.getLong(MessageRecord.ID_NUMBER_AT);
        return producer == 0 && number == 0 ? "" : MessageIdText.of(producer, number);
    }

    private MessageRow row(String id, SeenMessage seen) {
        boolean named = (record.get(MessageRecord.FLAGS_AT) & MessageRecord.FLAG_USER_ID) != 0;
        return new MessageRow(
                id,
                messageId(record),
                header(HeaderTag.TYPE),
                header(HeaderTag.CORRELATION_ID),
                replyTo(),
                header(HeaderTag.GROUP_ID),
                named ? header(HeaderTag.USER_ID) : "",
                (record.get(MessageRecord.FLAGS_AT) & MessageRecord.FLAG_PERSISTENT) != 0,
                record.get(MessageRecord.PRIORITY_AT),
                record.getLong(MessageRecord.TIMESTAMP_AT),
                record.getLong(MessageRecord.EXPIRATION_AT),
                record.getLong(MessageRecord.DELIVERY_TIME_AT),
                properties,
                BodyType.of(record.get(MessageRecord.BODY_TYPE_AT)).name(),
                bodyBytes(),
                preview(),
                seen.deliveries(),
                seen.standing().name());
    }

    // ---- headers and properties ------------------------------------------------------------------------------------

    private void readHeaders(ByteBuffer in) {
        while (in.remaining() >= 1 + Integer.BYTES) {
            int tag = in.get() & 0xFF;
            int length = in.getInt();
            if (length < 0 || length > in.remaining()) {
                return;
            }
            headers.put(tag, in.slice(in.position(), length));
            in.position(in.position() + length);
        }
    }

    private String header(int tag) {
        ByteBuffer value = headers.get(tag);
        return value == null ? "" : text(value);
    }

    private String replyTo() {
        ByteBuffer value = headers.get(HeaderTag.REPLY_TO);
        if (value == null || !value.hasRemaining()) {
            return "";
        }
        DestinationKind[] kinds = DestinationKind.values();
        int kind = value.get(0);
        String name = text(value.slice(1, value.remaining() - 1));
        return kind >= 0 && kind < kinds.length ? kinds[kind] + " " + name : name;
    }

    /** @param named whether each has a name; numbers stand for names otherwise */
    private static void readEntries(ByteBuffer in, boolean named, Map<String, String> to) {
        while (in.hasRemaining() && to.size() < PROPERTIES_MAX) {
            String name = String.valueOf(to.size());
            if (named) {
                int length = in.remaining() < Short.BYTES ? -1 : in.getShort() & 0xFFFF;
                if (length < 0 || length >= in.remaining()) {
                    return;
                }
                name = text(in.slice(in.position(), length));
                in.position(in.position() + length);
            }
            String value = value(in);
            if (value == null) {
                return;
            }
            to.put(name, value);
        }
    }

    /** @return null where none stands there */
    private static String value(ByteBuffer in) {
        int number = in.get();
        if (number < 0 || number > PropertyType.BYTES.number()) {
            return null;
        }
        PropertyType type = PropertyType.of(number);
        int length = type == PropertyType.STRING || type == PropertyType.BYTES
                ? in.remaining() < Integer.BYTES ? -1 : in.getInt()
                : fixedLength(type);
        if (length < 0 || length > in.remaining()) {
            return null;
        }
        ByteBuffer value = in.slice(in.position(), length);
        in.position(in.position() + length);
        return switch (type) {
            case NULL -> "null";
            case BOOLEAN -> String.valueOf(value.get() != 0);
            case BYTE -> String.valueOf(value.get());
            case SHORT -> String.valueOf(value.getShort());
            case CHAR -> printable(String.valueOf(value.getChar()));
            case INT -> String.valueOf(value.getInt());
            case LONG -> String.valueOf(value.getLong());
            case FLOAT -> String.valueOf(value.getFloat());
            case DOUBLE -> String.valueOf(value.getDouble());
            case STRING -> text(value);
            case BYTES -> hex(value);
        };
    }

    private static int fixedLength(PropertyType type) {
        return switch (type) {
            case BOOLEAN, BYTE -> 1;
            case SHORT, CHAR -> Short.BYTES;
            case INT, FLOAT -> Integer.BYTES;
            case LONG, DOUBLE -> Long.BYTES;
            default -> 0;
        };
    }

    private static String text(ByteBuffer utf8) {
        int length = Math.min(utf8.remaining(), VALUE_MAX);
        String shown = StandardCharsets.UTF_8
                .decode(utf8.slice(utf8.position(), length))
                .toString();
        return printable(length < utf8.remaining() ? shown + "…" : shown);
    }

    private static String hex(ByteBuffer bytes) {
        byte[] shown = new byte[Math.min(bytes.remaining(), VALUE_MAX)];
        bytes.get(bytes.position(), shown);
        return HexFormat.of().formatHex(shown);
    }

    /** Line breaks and tabs stay; nothing else that a terminal would obey. */
    private static String printable(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.chars()
                .forEach(c -> shown.append(
                        Character.isISOControl(c) && c != '\n' && c != '\t' || c == 0x2028 || c == 0x2029
                                ? '?'
                                : (char) c));
        return shown.toString();
    }

    // ---- body ------------------------------------------------------------------------------------------------------

    private long bodyBytes() {
        return record.getInt(MessageRecord.BODY_LENGTH_AT);
    }

    private String preview() {
        if (MessageRecord.isLarge(record, 0)) {
            return "(a large body, stored apart)";
        }
        ByteBuffer body = record.slice(bodyAt, record.limit() - bodyAt);
        return switch (BodyType.of(record.get(MessageRecord.BODY_TYPE_AT))) {
            case NONE, TEXT_NULL -> "";
            case TEXT -> printable(StandardCharsets.UTF_8.decode(cut(body)).toString());
            case BYTES -> HexFormat.of().formatHex(bytes(body));
            case MAP -> entries(body, true);
            case STREAM -> entries(body, false);
            case OBJECT -> "(a serialized object, not opened)";
        };
    }

    private static byte[] bytes(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(body.position(), bytes);
        return bytes;
    }

    /** Without the part of a character that stands at the end of what was cut off. */
    private ByteBuffer cut(ByteBuffer body) {
        int end = body.limit();
        if (body.remaining() < bodyBytes()) {
            int back = end;
            while (back > 0 && back > end - 4 && (body.get(back - 1) & 0xC0) == 0x80) {
                back--;
            }
            if (back > 0 && (body.get(back - 1) & 0xC0) == 0xC0) {
                back--;
                int lead = body.get(back) & 0xFF;
                int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
                end = back + length <= end ? end : back;
            }
        }
        return body.slice(0, end);
    }

    private static String entries(ByteBuffer body, boolean named) {
        Map<String, String> entries = new LinkedHashMap<>();
        if (body.remaining() > Integer.BYTES) {
            readEntries(body.slice(Integer.BYTES, body.remaining() - Integer.BYTES), named, entries);
        }
        return named ? entries.toString() : entries.values().toString();
    }
}
