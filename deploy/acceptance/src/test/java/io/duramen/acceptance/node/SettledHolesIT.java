package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One slow message never causes a replay of the others: what was settled behind it stays so. */
class SettledHolesIT {
    private static final int MESSAGES = Integer.getInteger("holes.messages", 100_000);
    private static final long PATIENCE_MILLIS = 60_000;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldDeliverExactlyTheOneWhenAllBehindItWereSettledBeforeAKill() throws Exception {
        try (ServerProcess server = ServerProcess.on(directory.resolve("data")).withHeap("256m")) {
            server.start();
            QueueLoad load = new QueueLoad(server.url(), "holes");
            load.send(0, MESSAGES, 16);
            try (Connection connection = new DuramenConnectionFactory(server.url() + "?prefetch=0").createConnection();
                    Session slow = connection.createSession(Session.SESSION_TRANSACTED)) {
                connection.start();
                Message first = slow.createConsumer(slow.createQueue("holes")).receive(PATIENCE_MILLIS);
                assertThat(first.getIntProperty("number")).isZero();
                load.receive(1, MESSAGES);
                server.kill();
            }
            server.start();
            load.receive(0, 1);
            load.expectNothing();
        }
    }
}
