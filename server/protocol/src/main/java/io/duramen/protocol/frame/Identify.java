package io.duramen.protocol.frame;

/**
 * Claims a client id for this connection, or a name that the client made up for itself. Unique over the node; free again when
 * the connection ends.
 */
public interface Identify {
    /** Begins the names that clients make up, so that what they lost on one connection ends before they go on on the next. */
    String MADE_UP = "\u0001";

    /**
     * @param clientId as in JMS {@code setClientID}; with {@link #MADE_UP} before it none, but a name of the connection alone
     * @param incarnation a random number the client keeps for its life: a claim with the incarnation of the present
     *     holder takes the id over, since that holder is the same client before it lost its connection
     */
    record Request(String clientId, long incarnation) {}

    record Response() {}
}
