package io.duramen.jms;

import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.xa.DuramenXAConnection;
import io.duramen.jms.xa.DuramenXAContext;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;

/**
 * Any thread, once configured. The factory for application servers: as {@link DuramenConnectionFactory}, and makes
 * connections and contexts whose sessions have an XAResource.
 */
public class DuramenXAConnectionFactory extends DuramenConnectionFactory
        implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {
    private static final long serialVersionUID = 1L;

    /** To a node on this machine, at the default port. */
    public DuramenXAConnectionFactory() {}

    /** @throws IllegalArgumentException for a URL that is none; the message names the option that is unknown or wrong */
    public DuramenXAConnectionFactory(String url) {
        super(url);
    }

    private DuramenXAConnection openXa(String user, String password) throws JMSException {
        return new DuramenXAConnection(settings(user, password));
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return openXa(getUser(), getPassword());
    }

    @Override
    public XAConnection createXAConnection(String user, String password) throws JMSException {
        return openXa(user, password);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return openXa(getUser(), getPassword());
    }

    @Override
    public XAQueueConnection createXAQueueConnection(String user, String password) throws JMSException {
        return openXa(user, password);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return openXa(getUser(), getPassword());
    }

    @Override
    public XATopicConnection createXATopicConnection(String user, String password) throws JMSException {
        return openXa(user, password);
    }

    @Override
    public XAJMSContext createXAContext() {
        return createXAContext(getUser(), getPassword());
    }

    @Override
    public XAJMSContext createXAContext(String user, String password) {
        try {
            return new DuramenXAContext(openXa(user, password));
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }
}
