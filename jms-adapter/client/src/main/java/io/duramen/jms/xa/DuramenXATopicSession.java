package io.duramen.jms.xa;

import io.duramen.jms.session.Demarcation;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenTopicSession;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAResource;

/** One thread at a time. A session for topics with an XAResource. Outside of a branch it acknowledges as it goes. */
final class DuramenXATopicSession extends DuramenTopicSession implements XATopicSession {
    private final XAResource resource;

    DuramenXATopicSession(DuramenConnection connection) throws JMSException {
        super(connection, AUTO_ACKNOWLEDGE, Demarcation.MANAGER);
        resource = branchResource();
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
}
