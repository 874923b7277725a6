package io.duramen.broker.selector;

import io.duramen.protocol.record.HeaderTag;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.PropertyType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The fields of one record at a time that a selector names: found in one pass over a region, when the first of them is
 * asked for. Reads nothing outside of the record, whatever its regions hold. Confined to its selector's thread.
 */
final class RecordFields {
    private static final ByteBuffer PERSISTENT = ascii("PERSISTENT");
    private static final ByteBuffer NON_PERSISTENT = ascii("NON_PERSISTENT");
    private static final int TAGS = 10;
    private static final int ABSENT = -1;

    private static final PropertyType[] TYPES = PropertyType.values();

    private final HeaderField[] headers;
    private final int[] propertyOf;
    private final TextSet names;
    private final int[] tagAt = new int[TAGS];
    private final int[] tagLength = new int[TAGS];
    private final int[] propertyAt;
    private final ByteBuffer messageId = ByteBuffer.allocate(MessageIdText.LENGTH_MAX);

    private ByteBuffer record;
    private int start;
    private boolean headersFound;
    private boolean propertiesFound;
    private boolean damaged;

    /** @param identifiers distinct; the place of each is its slot */
    RecordFields(List<String> identifiers) {
        headers = identifiers.stream().map(HeaderField::of).toArray(HeaderField[]::new);
        List<String> properties = identifiers.stream()
                .filter(identifier -> HeaderField.of(identifier) == null)
                .toList();
        names = new TextSet(properties);
        propertyOf = identifiers.stream().mapToInt(properties::indexOf).toArray();
        propertyAt = new int[properties.size()];
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Moves to a record. */
    void open(ByteBuffer batch, int recordPosition) {
        record = batch;
        start = recordPosition;
        headersFound = false;
        propertiesFound = false;
        damaged = false;
    }

    /** Whether a region that was asked for does not hold what it should; then no value of it means anything. */
    boolean isDamaged() {
        return damaged;
    }

    void load(int slot, Value into) {
        HeaderField header = headers[slot];
        if (header == null) {
            loadProperty(propertyOf[slot], into);
            return;
        }
        switch (header) {
            case PRIORITY -> into.setInt(record.get(start + MessageRecord.PRIORITY_AT));
            case DELIVERY_MODE -> {
                boolean persistent = (record.get(start + MessageRecord.FLAGS_AT) & MessageRecord.FLAG_PERSISTENT) != 0;
                ByteBuffer mode = persistent ? PERSISTENT : NON_PERSISTENT;
                into.setText(mode, 0, mode.capacity());
            }
            case TIMESTAMP -> into.setLong(record.getLong(start + MessageRecord.TIMESTAMP_AT));
            case MESSAGE_ID -> loadMessageId(into);
            case CORRELATION_ID -> loadCorrelationId(into);
            case GROUP_SEQUENCE -> loadGroupSequence(into);
            case TYPE, GROUP_ID -> loadTag(header.tag(), into);
            case USER_ID -> {
                if ((record.get(start + MessageRecord.FLAGS_AT) & MessageRecord.FLAG_USER_ID) == 0) {
                    into.setNull();
                } else {
                    loadTag(header.tag(), into);
                }
            }
            case DELIVERY_COUNT, RECEIVE_TIMESTAMP -> into.setNull();
        }
    }

    private void loadMessageId(Value into) {
        long producer = record.getLong(start + MessageRecord.ID_PRODUCER_AT);
        long number = record.getLong(start + MessageRecord.ID_NUMBER_AT);
        if (producer == 0 && number == 0) {
            into.setNull();
        } else {
            into.setText(messageId, 0, MessageIdText.write(producer, number, messageId));
        }
    }

    /** One that was set as bytes is the text that they are in UTF-8, or null where they are none. */
    private void loadCorrelationId(Value into) {
        loadTag(HeaderTag.CORRELATION_ID, into);
        if (into.isNull()) {
            loadTag(HeaderTag.CORRELATION_ID_BYTES, into);
            if (into.isString() && !CodePoints.isText(into.text(), into.textAt(), into.textLength())) {
                into.setNull();
            }
        }
    }

    private void loadGroupSequence(Value into) {
        findHeaders();
        int at = tagAt[HeaderTag.GROUP_SEQUENCE];
        if (at == ABSENT || tagLength[HeaderTag.GROUP_SEQUENCE] != Integer.BYTES) {
            into.setNull();
        } else {
            into.setInt(record.getInt(at));
        }
    }

    /** Of records of which only the headers region is asked for. */
    static RecordFields ofHeaders() {
        return new RecordFields(List.of());
    }

    /** The bytes of a header, as a text. */
    void loadTag(int tag, Value into) {
        findHeaders();
        if (tagAt[tag] == ABSENT) {
            into.setNull();
        } else {
            into.setText(record, tagAt[tag], tagLength[tag]);
        }
    }

    private void findHeaders() {
        if (headersFound) {
            return;
        }
        headersFound = true;
        Arrays.fill(tagAt, ABSENT);
        int at = start + MessageRecord.HEADER_LENGTH;
        int end = at + record.getInt(start + MessageRecord.HEADERS_LENGTH_AT);
        while (at < end) {
            int length = end - at < 1 + Integer.BYTES ? -1 : record.getInt(at + 1);
            int tag = record.get(at) & 0xFF;
            at += 1 + Integer.BYTES;
            if (length < 0 || length > end - at) {
                damaged = true;
                return;
            }
            if (tag < TAGS) {
                tagAt[tag] = at;
                tagLength[tag] = length;
            }
            at += length;
        }
    }

    private void loadProperty(int property, Value into) {
        findProperties();
        int at = propertyAt[property];
        if (at == ABSENT) {
            into.setNull();
            return;
        }
        int value = at + 1;
        switch (TYPES[record.get(at)]) {
            case NULL -> into.setNull();
            case BOOLEAN -> into.setBoolean(record.get(value) != 0);
            case BYTE -> into.setInt(record.get(value));
            case SHORT -> into.setInt(record.getShort(value));
            case INT -> into.setInt(record.getInt(value));
            case LONG -> into.setLong(record.getLong(value));
            case FLOAT -> into.setFloat(record.getFloat(value));
            case DOUBLE -> into.setDouble(record.getDouble(value));
            case STRING -> into.setText(record, value + Integer.BYTES, record.getInt(value));
            case CHAR, BYTES -> into.setNone();
        }
    }

    /** Leaves the places of the values that the selector names; an entry that does not fit ends the pass. */
    private void findProperties() {
        if (propertiesFound) {
            return;
        }
        propertiesFound = true;
        Arrays.fill(propertyAt, ABSENT);
        int at = start + MessageRecord.HEADER_LENGTH + record.getInt(start + MessageRecord.HEADERS_LENGTH_AT);
        int end = at + record.getInt(start + MessageRecord.PROPERTIES_LENGTH_AT);
        if (at == end) {
            return;
        }
        int count = end - at < Integer.BYTES ? -1 : record.getInt(at);
        at += Integer.BYTES;
        int wanted = names.size();
        for (int i = 0; i < count && wanted > 0; i++) {
            int name = at + Short.BYTES;
            int nameLength = name > end ? -1 : record.getShort(at) & 0xFFFF;
            int type = name + nameLength;
            int next = nameLength < 0 || type >= end ? -1 : endOfValue(type, end);
            if (next < 0) {
                damaged = true;
                return;
            }
            int property = names.indexOf(record, name, nameLength);
            if (property >= 0) {
                propertyAt[property] = type;
                wanted--;
            }
            at = next;
        }
        damaged |= count < 0;
    }

    /** @return -1 where the value passes the end of the region, or is of no type that is known */
    private int endOfValue(int typeAt, int end) {
        int number = record.get(typeAt);
        if (number < 0 || number >= TYPES.length) {
            return -1;
        }
        int at = typeAt + 1;
        int length = switch (TYPES[number]) {
            case NULL -> 0;
            case BOOLEAN, BYTE -> Byte.BYTES;
            case SHORT, CHAR -> Short.BYTES;
            case INT, FLOAT -> Integer.BYTES;
            case LONG, DOUBLE -> Long.BYTES;
            case STRING, BYTES -> {
                int bytes = end - at < Integer.BYTES ? -1 : record.getInt(at);
                at += Integer.BYTES;
                yield bytes < 0 ? Integer.MAX_VALUE : bytes;
            }
        };
        return length > end - at ? -1 : at + length;
    }
}
