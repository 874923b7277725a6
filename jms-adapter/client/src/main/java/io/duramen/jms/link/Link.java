package io.duramen.jms.link;

/**
 * Any thread. The seam between JMS and the wire: what a connection and its sessions say to a node, whatever becomes of
 * sockets below.
 */
public interface Link {
    /** Has {@link Outgoing#write} called soon on the link's thread. Never blocks. */
    void send(Outgoing outgoing);

    /**
     * As {@link #send}, for who waits for the node's answer next: where the link is quiet, the calling thread is the
     * link's thread for a moment and writes to the socket itself, which saves waking the other. Blocks for no longer
     * than that. The caller holds no lock that something {@link Outgoing} needs, as nobody may who waits for an answer.
     */
    default void sendAwaited(Outgoing outgoing) {
        send(outgoing);
    }

    /**
     * As {@link #send}, but without waking the link's thread for it alone: with whatever is sent next, at the latest
     * after {@link #LATER_MILLIS}. For what nobody waits for.
     */
    void sendLater(Outgoing outgoing);

    /** Longest time that {@link #sendLater} holds something back while connected. */
    int LATER_MILLIS = 5;

    /** What the node said last in its Hello. */
    LinkLimits limits();

    /** Longest wait for an answer, in nanoseconds, counted while connected; 0 for ever. */
    long requestTimeoutNanos();

    /** {@code System.nanoTime} when the present connection came up; empty while there is none. */
    java.util.OptionalLong upSinceNanos();

    /**
     * Present while there is no connection and, as the nodes say, none can be had until somebody mends the cluster.
     */
    default java.util.Optional<Stuck> stuck() {
        return java.util.Optional.empty();
    }

    /** @param sinceNanos {@code System.nanoTime} when a node said so first */
    record Stuck(long sinceNanos, String reason) {}

    /** Claims the client id, now and after each reconnect. Waits for the answer. */
    void identify(String clientId, long incarnation) throws jakarta.jms.JMSException;

    /** Says Close where connected, waits shortly for the answer, and ends. Idempotent. */
    void close();
}
