package io.duramen.jms.session;

import io.duramen.jms.link.JmsErrors;
import jakarta.jms.JMSException;

/**
 * A commit was asked for and its answer did not come: it may have happened or not. The session, while its connection
 * lasts, learns it by {@code commit()} again: that returns where the transaction has committed, and throws
 * TransactionRolledBackException where it has not and never will. Anyone else asks {@link DuramenConnection#outcomeOf}
 * with the {@link #transactionId}, over any connection to the same node.
 */
public final class OutcomeUnknownException extends JMSException {
    private static final long serialVersionUID = 1L;

    private final String transactionId;

    OutcomeUnknownException(TransactionId transaction, JMSException cause) {
        super(
                "transaction " + transaction + " may have committed or not: " + cause.getMessage()
                        + ". commit() again tells, or outcomeOf over another connection",
                JmsErrors.OUTCOME_UNKNOWN);
        this.transactionId = transaction.toString();
        JmsErrors.caused(this, cause);
    }

    /** For {@link DuramenConnection#outcomeOf}. */
    public String transactionId() {
        return transactionId;
    }
}
