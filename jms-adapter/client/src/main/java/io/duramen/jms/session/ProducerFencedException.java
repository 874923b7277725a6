package io.duramen.jms.session;

import io.duramen.jms.link.JmsErrors;
import io.duramen.protocol.ErrorCode;
import jakarta.jms.JMSException;

/**
 * A newer incarnation of a {@link TransactionalProducer} has taken over its name, or the name was not used for so long that
 * the node has forgotten it. Nothing of the transaction has happened, nor will; what it had received comes again, to whoever
 * consumes. The producer is of no further use: close it, and end what it was part of.
 */
public final class ProducerFencedException extends JMSException {
    private static final long serialVersionUID = 1L;

    /** @param cause null for none */
    ProducerFencedException(String reason, JMSException cause) {
        super(reason, ErrorCode.PRODUCER_FENCED.name());
        if (cause != null) {
            JmsErrors.caused(this, cause);
        }
    }

    /** Turns the node's refusal into this; anything else stays what it is. */
    static JMSException of(JMSException e) {
        return ErrorCode.PRODUCER_FENCED.name().equals(e.getErrorCode())
                ? new ProducerFencedException(e.getMessage(), e)
                : e;
    }
}
