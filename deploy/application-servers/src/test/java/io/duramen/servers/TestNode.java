package io.duramen.servers;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A node for all test classes, and ports for the application server: told as system properties, which arquillian.xml
 * refers to. Stands before Arquillian's own extension.
 */
public final class TestNode implements BeforeAllCallback {
    private static Running running;
    /** Poisonous messages are given up sooner than others. */
    private static final String SETTINGS = "broker.redelivery-of=poison.*=max:3 delay:100ms";

    /** Longest that a transaction manager waits for the node. */
    private static final int CALL_MILLIS = 5_000;

    private static final int HTTP = 8080;
    private static final int MANAGEMENT = 9990;
    private static final int OFFSET_MIN = 10_000;
    private static final int OFFSET_MAX = 40_000;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(TestNode.class))
                .computeIfAbsent(Running.class, key -> start(), Running.class);
    }

    /** Ends with the test run. */
    private record Running(Path directory, NodeProcess node) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            node.close();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** The node, which a test leaves running as it found it. */
    static NodeProcess node() {
        return running.node;
    }

    /** Ends the node and starts it again at the same port. */
    static void restart() throws IOException, InterruptedException {
        running.node.stop();
        running.node.start();
    }

    /** Kills the node and starts it again at the same port. */
    static void kill() throws IOException, InterruptedException {
        running.node.kill();
        running.node.start();
    }

    private static Running start() {
        try {
            Path directory = Files.createTempDirectory("duramen-servers-");
            NodeProcess node = new NodeProcess(directory.resolve("node"), SETTINGS);
            node.start();
            running = new Running(directory, node);
            System.setProperty("duramen.url", node.url() + "?xaCallTimeoutMillis=" + CALL_MILLIS);
            System.setProperty("duramen.recovery.password", node.adminSecret());
            int offset = freeOffset();
            System.setProperty("wildfly.offset", Integer.toString(offset));
            System.setProperty("wildfly.management.port", Integer.toString(MANAGEMENT + offset));
            return running;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** For the ports of a WildFly. */
    static int freeOffset() {
        int offset;
        do {
            offset = ThreadLocalRandom.current().nextInt(OFFSET_MIN, OFFSET_MAX);
        } while (!isFree(HTTP + offset) || !isFree(MANAGEMENT + offset));
        return offset;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** Of the application server. */
    static String httpUrl() {
        return httpUrl(Integer.getInteger("wildfly.offset"));
    }

    /** Of a WildFly whose ports are so much higher. */
    static String httpUrl(int offset) {
        return "http://127.0.0.1:" + (HTTP + offset);
    }

    /** The password of the user admin. */
    static String adminSecret() throws IOException {
        return running.node.adminSecret();
    }

    static String url() {
        return running.node.url();
    }

    /** The same for a transaction manager that does not wait long for the node. */
    static String impatientUrl() {
        return System.getProperty("duramen.url");
    }
}
