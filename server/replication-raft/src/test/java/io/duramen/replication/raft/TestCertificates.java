package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes nodes certificates that all of one directory trust. */
final class TestCertificates {
    private static final String PASSWORD = "secret-of-a-test";

    private final Path directory;

    /** @param names one certificate for each */
    TestCertificates(Path directory, List<String> names) throws Exception {
        this.directory = directory;
        Files.createDirectories(directory);
        for (String name : names) {
            keytool(
                    "-genkeypair",
                    "-alias",
                    name,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=dns:" + name,
                    "-validity",
                    "2",
                    "-keystore",
                    name + ".p12");
            keytool("-exportcert", "-alias", name, "-file", name + ".cer", "-keystore", name + ".p12");
            keytool("-importcert", "-noprompt", "-alias", name, "-file", name + ".cer", "-keystore", "trusted.p12");
        }
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", PASSWORD, "-storetype", "PKCS12"));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
    }

    Optional<PeerTls> of(String name) {
        return Optional.of(new PeerTls(context(name)));
    }

    SSLContext context(String name) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store(name + ".p12"), PASSWORD.toCharArray());
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
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
