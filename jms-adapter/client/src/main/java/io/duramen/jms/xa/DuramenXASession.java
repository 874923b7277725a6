package io.duramen.jms.xa;

import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenSession;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XASession;
import javax.transaction.xa.XAResource;

/** One thread at a time. A session with an XAResource. */
final class DuramenXASession extends DuramenSession implements XASession {
    private final XAResource resource = new NoBranches();

    DuramenXASession(DuramenConnection connection) throws JMSException {
        super(connection, AUTO_ACKNOWLEDGE);
    }

    @Override
    public Session getSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    /** {@inheritDoc} Always true, though no branch can be started yet; outside of one it acknowledges as it goes. */
    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return true;
    }

    /** {@inheritDoc} SESSION_TRANSACTED, as {@link #getTransacted} asks for. */
    @Override
    public int getAcknowledgeMode() throws JMSException {
        checkOpen();
        return SESSION_TRANSACTED;
    }

    /** @throws TransactionInProgressException always: a transaction manager commits */
    @Override
    public void commit() throws JMSException {
        checkOpen();
        throw new TransactionInProgressException("the transaction manager commits an XA session, not the application");
    }

    /** @throws TransactionInProgressException always: a transaction manager rolls back */
    @Override
    public void rollback() throws JMSException {
        checkOpen();
        throw new TransactionInProgressException(
                "the transaction manager rolls an XA session back, not the application");
    }
}
