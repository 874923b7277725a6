package io.duramen.replication.raft;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How this node talks with the others of its cluster.
 *
 * @param cluster what names the cluster and who founded it, 1 to 700 characters, as an id, {@code " of "} and what the id stands for; nodes
 *     of another are refused. Asked from any thread: who joins learns it from the others
 * @param self this node, as the others reach it
 * @param roster whom it lets in and whom it calls; with itself or without
 * @param tls empty for none
 * @param listening where it listens for them
 * @param frameMaxBytes longest frame; longer than any entry
 * @param introduction what it says of itself besides
 */
public record PeerNetworkConfig(
        Supplier<String> cluster,
        RaftPeer self,
        Roster roster,
        Optional<PeerTls> tls,
        Listening listening,
        int frameMaxBytes,
        Introduction introduction) {
    private static final int CLUSTER_LENGTH_MAX = 700;

    /** Long enough for every entry. */
    public static final int FRAME_BYTES_DEFAULT = 256 << 20;

    /**
     * Where this node listens for the others.
     *
     * @param host name or address of this machine
     * @param plain whether to go without TLS where others than this machine can listen, too
     */
    public record Listening(String host, int port, boolean plain) {
        /** Where the others reach it. */
        static Listening at(RaftPeer self) {
            return new Listening(self.host(), self.port(), false);
        }
    }

    public PeerNetworkConfig {
        int length = cluster.get().length();
        if (length == 0 || length > CLUSTER_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "a cluster id of " + length + " characters, not 1 to " + CLUSTER_LENGTH_MAX);
        }
        if (frameMaxBytes < PeerFrame.GREETING_MAX) {
            throw new IllegalArgumentException("frames of " + frameMaxBytes + " bytes at most");
        }
    }

    public PeerNetworkConfig(String cluster, RaftPeer self, List<RaftPeer> peers, Optional<PeerTls> tls) {
        this(() -> cluster, self, Roster.of(peers), tls, Listening.at(self), FRAME_BYTES_DEFAULT, Introduction.NONE);
    }

    /** @throws IOException where it would listen, or be reached, in the open without having been told so */
    void requireSafe() throws IOException {
        if (tls.isEmpty() && !listening.plain()) {
            requireLoopback(listening.host(), listening.port());
            requireLoopback(self.host(), self.port());
        }
    }

    private void requireLoopback(String host, int port) throws IOException {
        if (!InetAddress.getByName(host).isLoopbackAddress()) {
            throw new IOException("Node " + self.name() + " would talk with others at " + host + ":" + port
                    + " without TLS, where anybody on the way may read and change what is replicated. Give it a"
                    + " certificate, or say that plain connections are meant");
        }
    }

    /** Whether who says this is of the same cluster. Who joins one that has data knows its id, and not who founded it. */
    boolean isOfThisCluster(Greeting said) {
        String own = cluster.get();
        boolean oneJoins = said.joining() || introduction.joining().getAsBoolean();
        return own.equals(said.cluster()) || oneJoins && id(own).equals(id(said.cluster()));
    }

    private static String id(String cluster) {
        int end = cluster.indexOf(" of ");
        return end < 0 ? cluster : cluster.substring(0, end);
    }
}
