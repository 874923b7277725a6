package io.duramen.servers;

import io.duramen.servers.app.CheckingDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Configures Open Liberty before Arquillian starts it: server.xml as the manual has it, the adapter, and a free port. */
public final class LibertyServer implements BeforeAllCallback {
    private static final String PORT = "liberty.http.port";

    @Override
    public void beforeAll(ExtensionContext context) {
        if (System.getProperty(PORT) != null) {
            return; // it runs already, for another class
        }
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(free.getLocalPort());
            System.setProperty(PORT, port);
            Path user = Path.of(System.getProperty("liberty.home"), "usr");
            Path libraries = Files.createDirectories(user.resolve("shared/config/lib/global"));
            copy(database(), libraries.resolve("h2.jar"));
            checking(libraries.resolve("checking.jar"));
            Path server = Files.createDirectories(user.resolve("servers/duramen"));
            copy(Path.of("src/test/resources/liberty-server.xml"), server.resolve("server.xml"));
            Path besides = Files.createDirectories(server.resolve("configDropins/overrides"));
            copy(Path.of("src/test/resources/liberty-tests.xml"), besides.resolve("tests.xml"));
            copy(Path.of(System.getProperty("duramen.rar")), server.resolve("duramen-ra.rar"));
            Files.writeString(
                    server.resolve("bootstrap.properties"),
                    "http.port=" + port + "\nduramen.url=" + TestNode.url() + "\n");
            Files.writeString(server.resolve("jvm.options"), "-Xmx768m\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Applications that define a data source by an annotation find its driver in the libraries for all. */
    static Path database() {
        return Path.of(org.h2.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }

    /** What stands before the database's driver, and so beside it. */
    static void checking(Path file) {
        ShrinkWrap.create(JavaArchive.class)
                .addClass(CheckingDatabase.class)
                .as(ZipExporter.class)
                .exportTo(file.toFile(), true);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    static Path log() {
        return Path.of(System.getProperty("liberty.home"), "usr/servers/duramen/logs/messages.log");
    }

    static String httpUrl() {
        return "http://127.0.0.1:" + System.getProperty(PORT);
    }
}
