package io.duramen.jms.message;

import io.duramen.protocol.record.LargeBody;
import jakarta.jms.Destination;
import java.nio.charset.StandardCharsets;

/**
 * One thread at a time; one object serves all sends of a producer. What a send decides and the message does not: it is
 * written into the record and set on the message that was sent.
 */
public final class SendHeaders {
    Destination destination;
    boolean persistent = true;
    int priority = 4;
    long timestamp;
    long expiration;
    long deliveryTime;
    long idProducer;
    long idNumber;
    byte[] publisher;
    byte[] userId;
    String userIdText;
    LargeBody largeBody;

    public SendHeaders destination(Destination destination) {
        this.destination = destination;
        return this;
    }

    public Destination destination() {
        return destination;
    }

    public SendHeaders persistent(boolean persistent) {
        this.persistent = persistent;
        return this;
    }

    public boolean isPersistent() {
        return persistent;
    }

    /** @param priority 0 to 9 */
    public SendHeaders priority(int priority) {
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException("priority " + priority + " is not in 0..9");
        }
        this.priority = priority;
        return this;
    }

    /**
     * Milliseconds since 1970, each 0 for none.
     *
     * @param timestamp of the send; 0 where the producer leaves it out
     * @param deliveryTime 0 without a delivery delay; the message then says its timestamp
     */
    public SendHeaders times(long timestamp, long expiration, long deliveryTime) {
        this.timestamp = timestamp;
        this.expiration = expiration;
        this.deliveryTime = deliveryTime;
        return this;
    }

    /** Whether it has a delivery delay. */
    public boolean isDelayed() {
        return deliveryTime != 0;
    }

    /** The two numbers of the JMSMessageID (see {@link MessageId}); both 0 where the producer leaves it out. */
    public SendHeaders id(long idProducer, long idNumber) {
        this.idProducer = idProducer;
        this.idNumber = idNumber;
        return this;
    }

    /** @param name in UTF-8, of who sends, for noLocal subscriptions; null leaves it out (the default) */
    public SendHeaders publisher(byte[] name) {
        publisher = name;
        return this;
    }

    /** @param stored where the body stands that is not sent in the record; null where it is (the default) */
    public SendHeaders largeBody(LargeBody stored) {
        largeBody = stored;
        return this;
    }

    /** Null where the body is sent in the record. */
    public LargeBody largeBody() {
        return largeBody;
    }

    /** @param userId received as JMSXUserID; null leaves it out (the default) */
    public SendHeaders userId(String userId) {
        this.userId = userId == null ? null : userId.getBytes(StandardCharsets.UTF_8);
        this.userIdText = userId;
        return this;
    }
}
