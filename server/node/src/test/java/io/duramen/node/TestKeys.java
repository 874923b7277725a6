package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key of its own, with its certificate, for tests of TLS; password {@code changeit}. */
final class TestKeys {
    /** The one of this JVM: RMI keeps the trust that it found first. */
    private static byte[] made;

    private TestKeys() {}

    /** Puts it in a directory, in a file; it is trusted by this JVM then. */
    static synchronized Path in(Path directory) throws Exception {
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
        keytool(
                file.toString(),
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "EC",
                "-dname",
                "CN=node",
                "-ext",
                "san=" + names);
    }

    /** A key whose certificate bears the names of nodes, in {@code nodes.p12}, and who trusts it, in {@code trusted.p12}. */
    static void ofNodes(Path directory, List<String> names) throws Exception {
        String store = directory.resolve("nodes.p12").toString();
        String certificate = directory.resolve("nodes.cer").toString();
        String all = names.stream().map(name -> "dns:" + name).collect(Collectors.joining(","));
        keytool(store, "-genkeypair", "-alias", "nodes", "-keyalg", "EC", "-dname", "CN=nodes", "-ext", "san=" + all);
        keytool(store, "-exportcert", "-alias", "nodes", "-file", certificate);
        keytool(
                directory.resolve("trusted.p12").toString(),
                "-importcert",
                "-noprompt",
                "-alias",
                "nodes",
                "-file",
                certificate);
    }

    private static void keytool(String store, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(words));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store, "-storepass", "changeit"));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
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
