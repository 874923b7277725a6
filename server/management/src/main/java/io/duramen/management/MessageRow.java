package io.duramen.management;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ConstructorParameters;

/**
 * A message that is not settled. Immutable. Times are milliseconds since 1970, 0 for none.
 *
 * @param id its partition and its offset there, with a colon between
 * @param messageId JMSMessageID; empty for none, as the other texts
 * @param properties as texts, long ones shortened
 * @param bodyType NONE, TEXT, TEXT_NULL, BYTES, MAP, STREAM or OBJECT
 * @param bodyBytes of the whole body
 * @param preview the beginning of the body: text, hexadecimal bytes, or entries; of an object nothing
 * @param deliveries that ended without success
 * @param standing READY, HELD by a consumer, WAITS for its next delivery, PREPARED (a prepared branch accepts it) or LEAVES
 */
public record MessageRow(
        String id,
        String messageId,
        String type,
        String correlationId,
        String replyTo,
        String groupId,
        String userId,
        boolean persistent,
        int priority,
        long timestampMillis,
        long expirationMillis,
        long deliveryTimeMillis,
        Map<String, String> properties,
        String bodyType,
        long bodyBytes,
        String preview,
        int deliveries,
        String standing) {
    @ConstructorParameters({
        "id",
        "messageId",
        "type",
        "correlationId",
        "replyTo",
        "groupId",
        "userId",
        "persistent",
        "priority",
        "timestampMillis",
        "expirationMillis",
        "deliveryTimeMillis",
        "properties",
        "bodyType",
        "bodyBytes",
        "preview",
        "deliveries",
        "standing"
    })
    public MessageRow {
        properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    public String getId() {
        return id;
    }

    public String getMessageId() {
        return messageId;
    }

    public String getType() {
        return type;
    }

    public String getCorrelationId() {
        return correlationId;
    }

    public String getReplyTo() {
        return replyTo;
    }

    public String getGroupId() {
        return groupId;
    }

    public String getUserId() {
        return userId;
    }

    public boolean isPersistent() {
        return persistent;
    }

    public int getPriority() {
        return priority;
    }

    public long getTimestampMillis() {
        return timestampMillis;
    }

    public long getExpirationMillis() {
        return expirationMillis;
    }

    public long getDeliveryTimeMillis() {
        return deliveryTimeMillis;
    }

    public Map<String, String> getProperties() {
        return properties;
    }

    public String getBodyType() {
        return bodyType;
    }

    public long getBodyBytes() {
        return bodyBytes;
    }

    public String getPreview() {
        return preview;
    }

    public int getDeliveries() {
        return deliveries;
    }

    public String getStanding() {
        return standing;
    }
}
