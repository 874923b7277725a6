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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's first command on machines that lack something; what it does where nothing lacks is run by {@code .ci/run}. */
class QuickstartScriptIT {
    private static final List<String> TOOLS = List.of("dirname", "basename", "sed", "find", "head", "sh");

    @TempDir
    private Path directory;

    private Path script;
    private Path tools;

    /** A checkout in which nothing is built. */
    @BeforeEach
    void checkOut() throws IOException {
        Path original = Distribution.home().resolve("../../../quickstart").normalize();
        script = Files.createDirectory(directory.resolve("deploy")).resolve("quickstart");
        Files.copy(original, script);
        tools = Files.createDirectory(directory.resolve("tools"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), find(tool));
        }
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

    private void program(String name, String says) throws IOException {
        Path file = Files.writeString(tools.resolve(name), "#!/bin/sh\necho '" + says + "'\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String fails(int status, String... arguments) throws Exception {
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", script.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.command().addAll(List.of(arguments));
        builder.environment().remove("JAVA_HOME");
        builder.environment().putAll(Map.of("PATH", tools.toString()));
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isEqualTo(status);
        return said;
    }

    @Test
    void shouldSayWhatToInstallWhenThereIsNoCompiler() throws Exception {
        program("java", "openjdk 17");
        assertThat(fails(1)).contains("no Java compiler found", "apt-get install openjdk-17-jdk-headless");
    }

    @Test
    void shouldSayWhichVersionIsNeededWhenTheCompilerIsTooOld() throws Exception {
        program("java", "openjdk 11");
        program("javac", "javac 11.0.2");
        assertThat(fails(1)).contains("is version 11", "version 17 or later");
    }

    @Test
    void shouldSayWhatToInstallWhenThereIsNoMaven() throws Exception {
        program("java", "openjdk 17");
        program("javac", "javac 17.0.15");
        assertThat(fails(1)).contains("no Maven found", "version 3.8.7 or later", "apt-get install maven");
    }

    @Test
    void shouldSayWhatItTakesWhenAnOptionIsNone() throws Exception {
        assertThat(fails(64, "--prot", "1")).contains("deploy/quickstart [--keep] [--port N] [--messages N]");
        assertThat(fails(1, "--messages", "many")).contains("--messages needs a number, not 'many'");
        assertThat(fails(1, "--port")).contains("--port needs a number");
    }
}
