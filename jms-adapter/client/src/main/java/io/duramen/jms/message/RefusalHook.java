package io.duramen.jms.message;

import jakarta.jms.JMSException;

/** What refusing a message does: given to it by the session that delivers it. */
@FunctionalInterface
public interface RefusalHook {
    /** Called on the application's thread. */
    void refuse(String reason) throws JMSException;
}
