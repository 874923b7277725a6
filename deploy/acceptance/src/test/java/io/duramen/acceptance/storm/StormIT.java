package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.history.Report;
import io.duramen.acceptance.process.ServerProcess;
import io.duramen.acceptance.process.StormSeed;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills the server a few times in every build, fifty times with the profile {@code storm}. */
class StormIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseWhenTheServerIsKilledUnderLoad() throws Exception {
        int kills = Integer.getInteger("storm.kills", 5);
        long seed = StormSeed.next();
        String name = "storm of " + kills + " kills, seed " + seed;
        Report report;
        // What is rolled back comes again at once and in its place, however often: the checker knows no other order.
        try (ServerProcess server = ServerProcess.on(directory.resolve("data"))
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay", "0s")) {
            report = new Storm(server, seed).run(Rounds.times(kills));
            System.out.println(name + "\n" + report);
            assertThat(server.terminate()).as(name + ": exit code").isZero();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(name + ": " + e.getMessage(), e);
        }
        assertThat(report.isClean()).as(name + "\n" + report).isTrue();
    }
}
