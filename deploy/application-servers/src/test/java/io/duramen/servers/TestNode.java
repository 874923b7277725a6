package io.duramen.servers;

import io.duramen.node.Duramen;
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
    private static final String SECRET = "duramen.admin.secret";
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
    private static final class Running implements AutoCloseable {
        private final Path data;
        private Duramen node;

        Running(Path data) throws IOException {
            this.data = data;
            this.node = Duramen.embedded().dataDirectory(data).start();
        }

        void restart() throws IOException {
            int port = node.port();
            node.close();
            node = Duramen.embedded().dataDirectory(data).port(port).start();
        }

        @Override
        public void close() throws IOException {
            node.close();
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Ends the node and starts it again at the same port. */
    static void restart() throws IOException {
        running.restart();
    }

    private static Running start() {
        try {
            Path data = Files.createTempDirectory("duramen-servers-");
            running = new Running(data);
            System.setProperty("duramen.url", running.node.url());
            System.setProperty(
                    SECRET, Files.readString(data.resolve("admin-secret")).strip());
            int offset = freeOffset();
            System.setProperty("wildfly.offset", Integer.toString(offset));
            System.setProperty("wildfly.management.port", Integer.toString(MANAGEMENT + offset));
            return running;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static int freeOffset() {
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
        return "http://127.0.0.1:" + (HTTP + Integer.getInteger("wildfly.offset"));
    }

    /** The password of the user admin. */
    static String adminSecret() {
        return System.getProperty(SECRET);
    }

    static String url() {
        return System.getProperty("duramen.url");
    }
}
