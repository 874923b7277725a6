package io.duramen.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@link Main} in a JVM of its own, found and ended by its own handle only. Not thread-safe. */
final class NodeProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("Duramen \\S+ ready on 127\\.0\\.0\\.1:(\\d+)");
    private static final long TIMEOUT_SECONDS = 60;

    private final Process process;
    private final Path errors;
    private int port;

    private NodeProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    /** Starts the process; what it logs goes to the file {@code log} beside the data directory. */
    static NodeProcess run(Path scratch, String... arguments) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                classPath,
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Path errors = scratch.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        return new NodeProcess(process, errors);
    }

    static NodeProcess startAndAwait(Path scratch, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "start",
                "--data",
                scratch.resolve("data").toString(),
                "--port",
                "0",
                "-D",
                "log.shards=" + System.getProperty("duramen.test.shards", "1")));
        arguments.addAll(List.of(more));
        NodeProcess node = run(scratch, arguments.toArray(String[]::new));
        BufferedReader out =
                new BufferedReader(new InputStreamReader(node.process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        Matcher matcher = READY.matcher(String.valueOf(line));
        if (!matcher.matches()) {
            node.close();
            throw new IllegalStateException("instead of being ready: " + line + "\n" + node.errors());
        }
        node.port = Integer.parseInt(matcher.group(1));
        return node;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    String errors() throws IOException {
        return java.nio.file.Files.readString(errors);
    }

    String output() throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    void input(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
    }

    void terminate() {
        process.destroy();
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("still running");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }
}
