package io.duramen.replication.raft;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How this node talks with the others of its cluster.
 *
 * @param cluster what names the cluster and who founded it, 1 to 700 characters, as an id, {@code " of "} and what the id stands for, ending with how many
 *     shards its nodes have where that is not one, and that several nodes lead where they do; nodes of another are refused. Asked from any thread: who joins learns it from the others
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
    private static final Pattern SHARDS = Pattern.compile(", with ([0-9]{1,4}) shards$");
    private static final String SEVERAL_LEAD = ", led by several";

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

    /**
     * Whether who says this is of the same cluster, with as many shards, which as many lead. Who joins one that has data knows its id,
     * and not who founded it.
     *
     * @throws IllegalArgumentException where it is but for the number of shards, or for who leads them, naming both
     */
    boolean isOfThisCluster(Greeting said) {
        String own = cluster.get();
        if (id(own).equals(id(said.cluster()))) {
            requireSame(said, "log.shards=" + shards(said.cluster()), "log.shards=" + shards(own));
            requireSame(said, "cluster.leaders=" + leaders(said.cluster()), "cluster.leaders=" + leaders(own));
        }
        boolean oneJoins = said.joining() || introduction.joining().getAsBoolean();
        return own.equals(said.cluster()) || oneJoins && id(own).equals(id(said.cluster()));
    }

    private static void requireSame(Greeting said, String theirs, String own) {
        if (!theirs.equals(own)) {
            throw new IllegalArgumentException("node '" + said.from() + "' of cluster '" + id(said.cluster()) + "' has "
                    + theirs + ", and this one has " + own + ": all nodes of a cluster have the same");
        }
    }

    /** What ends the name of a cluster whose nodes have several shards. */
    public static String withShards(int shards) {
        return shards == 1 ? "" : ", with " + shards + " shards";
    }

    /** How many shards the nodes of a cluster of that name have. */
    public static int shards(String cluster) {
        Matcher end = SHARDS.matcher(forGood(cluster));
        return end.find() ? Integer.parseInt(end.group(1)) : 1;
    }

    /** What ends, behind the shards, the name of a cluster while several nodes lead. */
    public static String ledBy(boolean several) {
        return several ? SEVERAL_LEAD : "";
    }

    /** The name without what may be otherwise once all nodes were stopped. */
    static String forGood(String cluster) {
        return cluster.endsWith(SEVERAL_LEAD)
                ? cluster.substring(0, cluster.length() - SEVERAL_LEAD.length())
                : cluster;
    }

    private static String leaders(String cluster) {
        return cluster.endsWith(SEVERAL_LEAD) ? "several" : "one";
    }

    private static String id(String cluster) {
        int end = cluster.indexOf(" of ");
        return end < 0 ? cluster : cluster.substring(0, end);
    }
}
