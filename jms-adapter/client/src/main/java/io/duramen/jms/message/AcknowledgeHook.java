package io.duramen.jms.message;

import jakarta.jms.IllegalStateException;
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

    /**
     * Sends the message to the dead letters, see {@link io.duramen.jms.DeadLetters#refuse}.
     *
     * @throws JMSException where that is not possible, or no longer
     */
    default void refuse(String reason) throws JMSException {
        throw new IllegalStateException("the message cannot be refused");
    }
}
