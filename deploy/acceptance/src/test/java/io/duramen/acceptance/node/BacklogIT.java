package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ServerProcess;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More messages than the heap could hold, across a kill and a clean restart. */
class BacklogIT {
    private static final int MESSAGES = 200_000;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldDrainABacklogInOrderWhenTheNodeRestartedWithIt() throws Exception {
        try (ServerProcess server = ServerProcess.on(directory.resolve("data")).withHeap("128m")) {
            server.start();
            QueueLoad backlog = new QueueLoad(server.url(), "backlog");
            backlog.send(0, MESSAGES, 1024);
            server.kill();
            server.start();
            backlog.receive(0, MESSAGES / 2);
            assertThat(server.terminate()).as(server.output()).isZero();
            server.start();
            backlog.receive(MESSAGES / 2, MESSAGES);
            backlog.expectNothing();
        }
    }
}
