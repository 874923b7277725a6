package io.duramen.servers;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One thread. An application server with a directory of its own, whose JVM may be halted and started again. */
final class ServerJvm implements AutoCloseable {
    /**
     * @param base directory of the server's own
     * @param environment besides that of this JVM
     * @param arguments of the JVM
     * @param output what it prints
     * @param httpUrl where it listens
     */
    record Launch(Path base, Map<String, String> environment, List<String> arguments, Path output, String httpUrl) {}

    private static final Duration START_MAX = Duration.ofMinutes(4);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(120);
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Launch launch;
    private final HttpClient http = Http.client();
    private Process process;

    private ServerJvm(Launch launch) {
        this.launch = launch;
    }

    /** WildFly; what lies in {@code deployments} of its directory is deployed. @param options of the JVM */
    static ServerJvm wildFly(Path base, List<String> options) throws IOException {
        Path home = Path.of(System.getProperty("jboss.home"));
        Path configuration = Files.createDirectories(base.resolve("configuration"));
        try (Stream<Path> files = Files.list(home.resolve("standalone").resolve("configuration"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, configuration.resolve(file.getFileName()));
            }
        }
        Files.createDirectories(base.resolve("deployments"));
        int offset = TestNode.freeOffset();
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of(
                "-Djboss.server.base.dir=" + base,
                "-Djboss.home.dir=" + home,
                "-Djboss.socket.binding.port-offset=" + offset,
                "--add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
                "-jar",
                home.resolve("jboss-modules.jar").toString(),
                "-mp",
                home.resolve("modules").toString(),
                "org.jboss.as.standalone",
                "-c",
                "standalone-full.xml"));
        return new ServerJvm(
                new Launch(base, Map.of(), arguments, base.resolve("output.log"), TestNode.httpUrl(offset)));
    }

    /** Open Liberty. @param user directory with {@code servers/NAME} in it */
    static ServerJvm liberty(Path user, String name, int port) {
        Path home = Path.of(System.getProperty("liberty.home"));
        List<String> arguments = List.of(
                "-javaagent:" + home.resolve("bin/tools/ws-javaagent.jar"),
                "--add-exports=java.base/sun.security.action=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
                "--add-opens=java.naming/javax.naming.spi=ALL-UNNAMED",
                "-jar",
                home.resolve("bin/tools/ws-server.jar").toString(),
                name);
        return new ServerJvm(new Launch(
                user.resolve("servers").resolve(name),
                Map.of("WLP_USER_DIR", user.toString()),
                arguments,
                user.resolve("output.log"),
                "http://127.0.0.1:" + port));
    }

    /** Returns when the page answers. */
    void start(String page) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx768m"));
        command.addAll(launch.arguments());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(launch.base().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(launch.output().toFile()));
        builder.environment().putAll(launch.environment());
        process = builder.start();
        Process started = process;
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        await().atMost(START_MAX)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> !process.isAlive() || status(page) == 200);
        if (!process.isAlive()) {
            throw new IOException("the server has ended: " + Files.readString(launch.output()));
        }
    }

    /** 0 where nobody answers. */
    int status(String page) throws InterruptedException {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create(launch.httpUrl() + page))
                                    .timeout(ANSWER_MAX)
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns when it has halted. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(START_MAX.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the server has not halted");
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
