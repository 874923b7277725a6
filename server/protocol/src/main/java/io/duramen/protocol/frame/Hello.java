package io.duramen.protocol.frame;

/** The first request on a connection: agrees on a version and tells the limits. */
public interface Hello {
    /**
     * @param magic {@link io.duramen.protocol.Protocol#MAGIC}
     * @param versionMin oldest version the client speaks
     * @param versionMax newest version the client speaks
     * @param clientName product and version, for logs
     * @param heartbeatMillis the client sends something at least this often, and expects the same; 0 asks for the
     *     server's own interval
     */
    record Request(int magic, int versionMin, int versionMax, String clientName, int heartbeatMillis) {}

    /**
     * @param version what both sides speak from here on
     * @param nodeName the node's configured name
     * @param frameLengthMax longest frame the server accepts or sends, in bytes, counted from behind the length field
     * @param inFlightMax most requests that may wait for an answer at a time; past it the server stops reading
     * @param heartbeatMillis each side sends something at least this often; silence of twice that ends the connection
     * @param anonymousAllowed whether Authenticate with an empty user is accepted
     * @param shards how many the node has, numbered from 0
     */
    record Response(
            int version,
            String nodeName,
            int frameLengthMax,
            int inFlightMax,
            int heartbeatMillis,
            boolean anonymousAllowed,
            int shards) {}
}
