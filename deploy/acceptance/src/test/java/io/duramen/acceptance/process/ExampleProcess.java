package io.duramen.acceptance.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An example as a reader would run it: its own JVM, the distribution's jars. */
public final class ExampleProcess {
    private static final long MINUTES_MAX = 4;

    private final String name;
    private String heap = "256m";

    private ExampleProcess(String name) {
        this.name = name;
    }

    public static ExampleProcess of(String name) {
        return new ExampleProcess(name);
    }

    /** @param size as -Xmx takes it */
    public ExampleProcess withHeap(String size) {
        heap = size;
        return this;
    }

    /**
     * Runs it until it has ended well.
     *
     * @param directory for what it says
     * @return the lines it printed
     */
    public List<String> run(Path directory, String... arguments) throws IOException, InterruptedException {
        Path home = Distribution.home();
        Path output = directory.resolve(name + ".out");
        Path errors = directory.resolve(name + ".err");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-cp",
                        home.resolve("examples") + "/*:" + home.resolve("lib") + "/*",
                        "io.duramen.examples." + name)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.command().addAll(List.of(arguments));
        Process process = builder.start();
        boolean ended = process.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
        process.destroyForcibly();
        String said =
                Files.readString(output, StandardCharsets.UTF_8) + Files.readString(errors, StandardCharsets.UTF_8);
        assertThat(ended).as(name + " did not end; it said:\n" + said).isTrue();
        assertThat(process.exitValue()).as(name + " said:\n" + said).isZero();
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }
}
