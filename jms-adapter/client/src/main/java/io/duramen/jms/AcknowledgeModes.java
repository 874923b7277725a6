package io.duramen.jms;

/**
 * Acknowledge modes beyond those of {@link jakarta.jms.Session}, for {@code createSession} and {@code createContext}.
 * Their numbers are those that other providers give to the same modes.
 */
public final class AcknowledgeModes {
    /**
     * {@code Message.acknowledge()} acknowledges that message alone, and returns once the node has it on disk. What was not
     * acknowledged stays with the session, in any order, until it is, or is given back by {@code recover}. {@code
     * JMSContext.acknowledge()} still acknowledges all that the session has.
     */
    public static final int INDIVIDUAL = 101;

    /**
     * Nothing is acknowledged: a message counts as done when it arrives at the client, before the application has seen it.
     * It is delivered at most once, and lost where the client ends, its consumer is closed or its listener fails before
     * it was dealt with. {@code recover} and {@code acknowledge} do nothing.
     */
    public static final int NONE = 100;

    private AcknowledgeModes() {}
}
