package io.duramen.ra;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ApplicationServerInternalException;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import java.lang.reflect.Method;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.transaction.xa.XAResource;

/** Thread-safe. The beans of an endpoint: each delivery in a transaction of its own, or in none. */
final class Beans implements MessageEndpointFactory {
    /** What a bean does with a message; throws or marks the transaction where it will not have it. */
    interface Work {
        void on(Message message) throws Exception;
    }

    /** A delivery as the bean saw it. */
    record Seen(String text, int count, boolean redelivered) {
        static Seen of(Message message) throws JMSException {
            return new Seen(
                    message.getBody(String.class),
                    message.getIntProperty("JMSXDeliveryCount"),
                    message.getJMSRedelivered());
        }
    }

    final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    final BlockingQueue<Refusal> refusals = new LinkedBlockingQueue<>();
    private final TransactionManager transactions = SmallServer.TRANSACTIONS;
    private final boolean transacted;
    private final Work work;
    private volatile Refusal refusal = Refusal.NONE;

    Beans(boolean transacted, Work work) {
        this.transacted = transacted;
        this.work = work;
    }

    /** Where a server does not let a bean have what it is sent. */
    enum Refusal {
        NONE,
        /** No transaction is begun. */
        BEFORE_DELIVERY,
        /** The transaction is committed all the same, as WildFly does while it undeploys. */
        ON_MESSAGE
    }

    /** Deliveries are refused so from here on. */
    void refuse(Refusal how) {
        refusal = how;
    }

    /** An application exception: it reaches the adapter as it is, and the transaction commits. */
    static final class Told extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * An application exception that the adapter cannot know for one, as a deployment descriptor declares them, of a class that
     * does not come with the bean: it reaches the adapter as it is, and the transaction would commit.
     */
    static final class DeclaredElsewhere extends Exception {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public MessageEndpoint createEndpoint(XAResource resource) throws UnavailableException {
        return new Bean(resource);
    }

    @Override
    public MessageEndpoint createEndpoint(XAResource resource, long timeout) throws UnavailableException {
        return createEndpoint(resource);
    }

    @Override
    public boolean isDeliveryTransacted(Method method) {
        return transacted;
    }

    @Override
    public String getActivationName() {
        return "beans";
    }

    @Override
    public Class<?> getEndpointClass() {
        return Bean.class;
    }

    private final class Bean implements MessageEndpoint, MessageListener {
        private final XAResource resource;
        private boolean threw;

        Bean(XAResource resource) {
            this.resource = resource;
        }

        @Override
        public void beforeDelivery(Method method) throws ResourceException {
            try {
                threw = false;
                if (refusal == Refusal.BEFORE_DELIVERY) {
                    refusals.add(refusal);
                    throw new IllegalStateException("no transaction to be had");
                }
                transactions.begin();
                transactions.getTransaction().enlistResource(resource);
            } catch (Exception e) {
                throw new ApplicationServerInternalException(e);
            }
        }

        @Override
        public void onMessage(Message message) {
            if (refusal == Refusal.ON_MESSAGE) {
                refusals.add(refusal);
                throw new IllegalStateException("the bean is not there any more");
            }
            try {
                seen.add(Seen.of(message));
                work.on(message);
            } catch (Told e) {
                throw e;
            } catch (DeclaredElsewhere e) {
                throw new UnsupportedOperationException(e);
            } catch (Error e) {
                threw = true;
                throw e;
            } catch (Exception e) {
                threw = true;
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void afterDelivery() throws ResourceException {
            try {
                if (threw || transactions.getStatus() == Status.STATUS_MARKED_ROLLBACK) {
                    transactions.rollback();
                } else {
                    transactions.commit();
                }
            } catch (Exception e) {
                throw new ApplicationServerInternalException(e);
            }
        }

        @Override
        public void release() {
            // Nothing is held.
        }
    }
}
