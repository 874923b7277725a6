package io.duramen.acceptance.process;

import io.duramen.runtime.ports.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The classes that a node loads when it starts, read and checked once for all nodes that this JVM starts: each has much less to do until
 * it is ready, which counts where tests start hundreds on few cores. From any thread.
 */
final class StartArchive {
    private static final long SECONDS_MAX = 60;
    private static final Object LOCK = new Object();
    private static Optional<Path> made;

    private StartArchive() {}

    /** Options of a JVM that starts a node; empty where this Java knows no such thing. */
    static String options() throws IOException, InterruptedException {
        synchronized (LOCK) {
            if (made == null) {
                made = make(Files.createTempDirectory("duramen-start"));
            }
        }
        return made.map(archive -> "-Xshare:auto -XX:SharedArchiveFile=" + archive)
                .orElse("");
    }

    /** By a node of a cluster, which loads most; it is alone, so it is ready, and never serves. */
    private static Optional<Path> make(Path directory) throws IOException, InterruptedException {
        directory.toFile().deleteOnExit(); // after what is in it
        Path archive = directory.resolve("node.jsa");
        archive.toFile().deleteOnExit();
        int port = FreePorts.inARow(4);
        String members = String.format("a@127.0.0.1:%d,b@127.0.0.1:%d,c@127.0.0.1:%d", port + 1, port + 2, port + 3);
        ProcessBuilder builder = new ProcessBuilder(
                Distribution.script().toString(),
                "start",
                "--data",
                directory.resolve("data").toString(),
                "--port",
                Integer.toString(port),
                "-D",
                "log.shards=1",
                "-D",
                "node.name=a",
                "-D",
                "cluster.id=archive",
                "-D",
                "cluster.nodes=" + members);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("DURAMEN_JAVA_OPTS", "-XX:ArchiveClassesAtExit=" + archive);
        Process node = builder.redirectErrorStream(true).start();
        try {
            ServerOutput output = new ServerOutput(node);
            output.ready().get(SECONDS_MAX, TimeUnit.SECONDS);
            node.destroy();
            node.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        } finally {
            node.destroyForcibly().onExit().join();
            LeftBehind.deleteAll(directory.resolve("data"));
        }
        return Files.exists(archive) ? Optional.of(archive) : Optional.empty();
    }
}
