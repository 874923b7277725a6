package io.duramen.jms.message;

import io.duramen.protocol.record.DedupKey;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One thread at a time. The properties of a message that stand in its properties region, by name, in order. */
final class MessageProperties {
    /** Null while empty: most messages have none. */
    private Map<String, Object> values;

    /** The dedup id whose key is known; null for none. */
    private String dedupText;

    private DedupKey dedupKey;

    /** @param values are taken over; null for none */
    MessageProperties(Map<String, Object> values) {
        this.values = values;
    }

    boolean isEmpty() {
        return values == null || values.isEmpty();
    }

    Object get(String name) {
        return values == null ? null : values.get(name);
    }

    boolean contains(String name) {
        return values != null && values.containsKey(name);
    }

    /** @throws MessageFormatException where the value is no primitive's object, String or null */
    void set(String name, Object value) throws MessageFormatException {
        Conversions.checkProperty(value);
        if (values == null) {
            values = new LinkedHashMap<>();
        }
        values.put(name, value);
    }

    /** Null without a dedup id, or with an empty one. */
    DedupKey dedupKey() throws JMSException {
        if (values == null) {
            return null;
        }
        Object id = values.get(PropertyNames.DEDUP_ID);
        String text = Conversions.toString(id == null ? values.get(PropertyNames.DEDUP_ID_ALIAS) : id);
        if (text == null || text.isEmpty()) {
            return null;
        }
        // A send asks twice: for the partition, and for the record.
        if (!text.equals(dedupText)) {
            dedupKey = DedupKey.of(text);
            dedupText = text;
        }
        return dedupKey;
    }

    void put(BatchBuffer out) throws JMSException {
        ValueCodec.putMap(values, out);
    }

    /**
     * @param headers hold those that have a place of their own; may be null
     * @param received whether the message has a delivery count and a time of receipt
     */
    Enumeration<String> names(MessageHeaders headers, boolean received) {
        List<String> names = new ArrayList<>();
        if (values != null) {
            names.addAll(values.keySet());
        }
        if (headers != null && headers.groupId != null) {
            names.add(PropertyNames.GROUP_ID);
        }
        if (headers != null && headers.groupSequence != null) {
            names.add(PropertyNames.GROUP_SEQUENCE);
        }
        if (headers != null && headers.userId != null) {
            names.add(PropertyNames.USER_ID);
        }
        if (received) {
            names.add(PropertyNames.DELIVERY_COUNT);
            names.add(PropertyNames.RECEIVED_AT);
        }
        return Collections.enumeration(names);
    }

    static String groupId(Object value) throws MessageFormatException {
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new MessageFormatException(PropertyNames.GROUP_ID + " is a String, not a "
                + value.getClass().getSimpleName());
    }

    static Integer groupSequence(Object value) throws MessageFormatException {
        if (value == null) {
            return null;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).intValue();
        }
        throw new MessageFormatException(PropertyNames.GROUP_SEQUENCE + " is an int, not a "
                + value.getClass().getSimpleName());
    }
}
