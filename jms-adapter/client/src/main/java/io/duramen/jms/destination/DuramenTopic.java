package io.duramen.jms.destination;

import io.duramen.protocol.frame.DestinationKind;
import jakarta.jms.Topic;

/** Any thread, once its name is set. A topic by name. */
public class DuramenTopic extends DuramenDestination implements Topic {
    private static final long serialVersionUID = 1L;

    /** For tools that make beans: {@link #setName} must follow. */
    public DuramenTopic() {
        super(null);
    }

    /** @throws IllegalArgumentException for a null or empty name */
    public DuramenTopic(String name) {
        super(checked(name));
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.TOPIC;
    }

    @Override
    public final String getTopicName() {
        return getName();
    }
}
