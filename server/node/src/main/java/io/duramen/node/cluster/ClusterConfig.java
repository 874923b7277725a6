package io.duramen.node.cluster;

import io.duramen.runtime.settings.Bytes;
import io.duramen.runtime.settings.Secret;
import io.duramen.runtime.settings.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Settings under {@code cluster.}. */
public record ClusterConfig(
        @Setting(
                value = "",
                doc = "Id of the cluster: 1 to 100 letters, digits, dots, hyphens and underscores. Nodes of another are"
                        + " refused. Needed where cluster.nodes is set.")
        String id,

        @Setting(
                value = "",
                doc = "The nodes that begin the cluster, 3, 5 or 7, each as NAME@HOST:PORT with the port for the nodes'"
                        + " talk with each other; the same on every node. This node is the one that node.name names."
                        + " Once the cluster has formed, the nodes keep who belongs to it beside their logs, and that"
                        + " counts: see cluster add, remove and replace. Afterwards these settings may name whoever"
                        + " ever belonged to it, at the same address, and nobody else. Empty for a node by itself.")
        List<String> nodes,

        @Setting(
                value = "1s",
                min = "100ms",
                max = "60s",
                doc = "Without a word from the leader for this long, up to twice that, the other nodes choose another.")
        Duration electionTimeout,

        @Setting(
                value = "one",
                doc =
                        "Which nodes lead shards: one = one node leads all, and clients go there; several = each leads some, and"
                                + " clients go to any. The same on every node, all of which are stopped to change it:"
                                + " nodes that differ refuse each other.")
        Leaders leaders,

        @Setting(
                value = "0",
                max = "7",
                doc = "A persistent message is confirmed once so many nodes have it on disk, the one that leads among"
                        + " them. While fewer are in sync, what producers send is refused, and consuming goes on. At"
                        + " least a majority, which 0 stands for; the same on every node.")
        int minInSync,

        @Setting(
                value = "false",
                doc =
                        "Set at the first start of a node on an empty directory where the cluster has data already: of one"
                                + " that is added, in place of a node whose directory is lost, or where a node by itself grows"
                                + " into a cluster. It copies what the others have before it takes part; all of them have to"
                                + " run, but for one that is added, which needs the one that leads."
                                + " Ignored on a directory that has been in the cluster.")
        boolean join,

        @Setting(
                value = "false",
                doc = "Set at the first start, as one of a cluster, of a node that has data as a node by itself: the"
                        + " others, which have cluster.join, copy it, and this one serves once a majority has it."
                        + " Ignored afterwards.")
        boolean grow,

        @Setting(
                value = "",
                doc =
                        "UNSAFE. Where so many nodes are lost for good, with their directories, that no majority will ever be"
                                + " there again: the names of all other nodes, set at one start of the node that is left. It goes"
                                + " on as the only one of the cluster with what it has; what was confirmed and only the others had"
                                + " is lost. Refused while one of them answers. The lost nodes must never run again: they would"
                                + " serve beside this one. Ignored once they are no members any more.")
        List<String> recoverWithout,

        @Setting(
                value = "64MiB",
                min = "64KiB",
                doc = "A node that was away for so long that the others have deleted what it lacks copies log and"
                        + " state of the leader, at most so much in a second.")
        Bytes catchUpRate,

        @Setting(
                value = "",
                doc = "HOST:PORT at which clients reach this node, told to those that ask a node that does not lead."
                        + " Empty for the host that cluster.nodes has of it, and network.port.")
        String clientAddress,

        @Setting(
                value = "",
                doc = "HOST:PORT at which this node listens for the others, where that is not what cluster.nodes has of"
                        + " it: behind forwarded ports, or in a container. Empty for what cluster.nodes has.")
        String listenAddress,

        @Setting(
                value = "",
                doc = "PKCS#12 file with key and certificate of this node for its talk with the others; a DNS name"
                        + " in the certificate has to be the node's name.")
        Path keyStore,

        @Setting(value = "", doc = "Password of that file.") Secret keyStorePassword,

        @Setting(
                value = "",
                doc = "PKCS#12 file with the certificates, or those of who signed them, that the other nodes are"
                        + " trusted by.")
        Path trustStore,

        @Setting(value = "", doc = "Password of that file.") Secret trustStorePassword,

        @Setting(
                value = "false",
                doc = "Whether the nodes talk without TLS beyond loopback, too, where anybody on the way may read"
                        + " and change what is replicated. A node without a certificate refuses to start"
                        + " otherwise.")
        boolean plain) {
    private static final String ID = "[A-Za-z0-9._-]{0,100}";

    /** Which nodes lead shards. */
    public enum Leaders {
        ONE,
        SEVERAL
    }

    /** @throws IllegalArgumentException where settings contradict each other */
    public ClusterConfig {
        nodes = List.copyOf(nodes);
        recoverWithout = List.copyOf(recoverWithout);
        if (!id.matches(ID)) {
            throw new IllegalArgumentException(
                    "cluster.id='" + id + "': 1 to 100 letters, digits, dots, hyphens and underscores are allowed");
        }
        if (nodes.isEmpty() != id.isEmpty()) {
            throw new IllegalArgumentException("cluster.id and cluster.nodes are set together, or neither: "
                    + (id.isEmpty() ? "cluster.id" : "cluster.nodes") + " is empty");
        }
        if (isSet(keyStore) != isSet(trustStore)) {
            throw new IllegalArgumentException(
                    "cluster.key-store and cluster.trust-store are set together, or neither: "
                            + (isSet(keyStore) ? "cluster.trust-store" : "cluster.key-store") + " names no file");
        }
    }

    /** Whether this node is one of a cluster. */
    public boolean isOn() {
        return !nodes.isEmpty();
    }

    boolean hasTls() {
        return isSet(keyStore);
    }

    private static boolean isSet(Path file) {
        return !file.toString().isEmpty();
    }
}
