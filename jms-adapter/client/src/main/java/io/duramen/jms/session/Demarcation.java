package io.duramen.jms.session;

import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressException;

/** Who begins and ends the transactions of a session. */
public enum Demarcation {
    /** The application does, where the session's acknowledge mode is SESSION_TRANSACTED. */
    APPLICATION,

    /**
     * A transaction manager does, through the session's XAResource. The session says that it is transacted, whatever its
     * acknowledge mode, which holds outside of a branch.
     */
    MANAGER,

    /** A {@link TransactionalProducer} does, whose session it is; the session is transacted. */
    PRODUCER;

    /** @return what the session tells as its mode (API documentation of Session.getAcknowledgeMode) */
    int told(int acknowledgeMode) {
        return this != APPLICATION ? Session.SESSION_TRANSACTED : acknowledgeMode;
    }

    /** @throws TransactionInProgressException where the application may not do that (API documentation of XASession) */
    void requireApplication(String what) throws TransactionInProgressException {
        if (this == PRODUCER) {
            throw new TransactionInProgressException(
                    "the session belongs to a transactional producer; " + what + " is its own to call");
        }
        if (this == MANAGER) {
            throw new TransactionInProgressException(
                    "the transaction manager ends what an XA session does; " + what + " is not for the application");
        }
    }
}
