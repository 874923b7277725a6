package io.duramen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.node.Duramen;
import io.duramen.runtime.keys.Keytool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line, as a process of its own, against the remote JMX of a node: whose certificate it takes. */
@Timeout(120)
class RemoteTlsTest {
    @TempDir
    private Path directory;

    private String said;

    private static String java(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    private int runs(List<String> command) throws Exception {
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        Path secret = directory.resolve("data/admin-secret");
        builder.environment()
                .put(
                        "DURAMEN_PASSWORD",
                        Files.exists(secret) ? Files.readString(secret).strip() : "");
        builder.environment().put("DURAMEN_TRUST_PASSWORD", "changeit");
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        said = Files.readString(output);
        return process.exitValue();
    }

    private Path keys(String names) throws Exception {
        Path file = directory.resolve("keys.p12");
        Keytool.makeKey(file, "node", names);
        return file;
    }

    private Duramen node(Path keys) throws Exception {
        Path data = directory.resolve("data");
        return Duramen.embedded()
                .dataDirectory(data)
                .setting("management.remote", "true")
                .setting("management.port", "0")
                .setting("management.key-store", keys.toString())
                .setting("management.key-store-password", "changeit")
                .start();
    }

    private int asks(Path keys, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(java("java"), "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Main.class.getName(), "--user", "admin"));
        command.addAll(List.of(
                "--url",
                Files.readString(directory.resolve("data/management-url")).strip()));
        command.addAll(List.of("--trust-store", keys.toString()));
        command.addAll(List.of(more));
        command.addAll(List.of("destinations", "list"));
        return runs(command);
    }

    @Test
    void shouldTakeACertificateThatNamesTheHost() throws Exception {
        Path keys = keys("ip:127.0.0.1");
        try (Duramen node = node(keys)) {
            assertThat(node.port()).isPositive();
            assertThat(asks(keys)).as(said).isZero();
            assertThat(said).contains("none");
        }
    }

    @Test
    void shouldTakeOneThatNamesAnotherOnlyWhenToldTo() throws Exception {
        Path keys = keys("dns:elsewhere.example");
        try (Duramen node = node(keys)) {
            assertThat(node.port()).isPositive();
            assertThat(asks(keys)).isEqualTo(70);
            assertThat(said).contains("No subject alternative names matching IP address 127.0.0.1");
            assertThat(asks(keys, "--any-host-name")).as(said).isZero();
        }
    }
}
