package io.duramen.jms.session;

import io.duramen.jms.delivery.Subscribing;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.message.AllowedClasses;
import io.duramen.protocol.frame.PartitionRef;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import java.util.List;

/**
 * One thread at a time, as its session. Looks at a queue without holding anything of it: neither the node nor this object
 * keeps more than the page that an enumeration stands in.
 */
final class DuramenBrowser implements QueueBrowser {
    private final DuramenSession session;
    private final DuramenDestination queue;
    private final Subscribing.Choice choice;
    private volatile boolean closed;

    DuramenBrowser(DuramenSession session, DuramenDestination queue, Subscribing.Choice choice) {
        this.session = session;
        this.queue = queue;
        this.choice = choice;
    }

    /** Lets the node say now what it would refuse: no such queue, a bad selector. */
    void check() throws JMSException {
        enumeration();
    }

    /**
     * A view of the queue as it is now: each message that is on it, and still is when its turn comes, once and in order,
     * whether a consumer holds it or not; none that came later, has expired or is not yet to be delivered.
     */
    @Override
    public Enumeration<Message> getEnumeration() throws JMSException {
        checkOpen();
        return enumeration();
    }

    private BrowsedMessages enumeration() throws JMSException {
        if (queue.kind().isTemporary() && !session.conversation().isOwnTemporary(queue)) {
            throw new InvalidDestinationException(queue.getName() + " belongs to another connection, or is deleted");
        }
        BrowsedMessages messages = new BrowsedMessages(this, queue, choice.selector());
        try {
            List<PartitionRef> partitions =
                    session.conversation().partitionsNow(queue).all();
            messages.fixViews(session.conversation().link(), partitions);
        } catch (InvalidDestinationException e) {
            session.conversation().forget(queue);
            throw e;
        }
        return messages;
    }

    AllowedClasses allowedClasses() {
        return session.connection().settings().allowedClasses();
    }

    int prefetchBytes() {
        return session.connection().settings().prefetchBytes();
    }

    boolean isClosed() {
        return closed || session.isClosed();
    }

    private void checkOpen() throws IllegalStateException {
        if (isClosed()) {
            throw new IllegalStateException("the browser is closed");
        }
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) queue;
    }

    @Override
    public String getMessageSelector() throws JMSException {
        checkOpen();
        return choice.selector().isEmpty() ? null : choice.selector();
    }

    /** Its enumerations have no more elements from now on. */
    @Override
    public void close() {
        closed = true;
    }
}
