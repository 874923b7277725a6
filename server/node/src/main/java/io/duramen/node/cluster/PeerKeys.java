package io.duramen.node.cluster;

import io.duramen.replication.raft.PeerTls;
import io.duramen.runtime.settings.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Reads the key of this node, and whom it trusts, from the files that the settings name. Stateless. */
final class PeerKeys {
    private PeerKeys() {}

    /** @throws IOException where they cannot be used; the message names setting and file */
    static PeerTls of(ClusterConfig config) throws IOException {
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
}
