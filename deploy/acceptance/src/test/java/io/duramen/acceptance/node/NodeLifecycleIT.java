package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.duramen.acceptance.process.Distribution;
import io.duramen.acceptance.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, stopping and refusing to start. */
class NodeLifecycleIT {
    private static final int IN_USE = 73;
    private static final int CONFIGURATION = 78;

    @TempDir
    private Path directory;

    private ServerProcess server;

    @BeforeEach
    void prepare() {
        server = ServerProcess.on(directory.resolve("data"));
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void shouldExitWithZeroAndLoseNothingWhenTerminated() throws Exception {
        server.start();
        new QueueLoad(server.url(), "orders").send(0, 1_000, 100);

        assertThat(server.terminate()).as(server.output()).isZero();
        server.start();
        new QueueLoad(server.url(), "orders").receive(0, 1_000);
        new QueueLoad(server.url(), "orders").expectNothing();
    }

    @Test
    void shouldStopWhenTheStopCommandSaysSo() throws Exception {
        server.start();
        Process stop = new ProcessBuilder(
                        Distribution.script().toString(),
                        "stop",
                        "--data",
                        server.data().toString())
                .inheritIO()
                .start();

        assertThat(stop.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(stop.exitValue()).isZero();
        assertThat(server.isRunning()).isFalse();
    }

    @Test
    void shouldRefuseADataDirectoryWhenAnotherNodeUsesIt() throws Exception {
        server.start();
        try (ServerProcess second = ServerProcess.on(server.data())) {
            assertThat(second.startAndFail()).as(second.output()).isEqualTo(IN_USE);
            assertThat(second.output()).contains("in use");
        }
        new QueueLoad(server.url(), "orders").send(0, 1, 1);
    }

    @Test
    void shouldRefuseASettingWhenItIsUnknown() throws Exception {
        server.with("log.synk", "always");

        assertThat(server.startAndFail()).as(server.output()).isEqualTo(CONFIGURATION);
        assertThat(server.output()).contains("log.synk");
    }

    @Test
    void shouldRefuseToListenElsewhereWhenAnyoneMayConnect() throws Exception {
        server.with("network.host", "0.0.0.0");

        assertThat(server.startAndFail()).as(server.output()).isEqualTo(CONFIGURATION);
        assertThat(server.output()).contains("anonymous");
    }

    @Test
    void shouldKeepSecretsToTheOwnerWhenItStartsForTheFirstTime() throws Exception {
        server.start();
        try (Stream<Path> files = Files.walk(server.data(), 1)) {
            assertThat(files.filter(file -> file.getFileName().toString().contains("secret")))
                    .singleElement()
                    .satisfies(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    /** Where the system tells: nice is the 19th word of a thread's stat, behind its name in parentheses. */
    @Test
    void shouldHaveCompilersYieldAndSayNothingOfIt() throws Exception {
        server.start();
        Path threads = Path.of("/proc", String.valueOf(server.pid()), "task");
        assumeTrue(Files.isDirectory(threads));
        List<String> compilers = new ArrayList<>();
        try (Stream<Path> each = Files.list(threads)) {
            for (Path thread : each.toList()) {
                String stat = statOf(thread);
                if (stat.contains(" CompilerThre")) {
                    compilers.add(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
                }
            }
        }
        assertThat(compilers).isNotEmpty().containsOnly("5");
        assertThat(server.output()).doesNotContainIgnoringCase("warning");
    }

    /** Nothing of a thread that has ended meanwhile. */
    private static String statOf(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException e) {
            return "";
        }
    }
}
