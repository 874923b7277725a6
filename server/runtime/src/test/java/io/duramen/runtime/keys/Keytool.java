package io.duramen.runtime.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Any thread. Key stores for tests of TLS, of all modules: made by the JDK's own tool, PKCS12, with one password. That tool is a process,
 * so a key for the same names is made once in a JVM.
 */
public final class Keytool {
    public static final String PASSWORD = "changeit";

    private static final Map<String, byte[]> MADE = new HashMap<>();

    private Keytool() {}

    /**
     * Makes a key, and a certificate of it that nobody else has signed.
     *
     * @param alias also the certificate's CN
     * @param names for which it stands, as {@code dns:localhost,ip:127.0.0.1}
     */
    public static void makeKey(Path store, String alias, String names) throws Exception {
        synchronized (MADE) {
            byte[] made = MADE.get(alias + " " + names);
            if (made != null && !Files.exists(store)) {
                Files.write(store, made);
                return;
            }
            boolean first = !Files.exists(store);
            run(
                    store,
                    "-genkeypair",
                    "-alias",
                    alias,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + alias,
                    "-ext",
                    "san=" + names);
            if (first) {
                MADE.put(alias + " " + names, Files.readAllBytes(store));
            }
        }
    }

    /** Puts the certificate of a key into a store of what is trusted, which is made if need be. */
    public static void trust(Path trusted, Path store, String alias) throws Exception {
        KeyStore all = load(trusted);
        all.setCertificateEntry(alias, load(store).getCertificate(alias));
        try (OutputStream out = Files.newOutputStream(trusted)) {
            all.store(out, PASSWORD.toCharArray());
        }
    }

    private static KeyStore load(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        if (!Files.exists(file)) {
            store.load(null, null);
            return store;
        }
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void run(Path store, String... words) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(words));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(tool.exitValue()).as(said).isZero();
    }
}
