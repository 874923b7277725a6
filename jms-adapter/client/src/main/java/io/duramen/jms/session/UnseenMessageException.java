package io.duramen.jms.session;

import jakarta.jms.JMSRuntimeException;

/**
 * Thrown by a {@code MessageListener} that could not pass the message on to its application: in a session that acknowledges
 * by itself, the message goes back with that delivery uncounted.
 */
public final class UnseenMessageException extends JMSRuntimeException {
    private static final long serialVersionUID = 1L;

    public UnseenMessageException(String reason, Throwable cause) {
        super(reason, null, cause);
    }
}
