package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.Distribution;
import io.duramen.acceptance.process.OperatorCommand;
import io.duramen.acceptance.process.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The session of the manual: a node of this machine, looked at and changed by {@code bin/duramen}. */
class OperatorCommandsIT {
    @TempDir
    private Path directory;

    private String runs(String... arguments) throws Exception {
        return OperatorCommand.runs(directory, arguments);
    }

    @Test
    void shouldManageANodeOfThisMachine() throws Exception {
        try (ServerProcess node = ServerProcess.on(directory.resolve("data")).start()) {
            assertThat(runs("destinations", "create", "orders", "QUEUE", "--partitions", "4"))
                    .contains("done");
            runs("destinations", "create", "later", "QUEUE");
            assertThat(runs("messages", "send", "orders", "a text", "--property", "region=north"))
                    .contains("ID:");
            assertThat(runs("messages", "browse", "orders", "--selector", "region = 'north'"))
                    .contains("a text");
            assertThat(runs("messages", "move", "orders", "later", "--limit", "1000"))
                    .containsPattern("done +1");
            runs("destinations", "pause", "orders");
            assertThat(runs("--json", "destinations", "list", "--pattern", "orders"))
                    .contains("\"paused\":true", "\"partitions\":4");
            assertThat(runs("top", "--count", "1")).contains("later");
            node.kill();
            node.start();
            assertThat(runs("--json", "destinations", "list")).contains("\"paused\":true", "\"messages\":1");
        }
    }

    /** The first block of commands and answers of the manual. */
    private static List<String> session() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../docs/management.md"));
        int from = lines.indexOf("## From a shell");
        return lines.subList(from, lines.size()).stream()
                .dropWhile(line -> !line.startsWith("    $ "))
                .takeWhile(line -> line.startsWith("    "))
                .map(line -> line.substring(4))
                .toList();
    }

    /** Without what is another one each time. */
    private static List<String> steady(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("ID:[0-9a-f]{16}-", "ID:…-"))
                .toList();
    }

    @Test
    void shouldBehaveAsTheSessionOfTheManual() throws Exception {
        List<String> manual = session();
        List<String> real = new ArrayList<>();
        try (ServerProcess node = ServerProcess.on(directory.resolve("data")).start()) {
            for (String line : manual) {
                if (line.startsWith("$ ")) {
                    real.add(line);
                    real.addAll(typed(line.substring(2)));
                }
            }
            assertThat(node.isRunning()).isTrue();
        }
        assertThat(steady(real)).hasSizeGreaterThan(10).isEqualTo(steady(manual));
    }

    /** What a shell in the directory above the data says to it. */
    private List<String> typed(String line) throws Exception {
        Path output = Files.createTempFile(directory, "output", ".txt");
        String script = "duramen() { /bin/sh '" + Distribution.script() + "' \"$@\"; }\n" + line;
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        assertThat(builder.start().waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }
}
