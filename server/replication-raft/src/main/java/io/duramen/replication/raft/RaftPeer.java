package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;

/**
 * A node of a cluster as the others reach it. Immutable.
 *
 * @param name by which it is known, and which its certificate bears; letters, digits, dots and hyphens
 * @param host an address or a host name
 * @param port for the replicas' talk with each other
 */
public record RaftPeer(String name, String host, int port) {
    public RaftPeer {
        if (!name.matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?")) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no name of a node: letters, digits, dots and hyphens," + " at most 63 of them");
        }
        if (host.isBlank() || host.indexOf(':') >= 0 || port < 1 || port > 65_535) {
            throw new IllegalArgumentException("'" + host + ":" + port + "' is no address of a node");
        }
    }

    PeerId toEngine() {
        return new PeerId(host, port);
    }
}
