package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.Distribution;
import io.duramen.runtime.ports.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cluster of the manual on one machine, by its script, in a short form. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ThreeNodesExampleIT {
    @TempDir
    private Path directory;

    private final int port = FreePorts.inARow(6);

    @AfterEach
    void stop() throws Exception {
        runs("stop");
    }

    @Test
    void shouldLoseNothingWhenTheLeaderIsKilledAndHealed() throws Exception {
        String said = runs("demo", "1");

        assertThat(said)
                .contains("led, and was killed with kill -9")
                .contains("has taken over")
                .contains("is started again")
                .containsPattern("[1-9][0-9]* orders were confirmed, [1-9][0-9]* received, each in its place")
                .contains("n1 has ended", "n2 has ended", "n3 has ended");
    }

    private String runs(String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh",
                        Distribution.home()
                                .resolve("examples/cluster/three-nodes.sh")
                                .toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.command().addAll(java.util.List.of(arguments));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("THREE_NODES_DIR", directory.resolve("nodes").toString());
        builder.environment().put("THREE_NODES_PORT", Integer.toString(port));
        Process process = builder.start();
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
