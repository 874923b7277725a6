package io.duramen.ra.inbound;

import io.duramen.jms.branch.BranchResource;
import io.duramen.jms.session.UnseenMessageException;
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
import javax.transaction.xa.Xid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers on its session's thread; the rest from any. One session of an endpoint: gives what arrives to a bean, in the
 * container's transaction where the bean has one, in which the session's resource then takes part.
 */
final class Listening implements MessageListener, ObservedResource.Observer {
    /** What became of a delivery. */
    enum Outcome {
        /** The bean has had it, and it is done. */
        SUCCEEDED,
        /** It comes again, and counts. */
        FAILED,
        /** It comes again, uncounted: the server has not passed it to the bean. */
        UNSEEN
    }

    /** Is told of each delivery, on the session's thread, before it and before the next. */
    interface Outcomes {
        /** A delivery begins. */
        void onBegin();

        /** It has ended, whatever became of it. */
        void onEnd();

        void onOutcome(Outcome outcome);
    }

    static final Method ON_MESSAGE = onMessageMethod();
    private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

    private final Session session;
    private final MessageConsumer consumer;
    private final MessageEndpoint endpoint;
    private final Class<?> bean;
    private final Outcomes outcomes;
    private final UncountedReturns returns;
    private final Poison poison;
    private final WorkTime work = new WorkTime(System::nanoTime);
    /** Null where deliveries are in no transaction. */
    private final BranchResource branches;
    /** Null until the transaction manager has said. */
    private volatile Boolean committed;
    /** Null where there is none. */
    private volatile Message inHand;
    /** What is no word of the application's, so that nothing of the delivery may commit; null where that was not thrown. */
    private volatile Throwable thrown;
    /** The server has not passed the delivery to the bean. */
    private volatile boolean unseen;

    private Listening(
            Session session,
            MessageConsumer consumer,
            MessageEndpointFactory factory,
            DuramenActivationSpec spec,
            Outcomes outcomes,
            UncountedReturns returns)
            throws ResourceException {
        this.session = session;
        this.consumer = consumer;
        this.outcomes = outcomes;
        this.returns = returns;
        this.bean = factory.getEndpointClass();
        this.branches = session instanceof XASession xa ? (BranchResource) xa.getXAResource() : null;
        this.poison = new Poison(spec.getDeliveriesMax(), branches);
        this.endpoint = factory.createEndpoint(branches != null ? new ObservedResource(branches, this) : null);
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
            Outcomes outcomes,
            UncountedReturns returns)
            throws JMSException, ResourceException {
        Session session = isTransacted(factory)
                ? connection.createXASession()
                : connection.createSession(spec.acknowledgeModeNumber());
        try {
            return new Listening(session, source.consume(session), factory, spec, outcomes, returns);
        } catch (JMSException | ResourceException | RuntimeException e) {
            session.close();
            throw e;
        }
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
        work.begin();
        outcomes.onBegin();
        try {
            deliver(message);
        } finally {
            inHand = null;
            work.end();
            outcomes.onEnd();
        }
    }

    WorkTime work() {
        return work;
    }

    private void deliver(Message message) {
        committed = null;
        inHand = message;
        thrown = null;
        unseen = false;
        Throwable failure = branches != null ? inTransaction(message) : thrownBy(message);
        outcomes.onOutcome(outcome(failure));
        if (failure != null && committed == null && !poison.isRefusedAfter(message)) {
            throw toSession(failure); // no transaction has settled the message: the session gives it back
        }
    }

    private Outcome outcome(Throwable failure) {
        if (unseen) {
            return Outcome.UNSEEN;
        }
        boolean success = committed == null ? failure == null : committed;
        return success ? Outcome.SUCCEEDED : Outcome.FAILED;
    }

    private RuntimeException toSession(Throwable failure) {
        if (unseen) {
            return new UnseenMessageException("the application server did not begin a delivery", failure);
        }
        return failure instanceof RuntimeException known
                ? known
                : new JMSRuntimeException("a delivery failed", null, failure);
    }

    /** @return null where nothing was thrown */
    private Throwable thrownBy(Message message) {
        try {
            ((MessageListener) endpoint).onMessage(message);
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    private Throwable inTransaction(Message message) {
        try {
            endpoint.beforeDelivery(ON_MESSAGE);
        } catch (NoSuchMethodException | ResourceException | RuntimeException e) {
            unseen = true;
            return e;
        }
        Throwable failure = thrownBy(message);
        thrown = failure == null || ApplicationFailure.isOne(failure, bean) ? null : failure;
        try {
            endpoint.afterDelivery();
        } catch (ResourceException | RuntimeException e) {
            return failure != null ? failure : e;
        }
        return failure;
    }

    @Override
    public void onActive(boolean active) {
        // Who begins and ends the delivery knows.
    }

    @Override
    public boolean hasFailed() {
        return thrown != null;
    }

    /**
     * {@inheritDoc} Who has seen a bean throw what is no application exception rolls back. So a manager that will commit after
     * all has not called the bean, as while its application is undeployed; or it knows of an application exception what the
     * adapter does not, which shows by happening again and again.
     */
    @Override
    public void beforeCommit(Xid xid) throws XAException {
        if (thrown == null) {
            return;
        }
        if (returns.allows(inHand, thrown)) {
            unseen = true;
            branches.releaseOnRollback(xid);
        } else {
            poison.beforeRollback(xid);
        }
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
