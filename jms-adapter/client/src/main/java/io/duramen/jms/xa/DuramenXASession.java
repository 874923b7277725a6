package io.duramen.jms.xa;

import io.duramen.jms.session.Demarcation;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenSession;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XASession;
import javax.transaction.xa.XAResource;

/** One thread at a time. A session with an XAResource. Outside of a branch it acknowledges as it goes. */
final class DuramenXASession extends DuramenSession implements XASession {
    private final XAResource resource;

    DuramenXASession(DuramenConnection connection) throws JMSException {
        super(connection, AUTO_ACKNOWLEDGE, Demarcation.MANAGER);
        resource = branchResource();
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
}
