package io.duramen.jms.session;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** One thread at a time. What a producer puts on its messages unless a send says otherwise. */
final class SendSettings {
    private static final int PRIORITY_MAX = 9;

    private boolean persistent = true;
    private int priority = Message.DEFAULT_PRIORITY;
    private long timeToLiveMillis;
    private long deliveryDelayMillis;
    private boolean withoutId;
    private boolean withoutTimestamp;

    static boolean isPersistent(int deliveryMode) throws JMSException {
        if (deliveryMode != DeliveryMode.PERSISTENT && deliveryMode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException("no delivery mode " + deliveryMode);
        }
        return deliveryMode == DeliveryMode.PERSISTENT;
    }

    static int checkedPriority(int priority) throws JMSException {
        if (priority < 0 || priority > PRIORITY_MAX) {
            throw new JMSException("priority " + priority + " is not in 0..9");
        }
        return priority;
    }

    static long checkedMillis(long millis, String what) throws JMSException {
        if (millis < 0) {
            throw new JMSException("the " + what + " of " + millis + " ms is negative");
        }
        return millis;
    }

    boolean persistent() {
        return persistent;
    }

    void deliveryMode(int deliveryMode) throws JMSException {
        persistent = isPersistent(deliveryMode);
    }

    int deliveryMode() {
        return persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
    }

    int priority() {
        return priority;
    }

    void priority(int value) throws JMSException {
        priority = checkedPriority(value);
    }

    long timeToLiveMillis() {
        return timeToLiveMillis;
    }

    void timeToLiveMillis(long millis) throws JMSException {
        timeToLiveMillis = checkedMillis(millis, "time to live");
    }

    long deliveryDelayMillis() {
        return deliveryDelayMillis;
    }

    void deliveryDelayMillis(long millis) throws JMSException {
        deliveryDelayMillis = checkedMillis(millis, "delivery delay");
    }

    boolean withoutId() {
        return withoutId;
    }

    void withoutId(boolean value) {
        withoutId = value;
    }

    boolean withoutTimestamp() {
        return withoutTimestamp;
    }

    void withoutTimestamp(boolean value) {
        withoutTimestamp = value;
    }
}
