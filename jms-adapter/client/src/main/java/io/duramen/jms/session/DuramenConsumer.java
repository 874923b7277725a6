package io.duramen.jms.session;

import io.duramen.jms.delivery.Delivery;
import io.duramen.jms.delivery.Feed;
import io.duramen.jms.delivery.Subscribing;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.message.DuramenMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread at a time, as its session; {@link #close} from any thread. */
final class DuramenConsumer implements QueueReceiver, TopicSubscriber, Dispatcher.Source {
    private static final Logger LOG = LoggerFactory.getLogger(DuramenConsumer.class);
    private static final int MESSAGES_AT_A_TIME = 256;

    private final DuramenSession session;
    private final Feed feed;
    private final DuramenDestination destination;
    private final Subscribing.Choice choice;
    private final Acknowledgement acknowledgement;
    /** What a receive call returned and the next one accepts; null for none. */
    private final AtomicReference<Delivery> unaccepted = new AtomicReference<>();

    private volatile MessageListener listener;
    private volatile boolean closed;

    DuramenConsumer(DuramenSession session, Feed feed, DuramenDestination destination, Subscribing.Choice choice) {
        this.session = session;
        this.feed = feed;
        this.destination = destination;
        this.choice = choice;
        this.acknowledgement = session.acknowledgement();
    }

    private void checkOpen() throws IllegalStateException {
        if (closed || session.isClosed()) {
            throw new IllegalStateException("the consumer is closed");
        }
    }

    // ---- what the application asks for -----------------------------------------------------------------------------

    private void checkReceives() throws IllegalStateException {
        checkOpen();
        if (session.consumers().hasListener()) {
            throw new IllegalStateException("the session has a message listener: it cannot receive as well");
        }
    }

    @Override
    public Message receive() throws JMSException {
        return receive(0);
    }

    @Override
    public Message receive(long timeoutMillis) throws JMSException {
        checkReceives();
        boolean entered = session.soleThread().enter("receive");
        try {
            long nanos = timeoutMillis <= 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            acceptReceived();
            return received(feed.take(nanos, acknowledgement.acceptsOnReceive()));
        } finally {
            session.soleThread().leave(entered);
        }
    }

    @Override
    public Message receiveNoWait() throws JMSException {
        checkReceives();
        boolean entered = session.soleThread().enter("receive");
        try {
            acceptReceived();
            return received(feed.takeNow(acknowledgement.acceptsOnReceive()));
        } finally {
            session.soleThread().leave(entered);
        }
    }

    /** How a message is taken apart by {@link #receiveBody}. */
    @FunctionalInterface
    interface Opening<T> {
        T open(Message message) throws JMSException;
    }

    /** How long {@link #receiveBody} waits: 0 for ever, negative not at all. */
    <T> T receiveBody(long timeoutMillis, Opening<T> opening) throws JMSException {
        checkReceives();
        boolean entered = session.soleThread().enter("receive");
        try {
            return receiveBodyAlone(timeoutMillis, opening);
        } finally {
            session.soleThread().leave(entered);
        }
    }

    private <T> T receiveBodyAlone(long timeoutMillis, Opening<T> opening) throws JMSException {
        acceptReceived();
        Delivery delivery = timeoutMillis < 0
                ? feed.takeNow(false)
                : feed.take(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), false);
        if (delivery == null) {
            return null;
        }
        try {
            T body = opening.open(message(delivery));
            acknowledgement.onListened(feed.origin(delivery), delivery);
            return body;
        } catch (JMSException e) {
            if (acknowledgement.acceptsOnReceive()) {
                feed.origin(delivery).putBack(delivery); // as if it had not been received
            }
            throw e;
        }
    }

    private DuramenMessage received(Delivery delivery) throws JMSException {
        if (delivery == null || !delivery.isLarge() || !acknowledgement.acceptsOnReceive()) {
            return message(delivery);
        }
        try {
            DuramenMessage message = message(delivery);
            unaccepted.set(delivery);
            return message;
        } catch (JMSException e) {
            feed.origin(delivery).putBack(delivery); // as if it had not been received
            throw e;
        }
    }

    /** A message whose body is fetched as it is read stays held until the application wants the next. */
    void acceptReceived() {
        Delivery read = unaccepted.getAndSet(null);
        if (read != null) {
            feed.origin(read).accept(read);
        }
    }

    private DuramenMessage message(Delivery delivery) throws JMSException {
        return delivery == null ? null : session.consumers().message(feed.origin(delivery), delivery, destination);
    }

    // ---- what the listener is given --------------------------------------------------------------------------------

    @Override
    public MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(MessageListener next) throws JMSException {
        checkOpen();
        if (next != null && listener == null) {
            session.consumers().listenerAdded();
        } else if (next == null && listener != null) {
            session.consumers().listenerRemoved();
        }
        listener = next;
        if (next == null) {
            feed.onArrival(null);
        } else {
            feed.onArrival(this::signal);
            signal();
        }
    }

    private void signal() {
        session.dispatcher().signal(this);
    }

    void onStarted() {
        if (listener != null) {
            signal();
        }
    }

    @Override
    public boolean dispatch(BooleanSupplier mayGoOn) {
        for (int i = 0; i < MESSAGES_AT_A_TIME; i++) {
            MessageListener current = listener;
            if (current == null || !mayGoOn.getAsBoolean()) {
                return current != null;
            }
            Delivery delivery = feed.poll(false);
            if (delivery == null) {
                feed.demand();
                return false;
            }
            listen(current, delivery);
        }
        return true;
    }

    private void listen(MessageListener current, Delivery delivery) {
        try {
            current.onMessage(message(delivery));
            acknowledgement.onListened(feed.origin(delivery), delivery);
        } catch (JMSException | RuntimeException | Error e) {
            LOG.warn("A message listener threw; the message is {}", acknowledgement.afterFailure(), e);
            try {
                acknowledgement.onListenerFailed(session, e);
            } catch (JMSException notGivenBack) {
                LOG.warn("A message could not be given back and comes again later", notGivenBack);
            }
        }
    }

    // ---- the rest --------------------------------------------------------------------------------------------------

    @Override
    public String getMessageSelector() throws JMSException {
        checkOpen();
        return choice.selector().isEmpty() ? null : choice.selector();
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) destination;
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        return (Topic) destination;
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        checkOpen();
        return choice.noLocal();
    }

    /** Waits for its listener, unless called from it; a receive in progress returns null. */
    @Override
    public void close() throws JMSException {
        if (closed || session.isClosed()) {
            closed = true;
            return;
        }
        closed = true;
        acceptReceived();
        feed.close();
        session.dispatcher().awaitListeners();
        if (listener != null) {
            session.consumers().listenerRemoved();
            listener = null;
        }
        boolean keepGiven = acknowledgement.isSettledBySession() || feed.hasGiven();
        feed.detach(keepGiven);
        session.consumers().onClosed(this);
        feed.awaitDetached();
        session.consumers().onDetached(feed);
    }
}
