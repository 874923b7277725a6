package io.duramen.jms.xa;

import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenContext;
import io.duramen.jms.session.DuramenSession;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;

/** One thread at a time. The simplified API over a session with an XAResource. */
public final class DuramenXAContext extends DuramenContext implements XAJMSContext {
    /** The only context over that connection, which it closes with itself. */
    public DuramenXAContext(DuramenXAConnection connection) {
        super(connection, SESSION_TRANSACTED);
    }

    @Override
    protected DuramenSession newSession(DuramenConnection over, int mode) throws JMSException {
        return ((DuramenXAConnection) over).xaSession();
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return ((DuramenXASession) session()).getXAResource();
    }
}
