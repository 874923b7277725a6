package io.duramen.ra.inbound;

import io.duramen.jms.branch.BranchResource;
import io.duramen.ra.branch.ObservedResource;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.lang.reflect.Method;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers on its session's thread; the rest from any. One session of an endpoint: gives what arrives to a bean, in the
 * container's transaction where the bean has one, in which the session's resource then takes part.
 */
final class Listening implements MessageListener, ObservedResource.Observer {
    /** Is told of each delivery, on the session's thread, before the next. */
    interface Outcomes {
        void onOutcome(Listening listening, boolean success);
    }

    static final Method ON_MESSAGE = onMessageMethod();
    private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

    private final Session session;
    private final MessageConsumer consumer;
    private final MessageEndpoint endpoint;
    private final boolean transacted;
    private final Outcomes outcomes;
    private final Poison poison;
    /** The session's thread. Null until the transaction manager has said. */
    private Boolean committed;
    /** The bean has thrown, or was not there any more: some servers commit the delivery all the same. */
    private volatile boolean failed;

    private Listening(
            Session session, MessageConsumer consumer, MessageEndpointFactory factory, Poison poison, Outcomes outcomes)
            throws ResourceException {
        this.session = session;
        this.consumer = consumer;
        this.outcomes = outcomes;
        this.poison = poison;
        this.transacted = session instanceof XASession;
        this.endpoint = factory.createEndpoint(
                session instanceof XASession xa ? new ObservedResource(xa.getXAResource(), this) : null);
    }

    private static Method onMessageMethod() {
        try {
            return MessageListener.class.getMethod("onMessage", Message.class);
        } catch (NoSuchMethodException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Consumes, and hears nothing yet. */
    static Listening open(
            XAConnection connection,
            DuramenActivationSpec spec,
            Source source,
            MessageEndpointFactory factory,
            Outcomes outcomes)
            throws JMSException, ResourceException {
        Session session = isTransacted(factory)
                ? connection.createXASession()
                : connection.createSession(spec.acknowledgeModeNumber());
        try {
            return new Listening(session, source.consume(session), factory, poison(session, spec), outcomes);
        } catch (JMSException | ResourceException | RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private static Poison poison(Session session, DuramenActivationSpec spec) {
        XAResource branches = session instanceof XASession xa ? xa.getXAResource() : null;
        return new Poison(spec.getDeliveriesMax(), (BranchResource) branches);
    }

    private static boolean isTransacted(MessageEndpointFactory factory) throws ResourceException {
        try {
            return factory.isDeliveryTransacted(ON_MESSAGE);
        } catch (NoSuchMethodException e) {
            throw new ResourceException("the endpoint is no MessageListener", e);
        }
    }

    // ---- hearing ---------------------------------------------------------------------------------------------------

    /** Messages are delivered from here on. */
    synchronized void hear() throws JMSException {
        if (consumer.getMessageListener() == null) {
            consumer.setMessageListener(this);
        }
    }

    /** No more messages are delivered than the one in hand. What was sent ahead stays with the session, unseen. */
    synchronized void stopHearing() throws JMSException {
        if (consumer.getMessageListener() != null) {
            consumer.setMessageListener(null);
        }
    }

    /** Waits for what is in hand; what was sent ahead goes back. */
    void close() {
        try {
            stopHearing();
            session.close();
        } catch (JMSException | RuntimeException e) {
            LOG.debug("A session of an endpoint ends with its connection", e);
        }
        try {
            endpoint.release();
        } catch (RuntimeException e) {
            LOG.warn("The application server failed to release an endpoint", e);
        }
    }

    // ---- delivering ------------------------------------------------------------------------------------------------

    @Override
    public void onMessage(Message message) {
        if (poison.isRefusedBefore(message)) {
            return;
        }
        committed = null;
        failed = false;
        RuntimeException failure = null;
        try {
            if (transacted) {
                deliverInTransaction(message);
            } else {
                ((MessageListener) endpoint).onMessage(message);
            }
        } catch (RuntimeException e) {
            failure = e;
        }
        outcomes.onOutcome(this, failure == null && !Boolean.FALSE.equals(committed));
        if (failure != null && committed == null && !poison.isRefusedAfter(message)) {
            throw failure; // no transaction has settled the message: the session gives it back
        }
    }

    private void deliverInTransaction(Message message) {
        try {
            endpoint.beforeDelivery(ON_MESSAGE);
        } catch (NoSuchMethodException | ResourceException e) {
            throw new JMSRuntimeException("the application server did not begin a delivery", null, e);
        }
        RuntimeException failure = null;
        try {
            ((MessageListener) endpoint).onMessage(message);
        } catch (RuntimeException e) {
            failure = e;
            failed = true;
        }
        try {
            endpoint.afterDelivery();
        } catch (ResourceException e) {
            failure = failure != null
                    ? failure
                    : new JMSRuntimeException("the application server did not end a delivery", null, e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void onActive(boolean active) {
        // Who begins and ends the delivery knows.
    }

    @Override
    public boolean hasFailed() {
        return failed;
    }

    @Override
    public void beforeRollback(Xid xid) throws XAException {
        poison.beforeRollback(xid);
    }

    @Override
    public void onOutcome(boolean success) {
        committed = success;
    }
}
