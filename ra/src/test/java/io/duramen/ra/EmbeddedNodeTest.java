package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.ra.inbound.DuramenActivationSpec;
import jakarta.jms.JMSContext;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that the adapter starts inside the server. */
class EmbeddedNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    static Path home;

    @TempDir
    Path data;

    /** Method: what these tests see, as a distribution has it. */
    @BeforeAll
    static void distribute() throws IOException {
        Path libraries = Files.createDirectory(home.resolve("lib"));
        int number = 0;
        String seen = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : seen.split(File.pathSeparator)) {
            Path from = Path.of(entry);
            Path to = libraries.resolve(number++ + ".jar");
            if (Files.isDirectory(from)) {
                pack(from, to);
            } else if (Files.exists(from)) {
                Files.createSymbolicLink(to, from);
            }
        }
    }

    private static void pack(Path directory, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> classes = Files.walk(directory)) {
            for (Path each : classes.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(directory.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
    }

    private SmallServer server() throws Exception {
        return new SmallServer(adapter -> {
            adapter.setServerUrl("duramen://nobody-is-there?prefetch=7");
            adapter.setEmbeddedHome(home.toString());
            adapter.setEmbeddedData(data.toString());
        });
    }

    @Test
    void shouldRunFromStartToStopWhateverConnectionsComeAndGo() throws Exception {
        URI url;
        try (SmallServer server = server()) {
            url = URI.create(server.adapter.login().url());
            assertThat(url.getQuery()).isEqualTo("prefetch=7");
            try (JMSContext context = server.pool(1).createContext()) {
                context.createProducer().send(context.createQueue("orders"), "kept");
            }
            new Socket(InetAddress.getLoopbackAddress(), url.getPort()).close();
        }
        int port = url.getPort();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
                .as("after its end")
                .isInstanceOf(IOException.class);
        try (SmallServer server = server()) {
            Beans beans = new Beans(true, message -> {});
            DuramenActivationSpec spec = new DuramenActivationSpec();
            spec.setDestination("orders");
            spec.setDestinationType("jakarta.jms.Queue");
            server.deploy(beans, spec);
            assertThat(beans.seen.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS).text())
                    .isEqualTo("kept");
            server.undeploy(beans, spec);
        }
    }

    @Test
    void shouldTellWhoDeploysWhenThereIsNoDistributionOrNoPlaceForData() {
        assertThatThrownBy(() -> new SmallServer(adapter -> {
                    adapter.setEmbeddedHome(data.resolve("none").toString());
                    adapter.setEmbeddedData(data.toString());
                }))
                .hasMessageContaining("is no distribution of Duramen");
        assertThatThrownBy(() -> new SmallServer(adapter -> adapter.setEmbeddedHome(home.toString())))
                .hasMessageContaining("embeddedData must say");
    }

    @Test
    void shouldTellWhoDeploysWhenTheDataIsInUse() throws Exception {
        try (SmallServer first = server()) {
            assertThat(first.adapter.login().url()).startsWith("duramen://127.0.0.1:");
            assertThatThrownBy(this::server).hasMessageContaining(data.toString());
        }
    }
}
