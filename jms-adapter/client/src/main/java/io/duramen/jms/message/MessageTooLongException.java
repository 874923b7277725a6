package io.duramen.jms.message;

import jakarta.jms.MessageFormatException;

/** Thrown at send where a message, or one of its parts, is longer than its record can say. */
public final class MessageTooLongException extends MessageFormatException {
    private static final long serialVersionUID = 1L;

    MessageTooLongException(String reason) {
        super(reason);
    }
}
