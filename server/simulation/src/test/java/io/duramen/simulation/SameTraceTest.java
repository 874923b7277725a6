package io.duramen.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SameTraceTest {
    /** Two JVMs salt their immutable sets and hash their objects differently; nothing of that may show. */
    @Test
    void shouldGiveTheSameTraceInAnotherJvmWhenTheSeedIsTheSame() throws IOException, InterruptedException {
        assertThat(hashesOfAnotherJvm()).isEqualTo(TraceProbe.hashes());
    }

    @Test
    void shouldGiveAnotherTraceWhenTheSeedIsAnother() {
        assertThat(TraceProbe.hashes().split(" ")).doesNotHaveDuplicates();
    }

    private static String hashesOfAnotherJvm() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TraceProbe.class.getName())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String hashes = "";
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                hashes = line.startsWith("hashes") ? line : hashes + line;
            }
            assertThat(process.waitFor()).as(hashes).isZero();
            return hashes;
        }
    }
}
