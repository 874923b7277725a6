package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key of its own, with its certificate, for tests of TLS; password {@code changeit}. */
final class TestKeys {
    private TestKeys() {}

    /** Makes it once in a directory; it is trusted by this JVM then. */
    static Path in(Path directory) throws Exception {
        Path file = directory.resolve("keys.p12");
        if (!Files.exists(file)) {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "node",
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=localhost",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            file.toString(),
                            "-storepass",
                            "changeit")
                    .inheritIO()
                    .start();
            assertThat(keytool.waitFor()).isZero();
            trust(file);
        }
        return file;
    }

    private static void trust(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, "changeit".toCharArray());
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
