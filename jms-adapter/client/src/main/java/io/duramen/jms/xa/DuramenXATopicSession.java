package io.duramen.jms.xa;

import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenTopicSession;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAResource;

/** One thread at a time. A session for topics with an XAResource. */
final class DuramenXATopicSession extends DuramenTopicSession implements XATopicSession {
    private final XAResource resource = new NoBranches();

    DuramenXATopicSession(DuramenConnection connection) throws JMSException {
        super(connection, AUTO_ACKNOWLEDGE);
    }

    @Override
    public Session getSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public TopicSession getTopicSession() throws JMSException {
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
