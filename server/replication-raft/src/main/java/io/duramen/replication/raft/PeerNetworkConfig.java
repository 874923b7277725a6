package io.duramen.replication.raft;

import com.alipay.sofa.jraft.util.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * How this node talks with the others of its cluster. Immutable.
 *
 * @param cluster what names the cluster and all that has to be agreed on, 1 to 700 characters; nodes of another are refused
 * @param self this node; it listens at this address
 * @param peers whom it lets in and whom it calls; with itself or without
 * @param tls empty for none
 * @param plain whether to go without TLS where others than this machine can listen, too
 * @param frameMaxBytes longest frame; longer than any entry
 * @param introduction what it says of itself besides
 */
public record PeerNetworkConfig(
        String cluster,
        RaftPeer self,
        List<RaftPeer> peers,
        Optional<PeerTls> tls,
        boolean plain,
        int frameMaxBytes,
        Introduction introduction) {
    private static final int CLUSTER_LENGTH_MAX = 700;

    /** Long enough for every entry. */
    public static final int FRAME_BYTES_DEFAULT = 256 << 20;

    public PeerNetworkConfig {
        peers = List.copyOf(peers);
        if (cluster.isEmpty() || cluster.length() > CLUSTER_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "a cluster id of " + cluster.length() + " characters, not 1 to " + CLUSTER_LENGTH_MAX);
        }
        if (frameMaxBytes < PeerFrame.GREETING_MAX) {
            throw new IllegalArgumentException("frames of " + frameMaxBytes + " bytes at most");
        }
    }

    public PeerNetworkConfig(String cluster, RaftPeer self, List<RaftPeer> peers, Optional<PeerTls> tls) {
        this(cluster, self, peers, tls, false, FRAME_BYTES_DEFAULT, Introduction.NONE);
    }

    /** @throws IOException where it would listen in the open without having been told so */
    void requireSafe() throws IOException {
        if (tls.isEmpty() && !plain && !InetAddress.getByName(self.host()).isLoopbackAddress()) {
            throw new IOException(
                    "Node " + self.name() + " would talk with others at " + self.host() + ":" + self.port()
                            + " without TLS, where anybody on the way may read and change what is replicated. Give it a"
                            + " certificate, or say that plain connections are meant");
        }
    }

    Optional<RaftPeer> peer(String name) {
        return peers.stream().filter(peer -> peer.name().equals(name)).findFirst();
    }

    Optional<RaftPeer> peer(Endpoint endpoint) {
        return peers.stream()
                .filter(peer -> peer.toEngine().getEndpoint().equals(endpoint))
                .findFirst();
    }
}
