package io.duramen.jms.xa;

import io.duramen.jms.session.Demarcation;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenQueueSession;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.XAQueueSession;
import javax.transaction.xa.XAResource;

/** One thread at a time. A session for queues with an XAResource. Outside of a branch it acknowledges as it goes. */
final class DuramenXAQueueSession extends DuramenQueueSession implements XAQueueSession {
    private final XAResource resource;

    DuramenXAQueueSession(DuramenConnection connection) throws JMSException {
        super(connection, AUTO_ACKNOWLEDGE, Demarcation.MANAGER);
        resource = branchResource();
    }

    @Override
    public Session getSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public QueueSession getQueueSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }
}
