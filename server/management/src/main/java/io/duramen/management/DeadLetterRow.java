package io.duramen.management;

import javax.management.ConstructorParameters;

/**
 * A dead letter. Immutable. Texts are empty for nothing.
 *
 * @param id of the message, see {@link MessagesMXBean}
 * @param messageId JMSMessageID of what it was
 * @param origin destination from which it was moved
 * @param subscription name of the topic's subscription, with its client id where it has one
 * @param causeCode DELIVERIES_MAX or REFUSED
 * @param cause for people
 * @param deliveries how often it was delivered
 * @param deadMillis when it was moved, milliseconds since 1970; 0 where it does not say
 * @param preview the beginning of its body
 */
public record DeadLetterRow(
        String id,
        String messageId,
        String origin,
        String subscription,
        String causeCode,
        String cause,
        long deliveries,
        long deadMillis,
        String preview) {
    @ConstructorParameters({
        "id",
        "messageId",
        "origin",
        "subscription",
        "causeCode",
        "cause",
        "deliveries",
        "deadMillis",
        "preview"
    })
    public DeadLetterRow {}

    public String getId() {
        return id;
    }

    public String getMessageId() {
        return messageId;
    }

    public String getOrigin() {
        return origin;
    }

    public String getSubscription() {
        return subscription;
    }

    public String getCauseCode() {
        return causeCode;
    }

    public String getCause() {
        return cause;
    }

    public long getDeliveries() {
        return deliveries;
    }

    public long getDeadMillis() {
        return deadMillis;
    }

    public String getPreview() {
        return preview;
    }
}
