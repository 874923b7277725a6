package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node of a cluster as the others reach it. Immutable.
 *
 * @param name by which it is known, and which its certificate bears; letters, digits, dots and hyphens
 * @param host an address or a host name
 * @param port for the replicas' talk with each other
 */
public record RaftPeer(String name, String host, int port) {
    private static final Pattern TEXT = Pattern.compile("([^@:]{1,63})@([^@:]{1,255}):([0-9]{1,5})");

    public RaftPeer {
        if (!name.matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?")) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no name of a node: letters, digits, dots and hyphens," + " at most 63 of them");
        }
        if (host.isBlank() || host.indexOf(':') >= 0 || host.indexOf('@') >= 0 || port < 1 || port > 65_535) {
            throw new IllegalArgumentException("'" + host + ":" + port + "' is no address of a node");
        }
    }

    /**
     * Of a text as {@link #toString} makes it.
     *
     * @throws IllegalArgumentException where that is none
     */
    public static RaftPeer parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no NAME@HOST:PORT");
        }
        return new RaftPeer(parts.group(1), parts.group(2), Integer.parseInt(parts.group(3)));
    }

    /** @throws IllegalArgumentException where that is nobody whom {@link #toEngine} has named */
    static RaftPeer of(PeerId peer) {
        return parse(peer.getIp() + ":" + peer.getPort());
    }

    /** With the name in it: so whoever knows the members of a group, from its log, knows their names. */
    PeerId toEngine() {
        return new PeerId(name + "@" + host, port);
    }

    /** {@code NAME@HOST:PORT}. */
    @Override
    public String toString() {
        return name + "@" + host + ":" + port;
    }
}
