package io.duramen.jms.destination;

import io.duramen.protocol.frame.DestinationKind;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;

/**
 * Any thread. A queue that lives as long as the connection that made it. One that came out of a message (a reply
 * destination) can be sent to, but not deleted.
 */
public final class DuramenTemporaryQueue extends DuramenQueue implements TemporaryQueue {
    private static final long serialVersionUID = 1L;

    private final transient TemporaryDeletion deletion;

    /** A reply destination that some other connection made. */
    public DuramenTemporaryQueue(String name) {
        this(name, null);
    }

    /** @param deletion what {@link #delete} does; null where it is not ours to delete */
    public DuramenTemporaryQueue(String name, TemporaryDeletion deletion) {
        super(name);
        this.deletion = deletion;
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.TEMPORARY_QUEUE;
    }

    @Override
    public void delete() throws JMSException {
        TemporaryDeletion.run(deletion, this);
    }
}
