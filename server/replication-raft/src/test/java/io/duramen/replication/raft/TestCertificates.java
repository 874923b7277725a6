package io.duramen.replication.raft;

import io.duramen.runtime.keys.Keytool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes nodes certificates that all of one directory trust. */
final class TestCertificates {
    private final Path directory;

    /** @param names one certificate for each */
    TestCertificates(Path directory, List<String> names) throws Exception {
        this.directory = directory;
        Files.createDirectories(directory);
        for (String name : names) {
            Path store = directory.resolve(name + ".p12");
            Keytool.makeKey(store, name, "dns:" + name);
            Keytool.trust(directory.resolve("trusted.p12"), store, name);
        }
    }

    Optional<PeerTls> of(String name) {
        return Optional.of(new PeerTls(context(name)));
    }

    SSLContext context(String name) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store(name + ".p12"), Keytool.PASSWORD.toCharArray());
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(store("trusted.p12"));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private KeyStore store(String file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(directory.resolve(file))) {
            store.load(in, Keytool.PASSWORD.toCharArray());
        }
        return store;
    }
}
