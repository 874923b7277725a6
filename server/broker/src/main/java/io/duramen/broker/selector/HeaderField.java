package io.duramen.broker.selector;

import io.duramen.protocol.record.HeaderTag;
import java.util.HashMap;
import java.util.Map;

/** Names that stand for something else than an entry of the property region (sections 3.8.1.1 and 3.5.9). */
enum HeaderField {
    PRIORITY("JMSPriority", 0),
    DELIVERY_MODE("JMSDeliveryMode", 0),
    TIMESTAMP("JMSTimestamp", 0),
    MESSAGE_ID("JMSMessageID", 0),
    CORRELATION_ID("JMSCorrelationID", HeaderTag.CORRELATION_ID),
    TYPE("JMSType", HeaderTag.TYPE),
    GROUP_ID("JMSXGroupID", HeaderTag.GROUP_ID),
    GROUP_SEQUENCE("JMSXGroupSeq", HeaderTag.GROUP_SEQUENCE),
    USER_ID("JMSXUserID", HeaderTag.USER_ID),
    /** Set when it is received, so that no message has one here: null. */
    DELIVERY_COUNT("JMSXDeliveryCount", 0),
    /** As {@link #DELIVERY_COUNT}. */
    RECEIVE_TIMESTAMP("JMSXRcvTimestamp", 0);

    private static final Map<String, HeaderField> BY_NAME;

    static {
        Map<String, HeaderField> byName = new HashMap<>();
        for (HeaderField field : values()) {
            byName.put(field.identifier, field);
        }
        BY_NAME = byName;
    }

    private final String identifier;
    private final int tag;

    HeaderField(String identifier, int tag) {
        this.identifier = identifier;
        this.tag = tag;
    }

    /** In the headers region; 0 where it stands in the fixed header, or nowhere. */
    int tag() {
        return tag;
    }

    /** @return null where the identifier is a property's name */
    static HeaderField of(String identifier) {
        return BY_NAME.get(identifier);
    }
}
