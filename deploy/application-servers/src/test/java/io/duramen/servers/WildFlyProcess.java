package io.duramen.servers;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One thread. A WildFly of its own directory, whose JVM may be halted and started again. */
final class WildFlyProcess implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofMinutes(4);
    private static final Path HOME = Path.of(System.getProperty("jboss.home"));

    private final Path base;
    private final List<String> options;
    private final HttpClient http = HttpClient.newHttpClient();
    private Process process;

    /** @param options of the JVM */
    WildFlyProcess(Path base, List<String> options) throws IOException {
        this.base = base;
        this.options = options;
        Path template = HOME.resolve("standalone").resolve("configuration");
        Path configuration = Files.createDirectories(base.resolve("configuration"));
        try (Stream<Path> files = Files.list(template)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, configuration.resolve(file.getFileName()));
            }
        }
        Files.createDirectories(base.resolve("deployments"));
    }

    /** What is deployed when the server starts. */
    Path deployments() {
        return base.resolve("deployments");
    }

    /** Returns when the page answers. */
    void start(String page) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx768m"));
        command.addAll(options);
        command.addAll(List.of(
                "-Djboss.server.base.dir=" + base,
                "-Djboss.home.dir=" + HOME,
                "-Djboss.socket.binding.port-offset=" + System.getProperty("wildfly.offset"),
                "--add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
                "-jar",
                HOME.resolve("jboss-modules.jar").toString(),
                "-mp",
                HOME.resolve("modules").toString(),
                "org.jboss.as.standalone",
                "-c",
                "standalone-full.xml"));
        File output = base.resolve("output.log").toFile();
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
                .start();
        await().atMost(START_MAX)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> !process.isAlive() || status(page) == 200);
        if (!process.isAlive()) {
            throw new IOException("WildFly has ended: " + Files.readString(output.toPath()));
        }
    }

    /** 0 where nobody answers. */
    int status(String page) throws InterruptedException {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create(TestNode.httpUrl() + page))
                                    .timeout(Duration.ofSeconds(60))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(START_MAX.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("WildFly has not halted");
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
