package io.duramen.acceptance.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What an operator types at a machine on which a node runs. Any thread. */
public final class OperatorCommand {
    private OperatorCommand() {}

    /**
     * Runs {@code bin/duramen} with these arguments for the node whose data are in {@code data} of the directory.
     *
     * @return what it printed; a command that fails, or takes longer than a minute, fails the test
     */
    public static String runs(Path directory, String... arguments) throws IOException, InterruptedException {
        return runsOn(directory.resolve("data"), directory, arguments);
    }

    /** The same for a node whose data are in {@code data}; what it prints goes through a file in the other directory. */
    public static String runsOn(Path data, Path directory, String... arguments)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", Distribution.script().toString(), "--data", data.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
