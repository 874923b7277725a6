package io.duramen.node.cluster;

import io.duramen.log.LogConfig;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.shard.Logs;
import io.duramen.replication.ReplicatedLog;
import io.duramen.replication.raft.Introduction;
import io.duramen.replication.raft.PeerNetwork;
import io.duramen.replication.raft.PeerNetworkConfig;
import io.duramen.replication.raft.PeerTls;
import io.duramen.replication.raft.RaftConfig;
import io.duramen.replication.raft.RaftLog;
import io.duramen.replication.raft.RaftPeer;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.FileDisk;
import io.duramen.runtime.settings.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The cluster that this node is one of: its talk with the others, and the replicas' logs. */
public final class Cluster implements Logs {
    private final Membership membership;
    private final DataDirectory directory;
    private final ClusterFile file;
    private final List<RaftPeer> peers;
    private final PeerNetwork network;

    /** The one of shard 0, which leads where this node does; null before it was made. */
    private volatile RaftLog log;

    private Cluster(Membership membership, DataDirectory directory, ClusterFile file, PeerNetwork network) {
        this.membership = membership;
        this.directory = directory;
        this.file = file;
        this.network = network;
        this.peers = peers(membership);
    }

    /**
     * Checks the directory, and listens for the other nodes.
     *
     * @throws IOException where the directory is another node's, key or certificates cannot be had, or the address cannot be bound
     */
    public static Cluster open(Membership membership, DataDirectory directory) throws IOException {
        // First, as it may be wrong: the file binds the directory to what the settings say.
        Optional<PeerTls> tls = membership.config().hasTls() ? Optional.of(tls(membership.config())) : Optional.empty();
        ClusterFile file = ClusterFile.open(directory, membership);
        PeerNetwork network = PeerNetwork.open(new PeerNetworkConfig(
                membership.text(),
                peer(membership.self()),
                peers(membership),
                tls,
                membership.config().plain(),
                PeerNetworkConfig.FRAME_BYTES_DEFAULT,
                new Introduction(file.directoryId(), membership.clientAddress(), file::met)));
        return new Cluster(membership, directory, file, network);
    }

    private static List<RaftPeer> peers(Membership membership) {
        return membership.nodes().stream().map(Cluster::peer).toList();
    }

    private static RaftPeer peer(Membership.Member node) {
        return new RaftPeer(node.name(), node.host(), node.port());
    }

    private static PeerTls tls(ClusterConfig config) throws IOException {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(
                    store("cluster.key-store", config.keyStore(), config.keyStorePassword()),
                    config.keyStorePassword().reveal().toCharArray());
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(store("cluster.trust-store", config.trustStore(), config.trustStorePassword()));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
            return new PeerTls(context);
        } catch (GeneralSecurityException e) {
            throw new IOException("cluster.key-store or cluster.trust-store cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore store(String setting, Path path, Secret password) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.reveal().toCharArray());
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException(setting + "=" + path + " cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public void requireFit(DataDirectory any) {
        // That was checked when this was opened.
    }

    @Override
    public ReplicatedLog open(int shard, FileDisk disk, Clock clock, LogConfig config, Runnable wake) {
        RaftConfig raft = new RaftConfig(
                "shard-" + shard,
                peer(membership.self()),
                peers,
                membership.config().electionTimeout());
        RaftLog made = new RaftLog(
                disk, clock, config, new SecureRandom().nextInt(), network.place(raft, directory.log(shard)));
        made.onDue(wake);
        log = made;
        return made;
    }

    @Override
    public boolean areReplicated() {
        return true;
    }

    /** Where a client that was refused here goes, for people and programs; see {@link io.duramen.protocol.Redirect}. */
    public Optional<String> leaderAddress() {
        RaftLog now = log;
        return now == null
                ? Optional.empty()
                : now.leader()
                        .filter(leader ->
                                !leader.name().equals(membership.self().name()))
                        .flatMap(leader -> file.clientAddress(leader.name()));
    }

    @Override
    public void close() {
        network.close();
    }
}
