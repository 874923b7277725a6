package io.duramen.jms.message;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.protocol.record.BodyType;
import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.LargeBody;
import io.duramen.protocol.record.MessageRecord;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.nio.ByteBuffer;
import java.util.Enumeration;
import java.util.Map;
import java.util.Optional;

/**
 * One thread at a time. A message without body, and what all messages have: headers, properties, and the record that a
 * received message came in. Of that record the fixed header is read at receipt; headers, properties and body are read
 * when the application asks, and travel as they are where it sends the message on unchanged.
 */
public class DuramenMessage implements Message {
    private String messageId;
    private long idProducer;
    private long idNumber;
    private long timestamp;
    private long expiration;
    private long deliveryTime;
    private int priority = Message.DEFAULT_PRIORITY;
    private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;
    private Destination destination;
    private boolean redelivered;
    /** 0 for a message that was not received, or whose properties were cleared. */
    private int deliveryCount;
    /** Milliseconds since 1970; 0 as for {@link #deliveryCount}. */
    private long receivedAt;

    /** Null for a message that was not received. */
    private ByteBuffer record;

    private int recordAt;
    private boolean headersUnread;
    /** Null where there are none, or while they are unread. */
    private MessageHeaders headers;
    /** True until clearProperties: the record's region holds, and they are read-only. */
    private boolean propertiesInRecord;

    private boolean propertiesUnread;
    /** Null while they are unread. */
    private MessageProperties properties;
    /** Null for a message that was not received, and from clearBody on. */
    private ReceivedBody receivedBody;

    private AcknowledgeHook acknowledgeHook;

    /** A message without body, to be sent. */
    public DuramenMessage() {}

    /** What {@link #onAcknowledge} gave; null without. */
    public final AcknowledgeHook acknowledgeHook() {
        return acknowledgeHook;
    }

    /** Gives the message what {@link #acknowledge} does; without, it does nothing. */
    public final void onAcknowledge(AcknowledgeHook hook) {
        acknowledgeHook = hook;
    }

    // ---- the record: for MessageDecoder and MessageEncoder ----

    /** Takes the record, which {@link MessageRecord#check} has passed, from the buffer's position on. */
    final void received(ByteBuffer in, DuramenDestination sentTo, int count) {
        int at = in.position();
        record = in;
        recordAt = at;
        destination = sentTo;
        deliveryCount = count;
        receivedAt = System.currentTimeMillis();
        redelivered = count > 1;
        deliveryMode = (in.get(at + MessageRecord.FLAGS_AT) & MessageRecord.FLAG_PERSISTENT) != 0
                ? DeliveryMode.PERSISTENT
                : DeliveryMode.NON_PERSISTENT;
        priority = in.get(at + MessageRecord.PRIORITY_AT);
        timestamp = in.getLong(at + MessageRecord.TIMESTAMP_AT);
        expiration = in.getLong(at + MessageRecord.EXPIRATION_AT);
        long delayedTo = in.getLong(at + MessageRecord.DELIVERY_TIME_AT);
        deliveryTime = delayedTo == 0 ? timestamp : delayedTo;
        idProducer = in.getLong(at + MessageRecord.ID_PRODUCER_AT);
        idNumber = in.getLong(at + MessageRecord.ID_NUMBER_AT);
        headersUnread = in.getInt(at + MessageRecord.HEADERS_LENGTH_AT) > 0;
        propertiesInRecord = true;
        propertiesUnread = in.getInt(at + MessageRecord.PROPERTIES_LENGTH_AT) > 0;
        receivedBody = new ReceivedBody(in, at, propertiesAt() + propertiesLength());
    }

    /** Sets the headers that a send sets. */
    final void sent(SendHeaders send) throws JMSException {
        destination = send.destination;
        deliveryMode = send.persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
        priority = send.priority;
        timestamp = send.timestamp;
        expiration = send.expiration;
        deliveryTime = send.deliveryTime == 0 ? send.timestamp : send.deliveryTime;
        messageId = null;
        idProducer = send.idProducer;
        idNumber = send.idNumber;
        if (send.userId != null || headers != null) {
            headersToSet().userId = send.userIdText;
        }
    }

    /** Appends the headers region. */
    final void putHeaders(BatchBuffer out) throws JMSException {
        MessageHeaders present = headers();
        if (present != null) {
            present.put(out);
        }
    }

    final int groupHash() throws JMSException {
        MessageHeaders present = headers();
        return present == null ? 0 : present.groupHash();
    }

    /** Null without a dedup id; a received message keeps the one that it was stored with. */
    public final DedupKey dedupKey() throws JMSException {
        if (propertiesInRecord) {
            return DedupKey.isIn(record, recordAt) ? DedupKey.at(record, recordAt) : null;
        }
        return properties == null ? null : properties.dedupKey();
    }

    /** Appends the properties region: nothing where there are none. */
    final void putProperties(BatchBuffer out) throws JMSException {
        if (propertiesInRecord) {
            out.putAll(record.slice(propertiesAt(), propertiesLength()));
        } else if (properties != null && !properties.isEmpty()) {
            properties.put(out);
        }
    }

    /** Appends the body region. */
    final void putBody(BatchBuffer out) throws JMSException {
        if (receivedBody != null) {
            receivedBody.put(out);
        } else {
            putOwnBody(out);
        }
    }

    private int headersLength() {
        return record.getInt(recordAt + MessageRecord.HEADERS_LENGTH_AT);
    }

    private int propertiesAt() {
        return recordAt + MessageRecord.HEADER_LENGTH + headersLength();
    }

    private int propertiesLength() {
        return record.getInt(recordAt + MessageRecord.PROPERTIES_LENGTH_AT);
    }

    private MessageHeaders headers() throws JMSException {
        if (headersUnread) {
            int length = headersLength();
            headers = ReceivedBody.decode(
                    record.slice(recordAt + MessageRecord.HEADER_LENGTH, length), MessageHeaders::read);
            headersUnread = false;
            if ((record.get(recordAt + MessageRecord.FLAGS_AT) & MessageRecord.FLAG_USER_ID) == 0) {
                headers.userId = null; // the server has not looked at it
            }
        }
        return headers;
    }

    private MessageHeaders headersToSet() throws JMSException {
        if (headers() == null) {
            headers = new MessageHeaders();
        }
        return headers;
    }

    // ---- the body: for subclasses ----

    /** What stands in the record's header for a body that does not come from a record. */
    BodyType bodyType() {
        return BodyType.NONE;
    }

    /** Appends a body that does not come from a record. */
    void putOwnBody(BatchBuffer out) throws JMSException {}

    /** Forgets the body: the message is as new. */
    void clearOwnBody() {}

    /** @return the body as {@link #getBody} gives it out, null where there is none */
    Object bodyValue() throws JMSException {
        return null;
    }

    /** @return the class that a body is read as */
    Class<?> bodyClass() {
        return Object.class;
    }

    /** Whether the body is still the one that was received. */
    final boolean isBodyInRecord() {
        return receivedBody != null;
    }

    /** @return a new view of exactly the received body, fetched where it did not come with the message */
    final ByteBuffer recordBody() throws JMSException {
        return receivedBody.bytes();
    }

    /** Where the received body stands, if it did not come with the message; for who makes it readable. */
    public final Optional<LargeBody> largeBody() throws MessageFormatException {
        return ReceivedBody.decode(record, in -> LargeBody.of(in, recordAt));
    }

    /**
     * The received body is read from there.
     *
     * @throws JMSException where one is read at once, because it is short or given out as one object, and cannot be
     */
    public final void readBodyFrom(BodyParts parts) throws JMSException {
        receivedBody.comesFrom(parts, isReadInParts());
    }

    /** Whether a body that did not come with its message is fetched as the application reads it. */
    boolean isReadInParts() {
        return false;
    }

    /** @return null where the received body came with the message, or there is none */
    final BodyParts bodyParts() {
        return receivedBody == null ? null : receivedBody.parts();
    }

    /** @return the body, where it is longer than one in a record may be; else null */
    public final BodyContent longBody(int lengthMax) throws JMSException {
        return receivedBody == null ? longOwnBody(lengthMax) : receivedBody.ifLong(lengthMax);
    }

    /** As {@link #longBody}, of a body that does not come from a record. */
    BodyContent longOwnBody(int lengthMax) throws JMSException {
        return null;
    }

    final void checkBodyWriteable() throws MessageNotWriteableException {
        if (receivedBody != null) {
            throw new MessageNotWriteableException("the body of a received message is read-only until clearBody");
        }
    }

    @Override
    public final void clearBody() throws JMSException {
        receivedBody = null;
        clearOwnBody();
    }

    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        Object body = bodyValue();
        if (body == null) {
            return null;
        }
        if (!type.isAssignableFrom(bodyClass())) {
            throw new MessageFormatException(
                    "the body is a " + bodyClass().getSimpleName() + ", not a " + type.getName());
        }
        return type.cast(body);
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        return bodyValue() == null || type.isAssignableFrom(bodyClass());
    }

    @Override
    public final void acknowledge() throws JMSException {
        if (acknowledgeHook != null) {
            acknowledgeHook.acknowledge(this);
        }
    }

    @Override
    public final String getJMSMessageID() {
        if (messageId == null) {
            messageId = MessageId.text(idProducer, idNumber);
        }
        return messageId;
    }

    @Override
    public final void setJMSMessageID(String id) {
        messageId = id;
        idProducer = 0;
        idNumber = 0;
    }

    @Override
    public final long getJMSTimestamp() {
        return timestamp;
    }

    @Override
    public final void setJMSTimestamp(long timestamp) {
        this.timestamp = timestamp;
    }

    @Override
    public final byte[] getJMSCorrelationIDAsBytes() throws JMSException {
        MessageHeaders present = headers();
        return present == null ? null : present.correlationIdAsBytes();
    }

    @Override
    public final void setJMSCorrelationIDAsBytes(byte[] correlationId) throws JMSException {
        MessageHeaders set = headersToSet();
        set.correlationId = null;
        set.correlationIdBytes = correlationId == null ? null : correlationId.clone();
    }

    @Override
    public final void setJMSCorrelationID(String correlationId) throws JMSException {
        MessageHeaders set = headersToSet();
        set.correlationId = correlationId;
        set.correlationIdBytes = null;
    }

    /** {@inheritDoc} One that was set as bytes is read as UTF-8; null where it is none. */
    @Override
    public final String getJMSCorrelationID() throws JMSException {
        MessageHeaders present = headers();
        return present == null ? null : present.correlationIdText();
    }

    @Override
    public final Destination getJMSReplyTo() throws JMSException {
        MessageHeaders present = headers();
        return present == null ? null : present.replyTo;
    }

    /** @throws InvalidDestinationException for a destination of another provider, or one without name */
    @Override
    public final void setJMSReplyTo(Destination replyTo) throws JMSException {
        boolean named = replyTo instanceof DuramenDestination ours && ours.getName() != null;
        if (replyTo != null && !named) {
            throw new InvalidDestinationException(replyTo + " is no destination that this provider can reply to");
        }
        headersToSet().replyTo = (DuramenDestination) replyTo;
    }

    @Override
    public final Destination getJMSDestination() {
        return destination;
    }

    @Override
    public final void setJMSDestination(Destination destination) {
        this.destination = destination;
    }

    @Override
    public final int getJMSDeliveryMode() {
        return deliveryMode;
    }

    @Override
    public final void setJMSDeliveryMode(int deliveryMode) {
        this.deliveryMode = deliveryMode;
    }

    @Override
    public final boolean getJMSRedelivered() {
        return redelivered;
    }

    @Override
    public final void setJMSRedelivered(boolean redelivered) {
        this.redelivered = redelivered;
    }

    @Override
    public final String getJMSType() throws JMSException {
        MessageHeaders present = headers();
        return present == null ? null : present.type;
    }

    @Override
    public final void setJMSType(String type) throws JMSException {
        headersToSet().type = type;
    }

    @Override
    public final long getJMSExpiration() {
        return expiration;
    }

    @Override
    public final void setJMSExpiration(long expiration) {
        this.expiration = expiration;
    }

    /** {@inheritDoc} Without a delivery delay it is the time of the send. */
    @Override
    public final long getJMSDeliveryTime() {
        return deliveryTime;
    }

    @Override
    public final void setJMSDeliveryTime(long deliveryTime) {
        this.deliveryTime = deliveryTime;
    }

    @Override
    public final int getJMSPriority() {
        return priority;
    }

    @Override
    public final void setJMSPriority(int priority) {
        this.priority = priority;
    }

    // ---- properties ----

    private MessageProperties properties() throws JMSException {
        if (properties == null) {
            Map<String, Object> map = propertiesUnread
                    ? ReceivedBody.decode(record.slice(propertiesAt(), propertiesLength()), ValueCodec::readMap)
                    : null;
            properties = new MessageProperties(map);
            propertiesUnread = false;
        }
        return properties;
    }

    private Object property(String name) throws JMSException {
        if (name == null || !name.startsWith("JMSX")) {
            return properties().get(name);
        }
        MessageHeaders present = headers();
        return switch (name) {
            case PropertyNames.DELIVERY_COUNT -> deliveryCount == 0 ? null : (Object) deliveryCount;
            case PropertyNames.RECEIVED_AT -> receivedAt == 0 ? null : (Object) receivedAt;
            case PropertyNames.GROUP_ID -> present == null ? null : present.groupId;
            case PropertyNames.GROUP_SEQUENCE -> present == null ? null : present.groupSequence;
            case PropertyNames.USER_ID -> present == null ? null : present.userId;
            default -> properties().get(name);
        };
    }

    private void setProperty(String name, Object value) throws JMSException {
        PropertyNames.check(name);
        if (propertiesInRecord) {
            throw new MessageNotWriteableException(
                    "the properties of a received message are read-only until clearProperties");
        }
        switch (name) {
            case PropertyNames.GROUP_ID -> headersToSet().groupId = MessageProperties.groupId(value);
            case PropertyNames.GROUP_SEQUENCE -> headersToSet().groupSequence = MessageProperties.groupSequence(value);
            case PropertyNames.DELIVERY_COUNT, PropertyNames.RECEIVED_AT, PropertyNames.USER_ID -> {
                // The provider's alone; tolerated for applications that copy all properties of a received message.
            }
            default -> properties().set(name, value);
        }
    }

    @Override
    public final void clearProperties() throws JMSException {
        MessageHeaders present = headers();
        if (present != null) {
            present.groupId = null;
            present.groupSequence = null;
            present.userId = null;
        }
        deliveryCount = 0;
        receivedAt = 0;
        propertiesInRecord = false;
        propertiesUnread = false;
        properties = null;
    }

    @Override
    public final boolean propertyExists(String name) throws JMSException {
        return property(name) != null || (name != null && properties().contains(name));
    }

    @Override
    public final Enumeration<String> getPropertyNames() throws JMSException {
        return properties().names(headers(), deliveryCount > 0);
    }

    @Override
    public final boolean getBooleanProperty(String name) throws JMSException {
        return Conversions.toBoolean(property(name));
    }

    @Override
    public final byte getByteProperty(String name) throws JMSException {
        return Conversions.toByte(property(name));
    }

    @Override
    public final short getShortProperty(String name) throws JMSException {
        return Conversions.toShort(property(name));
    }

    @Override
    public final int getIntProperty(String name) throws JMSException {
        return Conversions.toInt(property(name));
    }

    @Override
    public final long getLongProperty(String name) throws JMSException {
        return Conversions.toLong(property(name));
    }

    @Override
    public final float getFloatProperty(String name) throws JMSException {
        return Conversions.toFloat(property(name));
    }

    @Override
    public final double getDoubleProperty(String name) throws JMSException {
        return Conversions.toDouble(property(name));
    }

    @Override
    public final String getStringProperty(String name) throws JMSException {
        return Conversions.toString(property(name));
    }

    @Override
    public final Object getObjectProperty(String name) throws JMSException {
        return property(name);
    }

    @Override
    public final void setBooleanProperty(String name, boolean value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public final void setByteProperty(String name, byte value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public final void setShortProperty(String name, short value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public final void setIntProperty(String name, int value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public final void setLongProperty(String name, long value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public final void setFloatProperty(String name, float value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public final void setDoubleProperty(String name, double value) throws JMSException {
        setProperty(name, value);
    }

    @Override
    public final void setStringProperty(String name, String value) throws JMSException {
        setProperty(name, value);
    }

    /** @throws MessageFormatException where the value is no primitive's object, String or null */
    @Override
    public final void setObjectProperty(String name, Object value) throws JMSException {
        setProperty(name, value);
    }

    /** @return kind, id and destination, for logs: nothing of what the application put in */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + '[' + getJMSMessageID() + " to " + destination + ']';
    }
}
