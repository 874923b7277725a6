package io.duramen.acceptance.process;

import io.duramen.runtime.ports.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A node started by the distribution's {@code bin/duramen} on loopback. Used by one thread, but for what says otherwise. The process is found and ended
 * by its own handle only; {@link #close} kills what still runs, as does the end of the test JVM.
 */
public final class ServerProcess implements AutoCloseable, Victim {
    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 60;

    private final Path data;
    private final Map<String, String> settings = new TreeMap<>();
    private String heap = "512m";
    private String options = "";
    private final Map<String, String> environment = new TreeMap<>();
    private volatile int port;
    private volatile Process process;
    private volatile ServerOutput output;

    private ServerProcess(Path data) {
        this.data = data;
    }

    /** A node that is not running yet, with its data in that directory. */
    public static ServerProcess on(Path data) {
        return new ServerProcess(data)
                .with("security.password-iterations", "10000") // where nothing is said the first start takes long
                .with("log.shards", System.getProperty("duramen.test.shards", "1"));
    }

    /** Before {@link #start}. */
    public ServerProcess with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Before {@link #start}. @param size as -Xmx takes it */
    public ServerProcess withHeap(String size) {
        heap = size;
        return this;
    }

    /** Before {@link #start}. */
    ServerProcess withEnvironment(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    /** Before {@link #start}. The node can be halted at a {@link NodeStep}. */
    public ServerProcess withSteps() {
        options = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";
        return this;
    }

    /**
     * {@code kill -9} at that step, when a thread has come to it so many times; returns when the process is gone. Needs
     * {@link #withSteps}.
     *
     * @throws IllegalStateException where none comes there
     */
    public void killAt(NodeStep step, int times) throws IOException, InterruptedException {
        try (Halt halt = Halt.attach(output.debugPort())) {
            halt.at(step, times);
            kill();
        }
    }

    /**
     * Starts the node and returns when it has said that it is ready. The first start takes a free port, later ones the
     * same again.
     */
    public ServerProcess start() throws IOException, InterruptedException {
        launch();
        return awaitReady();
    }

    /** Returns once a node that was {@link #launch launched} is ready. */
    ServerProcess awaitReady() throws InterruptedException {
        try {
            output.ready().get(START_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            String said = output.toString();
            kill();
            throw new IllegalStateException("not ready within " + START_SECONDS + " s; it said:\n" + said, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("ended before it was ready; it said:\n" + output, e);
        }
        return this;
    }

    /** Starts the node in the expectation that it refuses; returns its exit code. What it said is {@link #output()}. */
    public int startAndFail() throws IOException, InterruptedException {
        launch();
        if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException("still running after " + START_SECONDS + " s; it said:\n" + output);
        }
        output.awaitEnd();
        return process.exitValue();
    }

    /** Starts the node as {@link #start} does, and waits for nothing. */
    void launch() throws IOException, InterruptedException {
        if (port == 0) {
            port = FreePorts.inARow(1);
        }
        List<String> command = new ArrayList<>(List.of(
                Distribution.script().toString(),
                "start",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port)));
        settings.forEach((key, value) -> command.addAll(List.of("-D", key + "=" + value)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("DURAMEN_HEAP", heap);
        builder.environment().putAll(environment);
        builder.environment().put("DURAMEN_JAVA_OPTS", (options + " " + StartArchive.options()).strip());
        Process started = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        output = new ServerOutput(started); // first: who sees the process is to see its output
        process = started;
    }

    /**
     * Runs another of the script's commands on the data of this node, which does not run; returns what it printed.
     *
     * @throws IllegalStateException where it fails
     */
    public List<String> command(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Distribution.script().toString()));
        command.addAll(List.of(words));
        command.addAll(List.of("--data", data.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process running = builder.start();
        List<String> lines = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (running.waitFor() != 0) {
            throw new IllegalStateException(command + " ended with " + running.exitValue() + ": " + lines);
        }
        return lines;
    }

    /** {@code kill -9}; returns when the process is gone. */
    public void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        start();
    }

    @Override
    public void killAndReturn() throws IOException, InterruptedException {
        kill();
        start();
    }

    /** SIGSTOP: it does nothing until {@link #goOn}. */
    public void halt() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    public void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + code);
        }
    }

    /** SIGTERM; waits for nothing. */
    void endInOrder() {
        process.toHandle().destroy();
    }

    /** SIGTERM; returns the exit code. */
    public int terminate() throws InterruptedException {
        endInOrder();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException("still running " + STOP_SECONDS + " s after SIGTERM; it said:\n" + output);
        }
        output.awaitEnd();
        return process.exitValue();
    }

    /** Whether it runs and has said that it is ready; from any thread. */
    boolean isReady() {
        return isRunning() && output.ready().isDone() && !output.ready().isCompletedExceptionally();
    }

    public boolean isRunning() {
        return process != null && process.isAlive();
    }

    @Override
    public String url() {
        return "duramen://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public Path data() {
        return data;
    }

    /** The last lines that are no warnings. */
    String infos() {
        return output == null ? "" : output.infos();
    }

    @Override
    public String output() {
        return output == null ? "" : output.toString();
    }

    @Override
    public void close() {
        if (isRunning()) {
            process.toHandle().destroyForcibly();
            process.onExit().join();
        }
    }
}
