package io.duramen.jms.session;

import io.duramen.jms.delivery.Delivery;
import io.duramen.jms.delivery.Owing;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.message.AcknowledgeHook;
import io.duramen.jms.message.DuramenMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;

/** One thread at a time: its session's. What the application may do with a delivery through its message. */
record Settling(DuramenSession session, Owing from, Delivery delivery) implements AcknowledgeHook {
    @Override
    public void acknowledge(DuramenMessage message) throws JMSException {
        session.acknowledgement().hook(session, from, delivery).acknowledge(message);
    }

    @Override
    public void refuse(String reason) throws JMSException {
        session.checkOpen();
        if (!Settlement.refuse(session.conversation().link(), from, delivery, reason)) {
            throw new IllegalStateException("the message is acknowledged, or a branch of a transaction has it");
        }
    }
}
