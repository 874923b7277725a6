package io.duramen.ra.embedded;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ResourceAdapterInternalException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe. A node inside the application server's JVM, out of a distribution on its disk: its classes see nothing of the
 * server's but the log, and the server sees nothing of them. It is reached by TCP as any other.
 */
public final class EmbeddedNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedNode.class);
    private static final String NODE = "io.duramen.node.Duramen";

    private final URLClassLoader classes;
    private final AutoCloseable node;
    private final String url;

    private EmbeddedNode(URLClassLoader classes, AutoCloseable node, String url) {
        this.classes = classes;
        this.node = node;
        this.url = url;
    }

    /**
     * Returns when it serves clients.
     *
     * @param home of a distribution, with {@code lib} in it
     * @param data directory, which is made where it is not there
     * @param port TCP, on loopback; 0 for any that is free
     * @throws ResourceException where there is no distribution, the data is damaged or in use, or the port is taken
     */
    public static EmbeddedNode start(Path home, Path data, int port) throws ResourceException {
        URLClassLoader classes = new URLClassLoader("duramen-node", libraries(home), new Shared());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            Class<?> type = Class.forName(NODE, true, classes);
            Object builder = type.getMethod("embedded").invoke(null);
            builder.getClass().getMethod("dataDirectory", Path.class).invoke(builder, data);
            builder.getClass().getMethod("port", int.class).invoke(builder, port);
            AutoCloseable node =
                    (AutoCloseable) builder.getClass().getMethod("start").invoke(builder);
            String url = (String) type.getMethod("url").invoke(node);
            LOG.info("A node runs inside this server as {}, on {}", url, data);
            return new EmbeddedNode(classes, node, url);
        } catch (ReflectiveOperationException e) {
            close(classes);
            Throwable cause = e instanceof InvocationTargetException failed ? failed.getCause() : e;
            throw new ResourceAdapterInternalException(
                    "the embedded node does not start on " + data + ": " + cause, cause);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** What the node shares with the server: the platform's classes, and where the adapter logs. */
    private static final class Shared extends ClassLoader {
        Shared() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.slf4j.")) {
                return LoggerFactory.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }

    private static URL[] libraries(Path home) throws ResourceException {
        Path libraries = home.resolve("lib");
        try (Stream<Path> files = Files.list(libraries)) {
            List<URL> jars = new ArrayList<>();
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".jar")).toList()) {
                jars.add(file.toUri().toURL());
            }
            return jars.toArray(URL[]::new);
        } catch (IOException e) {
            throw new InvalidPropertyException(
                    "embeddedHome: " + home + " is no distribution of Duramen, as " + libraries + " cannot be read", e);
        }
    }

    /** {@code duramen://HOST:PORT}. */
    public String url() {
        return url;
    }

    /** Returns when the node has ended cleanly. */
    @Override
    public void close() {
        try {
            node.close();
        } catch (Exception e) {
            LOG.warn("The embedded node did not end cleanly", e);
        }
        close(classes);
    }

    private static void close(URLClassLoader classes) {
        try {
            classes.close();
        } catch (IOException e) {
            LOG.debug("The files of the embedded node's classes were not closed", e);
        }
    }
}
