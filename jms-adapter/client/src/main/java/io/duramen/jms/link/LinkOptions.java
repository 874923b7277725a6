package io.duramen.jms.link;

import java.util.List;

/** Any thread. What a link needs to know to come up and to come back. */
public record LinkOptions(List<NodeAddress> nodes, Credentials credentials, Timeouts timeouts, Reconnect reconnect) {
    public LinkOptions {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("a link needs the address of a node");
        }
    }

    /** User and password, both empty for an anonymous login. Prints without the password. */
    public record Credentials(String user, String password) {
        @Override
        public String toString() {
            return "Credentials[user=" + user + "]";
        }
    }

    /**
     * Milliseconds.
     *
     * @param connectMillis for one address: connecting, handshake and login together
     * @param requestMillis longest wait for an answer while connected; 0 waits for ever
     * @param heartbeatMillis asked of the server; 0 takes the server's own
     */
    public record Timeouts(long connectMillis, long requestMillis, long heartbeatMillis) {}

    /**
     * @param delayMillis before the second round over the addresses (the first is at once); doubles with each round
     * @param delayMaxMillis it grows to this
     * @param attemptsMax rounds after which the link gives up; 0 for no limit
     * @param timeMaxMillis after which the link gives up; 0 for no limit
     */
    public record Reconnect(
            boolean enabled, long delayMillis, long delayMaxMillis, int attemptsMax, long timeMaxMillis) {}
}
