package io.duramen.protocol.frame;

/** Claims a client id for this connection. Unique over the node; free again when the connection ends. */
public interface Identify {
    /**
     * @param clientId as in JMS {@code setClientID}
     * @param incarnation a random number the client keeps for its life: a claim with the incarnation of the present
     *     holder takes the id over, since that holder is the same client before it lost its connection
     */
    record Request(String clientId, long incarnation) {}

    record Response() {}
}
