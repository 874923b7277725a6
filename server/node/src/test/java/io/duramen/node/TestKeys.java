package io.duramen.node;

import io.duramen.runtime.keys.Keytool;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key of its own, with its certificate, for tests of TLS; password {@code changeit}. */
public final class TestKeys {
    /** The one of this JVM: RMI keeps the trust that it found first. */
    private static byte[] made;

    private TestKeys() {}

    /** Puts it in a directory, in a file; it is trusted by this JVM then. */
    public static synchronized Path in(Path directory) throws Exception {
        Path file = directory.resolve("keys.p12");
        if (made == null) {
            make(file, "dns:localhost,ip:127.0.0.1");
            trust(file);
            made = Files.readAllBytes(file);
        }
        return Files.write(file, made);
    }

    /** @param names for which it stands, as {@code dns:localhost} */
    static void make(Path file, String names) throws Exception {
        Keytool.makeKey(file, "node", names);
    }

    /** A key whose certificate bears the names of nodes, in {@code nodes.p12}, and who trusts it, in {@code trusted.p12}. */
    static void ofNodes(Path directory, List<String> names) throws Exception {
        Path store = directory.resolve("nodes.p12");
        Keytool.makeKey(
                store, "nodes", names.stream().map(name -> "dns:" + name).collect(Collectors.joining(",")));
        Keytool.trust(directory.resolve("trusted.p12"), store, "nodes");
    }

    private static void trust(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, Keytool.PASSWORD.toCharArray());
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("node", store.getCertificate("node"));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        SSLContext.setDefault(context);
    }
}
