package io.duramen.acceptance.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script with a Java that is missing, too old, pretended, or real. */
class StartScriptIT {
    private static final int NO_JAVA = 72;
    private static final List<String> TOOLS = List.of("dirname", "ls", "sed", "head");

    @TempDir
    private Path directory;

    @Test
    void shouldSayWhatToInstallWhenThereIsNoJava() throws Exception {
        Path tools = Files.createDirectory(directory.resolve("tools"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), find(tool));
        }
        Run run = run(Distribution.script(), Map.of("PATH", tools.toString()), "start");

        assertThat(run.exitCode()).isEqualTo(NO_JAVA);
        assertThat(run.output()).contains("no java found", "apt-get install openjdk-17");
    }

    @Test
    void shouldSayWhichVersionIsNeededWhenJavaIsTooOld() throws Exception {
        Run run = run(Distribution.script(), Map.of("JAVA_HOME", javaOfVersion("11.0.2")), "start");

        assertThat(run.exitCode()).isEqualTo(NO_JAVA);
        assertThat(run.output()).contains("is Java 11", "needs Java 17");
    }

    @Test
    void shouldSayThatJavaHomeIsWrongWhenItHoldsNoJava() throws Exception {
        Run run = run(Distribution.script(), Map.of("JAVA_HOME", directory.toString()), "start");

        assertThat(run.exitCode()).isEqualTo(NO_JAVA);
        assertThat(run.output()).contains("JAVA_HOME is " + directory);
    }

    @Test
    void shouldPassHeapOptionsAndArgumentsWhenTheyAreGiven() throws Exception {
        Map<String, String> environment = Map.of(
                "JAVA_HOME", javaOfVersion("17.0.15"), "DURAMEN_HEAP", "333m", "DURAMEN_JAVA_OPTS", "-Da=1 -Db=2");
        Run run = run(Distribution.script(), environment, "start", "--data", "a directory", "-D", "log.sync=interval");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines()).contains("-Xmx333m", "-Da=1", "-Db=2", "a directory", "log.sync=interval");
        assertThat(run.lines()).contains("-Dduramen.home=" + Distribution.home());
    }

    @Test
    void shouldFindItsHomeWhenCalledThroughALink() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("a-link"), Distribution.script());
        Run run = run(link, Map.of("JAVA_HOME", javaOfVersion("25")), "version");

        assertThat(run.lines()).contains("-Dduramen.home=" + Distribution.home());
        assertThat(run.lines()).contains("--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void shouldPrintTheVersionWhenAsked() throws Exception {
        Run run = run(Distribution.script(), Map.of("JAVA_HOME", System.getProperty("java.home")), "version");

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output()).contains(Distribution.version());
    }

    /** A java that says so of its version and else prints each argument on a line. */
    private String javaOfVersion(String version) throws IOException {
        Path bin = Files.createDirectories(directory.resolve("jdk-" + version).resolve("bin"));
        Path java = Files.writeString(
                bin.resolve("java"),
                "#!/bin/sh\nfor a in \"$@\"; do [ \"$a\" != -version ] || { echo 'openjdk version \"" + version
                        + "\" 2025-01-01' >&2; exit 0; }; done\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return bin.getParent().toString();
    }

    private static Path find(String tool) {
        for (String folder : System.getenv("PATH").split(":")) {
            Path path = Path.of(folder, tool);
            if (Files.isExecutable(path)) {
                return path;
            }
        }
        throw new IllegalStateException("no " + tool + " on the PATH");
    }

    private Run run(Path script, Map<String, String> environment, String... arguments) throws Exception {
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.command().addAll(List.of(arguments));
        builder.environment().remove("JAVA_HOME");
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    private record Run(int exitCode, String output) {
        List<String> lines() {
            return output.lines().toList();
        }
    }
}
