package io.duramen.jms.destination;

import io.duramen.protocol.frame.DestinationKind;
import jakarta.jms.Queue;

/** Any thread, once its name is set. A queue by name. */
public class DuramenQueue extends DuramenDestination implements Queue {
    private static final long serialVersionUID = 1L;

    /** For tools that make beans: {@link #setName} must follow. */
    public DuramenQueue() {
        super(null);
    }

    /** @throws IllegalArgumentException for a null or empty name */
    public DuramenQueue(String name) {
        super(checked(name));
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.QUEUE;
    }

    @Override
    public final String getQueueName() {
        return getName();
    }
}
