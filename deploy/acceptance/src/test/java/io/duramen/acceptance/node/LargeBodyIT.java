package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ExampleProcess;
import io.duramen.acceptance.process.ServerProcess;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that no heap on their way could hold. */
class LargeBodyIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldPassOneGibibyteThroughSmallHeaps() throws Exception {
        pass(1024, "256m", "256m");
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldPassABodyThroughTheSmallestHeaps() throws Exception {
        pass(160, "64m", "32m");
    }

    private void pass(int lengthMib, String serverHeap, String clientHeap) throws Exception {
        try (ServerProcess server = ServerProcess.on(directory.resolve("data")).withHeap(serverHeap)) {
            server.start();
            assertThat(ExampleProcess.of("LargeBodyExample")
                            .withHeap(clientHeap)
                            .run(directory, server.url(), Integer.toString(lengthMib)))
                    .containsExactly(
                            "sent " + lengthMib + " MiB", "received numbers.bin, " + lengthMib + " MiB, the same");
            assertThat(server.terminate()).as(server.output()).isZero();
        }
    }
}
