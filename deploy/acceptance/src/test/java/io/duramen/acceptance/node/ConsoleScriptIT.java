package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ServerProcess;
import io.duramen.runtime.keys.Keytool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the manual: what JConsole does, with the JDK alone and nothing of ours, through remote JMX with TLS. */
class ConsoleScriptIT {
    private static final Path PROGRAM = Path.of("../docs/examples/Console.java");

    @TempDir
    private Path directory;

    private static String jdk(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    private static String indented(String text) {
        StringBuilder all = new StringBuilder();
        text.lines()
                .forEach(line ->
                        all.append(line.isEmpty() ? "" : "    ").append(line).append('\n'));
        return all.toString();
    }

    @Test
    void shouldShowTheProgramInTheManual() throws IOException {
        assertThat(Files.readString(Path.of("../docs/management.md"))).contains(indented(Files.readString(PROGRAM)));
    }

    @Test
    void shouldWorkAgainstANode() throws Exception {
        Path keys = directory.resolve("keys.p12");
        Keytool.makeKey(keys, "node", "ip:127.0.0.1");
        Path data = directory.resolve("data");
        try (ServerProcess node = ServerProcess.on(data)
                .with("management.remote", "true")
                .with("management.port", "0")
                .with("management.key-store", keys.toString())
                .with("management.key-store-password", "changeit")
                .with("management.watch-every", "100ms")
                .with("management.disk-low", "1000000TiB")
                .start()) {
            Path said = directory.resolve("said.txt");
            ProcessBuilder builder = new ProcessBuilder(
                            jdk("java"),
                            "-Djavax.net.ssl.trustStore=" + keys,
                            "-Djavax.net.ssl.trustStorePassword=changeit",
                            PROGRAM.toString(),
                            Files.readString(data.resolve("management-url")).strip(),
                            "admin",
                            "*")
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile());
            builder.environment()
                    .put(
                            "DURAMEN_PASSWORD",
                            Files.readString(data.resolve("admin-secret")).strip());
            Process console = builder.start();
            console.getOutputStream().close(); // it ends at once, as after Enter
            assertThat(console.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(said))
                    .contains("Node.ShardsLeading = 1", "Shard.State = LEADING", "Destinations.Count = 0");
            assertThat(console.exitValue()).isZero();
            assertThat(node.isRunning()).isTrue();
        }
    }
}
