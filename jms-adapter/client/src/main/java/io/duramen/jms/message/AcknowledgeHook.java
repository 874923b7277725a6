package io.duramen.jms.message;

import jakarta.jms.JMSException;

/** What {@code Message.acknowledge()} does: given to a message by the session that delivers it. */
@FunctionalInterface
public interface AcknowledgeHook {
    /**
     * Called on the application's thread.
     *
     * @param message the one whose {@code acknowledge} was called
     * @throws JMSException where the session is closed or the acknowledgement fails
     */
    void acknowledge(DuramenMessage message) throws JMSException;
}
