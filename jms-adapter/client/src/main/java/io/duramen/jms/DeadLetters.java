package io.duramen.jms;

import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.PropertyNames;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What an application can do about messages that it will never be able to process, and the properties by which it finds out
 * about those that ended up as dead letters.
 */
public final class DeadLetters {
    /** Name of the destination from which the message came. */
    public static final String ORIGIN = "JMS_Duramen_Origin";

    /** Name of the topic's subscription that it was for; absent for a queue. */
    public static final String SUBSCRIPTION = "JMS_Duramen_Subscription";

    /** Client id of that subscription; absent where it has none. */
    public static final String CLIENT_ID = "JMS_Duramen_ClientId";

    /** Its JMSMessageID, for when it is sent on under another. */
    public static final String MESSAGE_ID = "JMS_Duramen_MessageId";

    /** How often it was delivered; a long. */
    public static final String DELIVERY_COUNT = "JMS_Duramen_DeliveryCount";

    /** {@code DELIVERIES_MAX} or {@code REFUSED}. */
    public static final String CAUSE_CODE = "JMS_Duramen_CauseCode";

    /** The same for people, with what the consumer said of it. */
    public static final String CAUSE = "JMS_Duramen_Cause";

    /** When it became a dead letter, in milliseconds since 1970; a long. */
    public static final String DEAD_AT = "JMS_Duramen_DeadAt";

    private static final Set<String> NOT_SENT_BACK = Set.of(
            ORIGIN,
            SUBSCRIPTION,
            CLIENT_ID,
            MESSAGE_ID,
            DELIVERY_COUNT,
            CAUSE_CODE,
            CAUSE,
            DEAD_AT,
            PropertyNames.DEDUP_ID,
            PropertyNames.DEDUP_ID_ALIAS,
            PropertyNames.DELIVERY_COUNT,
            PropertyNames.RECEIVED_AT,
            PropertyNames.USER_ID);

    private DeadLetters() {}

    /**
     * Refuses a message that was received and is not acknowledged yet: it goes to the dead letters of its destination, with
     * the reason, and is not delivered again. On the thread that may use its session. Returns when that is on disk. In a
     * transacted session that happens now, whatever becomes of the transaction. From a queue that is for dead letters itself a
     * message goes nowhere: it comes again.
     *
     * @param reason for whoever reads it there; cut after 512 characters
     * @throws IllegalStateException where the message was not received from a node, is acknowledged, or is part of a
     *     distributed transaction that has ended
     * @throws JMSException where the node cannot be reached or does not take it
     */
    public static void refuse(Message message, String reason) throws JMSException {
        if (!(message instanceof DuramenMessage received) || received.acknowledgeHook() == null) {
            throw new IllegalStateException("the message was not received from a node");
        }
        received.acknowledgeHook().refuse(reason == null ? "" : reason);
    }

    /**
     * Sends a dead letter back to the queue from which it came, as a message of its own: without what it says about its death,
     * and without a dedup id, by which it would be taken for a repeat of itself. The session is best a transacted one that
     * has received it, so that it is in one of both places. The message's properties are changed.
     *
     * @throws IllegalStateException where it is no dead letter of a queue: a topic would give it to all its subscriptions
     */
    public static void sendBack(Session session, Message letter) throws JMSException {
        String origin = letter.getStringProperty(ORIGIN);
        if (origin == null || letter.propertyExists(SUBSCRIPTION)) {
            throw new IllegalStateException("the message is no dead letter of a queue");
        }
        Map<String, Object> kept = new LinkedHashMap<>();
        for (Enumeration<?> names = letter.getPropertyNames(); names.hasMoreElements(); ) {
            String name = (String) names.nextElement();
            if (!NOT_SENT_BACK.contains(name)) {
                kept.put(name, letter.getObjectProperty(name));
            }
        }
        letter.clearProperties();
        for (Map.Entry<String, Object> property : kept.entrySet()) {
            letter.setObjectProperty(property.getKey(), property.getValue());
        }
        try (MessageProducer producer = session.createProducer(session.createQueue(origin))) {
            producer.send(letter, letter.getJMSDeliveryMode(), letter.getJMSPriority(), Message.DEFAULT_TIME_TO_LIVE);
        }
    }
}
