package io.duramen.protocol.frame;

/** Makes a temporary destination that is deleted when this connection ends. Answered as ResolveDestination is. */
public interface CreateTemporary {
    /**
     * @param kind a temporary kind
     * @param name chosen by the client, so that it can make the same one again after it lost its connection; begins with
     *     {@code temp.}; made anew where absent, taken over where the same connection incarnation made it
     * @param incarnation see {@link Identify.Request#incarnation}
     */
    record Request(DestinationKind kind, String name, long incarnation) {}
}
