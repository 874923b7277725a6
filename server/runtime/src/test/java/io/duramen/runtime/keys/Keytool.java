package io.duramen.runtime.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Any thread. Key stores for tests of TLS, of all modules: made by the JDK's own tool, PKCS12, with one password. */
public final class Keytool {
    public static final String PASSWORD = "changeit";

    private Keytool() {}

    /**
     * Makes a key, and a certificate of it that nobody else has signed.
     *
     * @param alias also the certificate's CN
     * @param names for which it stands, as {@code dns:localhost,ip:127.0.0.1}
     */
    public static void makeKey(Path store, String alias, String names) throws Exception {
        run(store, "-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname", "CN=" + alias, "-ext", "san=" + names);
    }

    /** Puts the certificate of a key into a store of what is trusted, which is made if need be. */
    public static void trust(Path trusted, Path store, String alias) throws Exception {
        String certificate = store.resolveSibling(alias + ".cer").toString();
        run(store, "-exportcert", "-alias", alias, "-file", certificate);
        run(trusted, "-importcert", "-noprompt", "-alias", alias, "-file", certificate);
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
