package io.duramen.servers;

import io.duramen.servers.app.CheckingDatabase;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * One thread. A domain of GlassFish's or Payara's own, made and configured by asadmin with the commands that the manual has.
 */
final class Asadmin {
    private static final int PORTS_MIN = 20_000;
    private static final int PORTS_MAX = 29_000;
    private static final int ADMINISTRATION = 48;
    private static final int HTTP = 80;
    private static final long PATIENCE_SECONDS = 300;
    private static final String DOMAIN = "duramen";

    private final Path home;
    private final Path directory;
    private final int ports = freePorts();

    private Asadmin(Path home, Path directory) {
        this.home = home;
        this.directory = directory;
    }

    /**
     * Returns when the adapter and the application are deployed.
     *
     * @param home where the server is unpacked
     */
    static Asadmin start(Path home, WebArchive application) {
        try {
            Asadmin server = new Asadmin(home, Files.createTempDirectory("duramen-asadmin-"));
            server.run(
                    "create-domain",
                    "--nopassword=true",
                    "--portbase",
                    "" + server.ports,
                    "--domaindir",
                    server.directory.toString(),
                    DOMAIN);
            Path libraries =
                    Files.createDirectories(server.directory.resolve(DOMAIN).resolve("lib"));
            Files.copy(LibertyServer.database(), libraries.resolve("h2.jar"));
            LibertyServer.checking(libraries.resolve("checking.jar"));
            server.run("start-domain", "--domaindir", server.directory.toString(), DOMAIN);
            server.configure(application);
            return server;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void configure(WebArchive application) throws IOException, InterruptedException {
        Files.copy(Path.of(System.getProperty("duramen.rar")), directory.resolve("duramen-ra.rar"));
        application
                .deleteClass(CheckingDatabase.class)
                .addAsWebInfResource("glassfish-ejb-jar.xml")
                .as(ZipExporter.class)
                .exportTo(directory.resolve("shop.war").toFile());
        String url = TestNode.url().replace(":", "\\:").replace("=", "\\=");
        Path commands = directory.resolve("commands");
        Files.writeString(
                commands,
                Files.readString(Path.of("src/test/resources/glassfish.asadmin"))
                        .replace("duramen\\://node\\:7676", url));
        run("--port", "" + (ports + ADMINISTRATION), "multimode", "--file", commands.toString());
    }

    String httpUrl() {
        return "http://127.0.0.1:" + (ports + HTTP);
    }

    Path log() {
        return directory.resolve(DOMAIN).resolve("logs/server.log");
    }

    private void run(String... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/asadmin").toString()));
        command.addAll(List.of(words));
        File output = directory.resolve("asadmin.log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().put("AS_JAVA", System.getProperty("java.home"));
        Process running = builder.start();
        running.getOutputStream().close();
        if (!running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || running.exitValue() != 0) {
            running.destroyForcibly();
            throw new IllegalStateException(command + " said: " + Files.readString(output.toPath()));
        }
    }

    private static int freePorts() {
        while (true) {
            int base = ThreadLocalRandom.current().nextInt(PORTS_MIN, PORTS_MAX);
            try (ServerSocket http = new ServerSocket(base + HTTP, 1, InetAddress.getLoopbackAddress());
                    ServerSocket other = new ServerSocket(base + ADMINISTRATION, 1, InetAddress.getLoopbackAddress())) {
                return http.isBound() && other.isBound() ? base : 0;
            } catch (IOException taken) {
                continue;
            }
        }
    }

    /** Returns when it has ended. */
    void stop() throws IOException, InterruptedException {
        run("stop-domain", "--kill=true", "--domaindir", directory.toString(), DOMAIN);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
