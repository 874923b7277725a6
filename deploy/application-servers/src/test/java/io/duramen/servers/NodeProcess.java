package io.duramen.servers;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One thread. A node in a JVM of its own, which may be killed; it ends with the test JVM at the latest. */
final class NodeProcess implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofMinutes(2);
    private static final String READY = " ready on ";
    /** Below the ports that outgoing connections get: who tries again and again must not meet itself there. */
    private static final int PORT_MIN = 15_000;

    private static final int PORT_MAX = 30_000;

    private final Path data;
    private final Path output;
    private final List<String> settings;
    private final int port = freePort();
    private Process process;

    /** @param settings each as key=value */
    NodeProcess(Path data, String... settings) {
        this.data = data;
        this.output = data.resolveSibling(data.getFileName() + ".log");
        this.settings = List.of(settings);
    }

    /** Returns when it is ready. */
    void start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.duramen.node.Main",
                "start",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port)));
        settings.forEach(setting -> command.addAll(List.of("-D", setting)));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Process started = process;
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        await().atMost(START_MAX).until(() -> !process.isAlive() || said().contains(READY));
        if (!process.isAlive()) {
            throw new IOException("the node has ended: " + said());
        }
    }

    private String said() throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    /** Returns when it has ended cleanly. */
    void stop() throws InterruptedException {
        process.destroy();
        awaitEnd();
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(START_MAX.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the node does not end");
        }
    }

    /** {@code kill -9}; returns when it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    long pid() {
        return process.pid();
    }

    String url() {
        return "duramen://127.0.0.1:" + port;
    }

    /** The password of the user admin, once it has started. */
    String adminSecret() throws IOException {
        return Files.readString(data.resolve("admin-secret")).strip();
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    private static int freePort() {
        while (true) {
            int candidate = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
            try (ServerSocket free = new ServerSocket(candidate, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException taken) {
                continue;
            }
        }
    }
}
