package io.duramen.jms.session;

import io.duramen.jms.link.JmsErrors;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thread at a time, as its session. The simplified API over a connection that it shares with the contexts made from
 * it, and a session of its own; the last of them to close closes the connection.
 */
public class DuramenContext implements JMSContext {
    private final DuramenConnection connection;
    private final AtomicInteger sharers;
    private final int sessionMode;
    private DuramenSession session;
    private DuramenProducer producer;
    private boolean autoStart = true;
    private volatile boolean closed;

    /** A context that alone uses the connection. */
    protected DuramenContext(DuramenConnection connection, int sessionMode) {
        this(connection, new AtomicInteger(1), sessionMode);
    }

    private DuramenContext(DuramenConnection connection, AtomicInteger sharers, int sessionMode) {
        this.connection = connection;
        this.sharers = sharers;
        this.sessionMode = sessionMode;
    }

    /** The first context over a connection; its session is made when it is first needed, after any setClientID. */
    public static JMSContext over(DuramenConnection connection, int sessionMode) {
        return new DuramenContext(connection, sessionMode);
    }

    // ---- from checked to unchecked ---------------------------------------------------------------------------------

    @FunctionalInterface
    interface Action {
        void run() throws JMSException;
    }

    @FunctionalInterface
    interface Question<T> {
        T ask() throws JMSException;
    }

    static void run(Action action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    static <T> T ask(Question<T> question) {
        try {
            return question.ask();
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateRuntimeException("the context is closed");
        }
    }

    /** The session, made when it is first needed. */
    protected final synchronized DuramenSession session() {
        checkOpen();
        if (session == null) {
            session = ask(() -> newSession(connection, sessionMode));
        }
        return session;
    }

    /** Makes the session of this context. */
    protected DuramenSession newSession(DuramenConnection over, int mode) throws JMSException {
        return over.newSession(mode);
    }

    synchronized DuramenProducer producer() {
        if (producer == null) {
            producer = ask(() -> (DuramenProducer) session().createProducer(null));
        }
        return producer;
    }

    // ---- the connection --------------------------------------------------------------------------------------------

    /** @throws jakarta.jms.JMSRuntimeException for a number that is no session's mode */
    public static void checkMode(int mode) {
        try {
            Acknowledgement.of(mode);
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    @Override
    public JMSContext createContext(int mode) {
        checkOpen();
        checkMode(mode);
        if (sharers.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IllegalStateRuntimeException("the connection is closed");
        }
        DuramenContext context = new DuramenContext(connection, sharers, mode);
        context.session();
        return context;
    }

    @Override
    public String getClientID() {
        checkOpen();
        return ask(connection::getClientID);
    }

    @Override
    public void setClientID(String clientId) {
        checkOpen();
        run(() -> connection.setClientID(clientId));
    }

    @Override
    public ConnectionMetaData getMetaData() {
        checkOpen();
        return ask(connection::getMetaData);
    }

    @Override
    public ExceptionListener getExceptionListener() {
        checkOpen();
        return ask(connection::getExceptionListener);
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) {
        checkOpen();
        run(() -> connection.setExceptionListener(listener));
    }

    @Override
    public void start() {
        checkOpen();
        run(connection::start);
    }

    @Override
    public void stop() {
        checkOpen();
        run(connection::stop);
    }

    @Override
    public void setAutoStart(boolean value) {
        checkOpen();
        autoStart = value;
    }

    @Override
    public boolean getAutoStart() {
        checkOpen();
        return autoStart;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        DuramenSession own = session;
        try {
            if (own != null) {
                run(own::close);
            }
        } finally {
            closed = own == null || own.isClosed();
            if (closed && sharers.decrementAndGet() == 0) {
                run(connection::close);
            }
        }
    }

    // ---- the session -----------------------------------------------------------------------------------------------

    @Override
    public int getSessionMode() {
        checkOpen();
        return sessionMode;
    }

    @Override
    public boolean getTransacted() {
        checkOpen();
        return sessionMode == SESSION_TRANSACTED;
    }

    @Override
    public void commit() {
        run(session()::commit);
    }

    @Override
    public void rollback() {
        run(session()::rollback);
    }

    @Override
    public void recover() {
        run(session()::recover);
    }

    @Override
    public void acknowledge() {
        run(session()::acknowledgeGiven);
    }

    @Override
    public void unsubscribe(String name) {
        run(() -> session().unsubscribe(name));
    }

    @Override
    public JMSProducer createProducer() {
        session();
        return new ContextProducer(this);
    }

    // ---- consumers -------------------------------------------------------------------------------------------------

    private JMSConsumer consumer(Question<? extends MessageConsumer> creation) {
        DuramenConsumer consumer = (DuramenConsumer) ask(creation);
        if (autoStart) {
            start();
        }
        return new ContextConsumer(consumer);
    }

    @Override
    public JMSConsumer createConsumer(Destination destination) {
        return consumer(() -> session().createConsumer(destination));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, String selector) {
        return consumer(() -> session().createConsumer(destination, selector));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, String selector, boolean noLocal) {
        return consumer(() -> session().createConsumer(destination, selector, noLocal));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name) {
        return consumer(() -> session().createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name, String selector, boolean noLocal) {
        return consumer(() -> session().createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name, String selector) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name) {
        return consumer(() -> session().createSharedConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name, String selector) {
        return consumer(() -> session().createSharedConsumer(topic, name, selector));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) {
        return ask(() -> session().createBrowser(queue));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String selector) {
        return ask(() -> session().createBrowser(queue, selector));
    }

    // ---- destinations and messages ---------------------------------------------------------------------------------

    @Override
    public Queue createQueue(String name) {
        return ask(() -> session().createQueue(name));
    }

    @Override
    public Topic createTopic(String name) {
        return ask(() -> session().createTopic(name));
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return ask(() -> session().createTemporaryQueue());
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return ask(() -> session().createTemporaryTopic());
    }

    @Override
    public Message createMessage() {
        return ask(() -> session().createMessage());
    }

    @Override
    public TextMessage createTextMessage() {
        return ask(() -> session().createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(String text) {
        return ask(() -> session().createTextMessage(text));
    }

    @Override
    public BytesMessage createBytesMessage() {
        return ask(() -> session().createBytesMessage());
    }

    @Override
    public MapMessage createMapMessage() {
        return ask(() -> session().createMapMessage());
    }

    @Override
    public StreamMessage createStreamMessage() {
        return ask(() -> session().createStreamMessage());
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return ask(() -> session().createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(Serializable object) {
        return ask(() -> session().createObjectMessage(object));
    }
}
