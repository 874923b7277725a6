package io.duramen.jms.xa;

import io.duramen.jms.session.ConnectionSettings;
import io.duramen.jms.session.DuramenConnection;
import jakarta.jms.JMSException;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;

/** Thread-safe. A connection that also makes sessions with an XAResource. */
public final class DuramenXAConnection extends DuramenConnection implements XAQueueConnection, XATopicConnection {
    /** Connects and logs in, as {@link DuramenConnection#open}. */
    public DuramenXAConnection(ConnectionSettings settings) throws JMSException {
        super(settings);
    }

    @Override
    public XASession createXASession() throws JMSException {
        return xaSession();
    }

    DuramenXASession xaSession() throws JMSException {
        use();
        return added(new DuramenXASession(this));
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        use();
        return added(new DuramenXAQueueSession(this));
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        use();
        return added(new DuramenXATopicSession(this));
    }
}
