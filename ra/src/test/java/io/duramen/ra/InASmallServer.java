package io.duramen.ra;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.node.Duramen;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node in this JVM, reached over TCP, and a server with the adapter. */
@Timeout(120)
abstract class InASmallServer {
    static final long PATIENCE_MILLIS = 20_000;
    static final long MOMENT_MILLIS = 300;

    @TempDir
    Path data;

    Duramen node;
    SmallServer server;
    /** Of a client beside the server. */
    JMSContext outside;

    @BeforeEach
    void start() throws Exception {
        node = aNode().start();
        server = new SmallServer(node.url() + "?reconnectDelayMaxMillis=200");
        outside = new DuramenConnectionFactory(node.url() + "?reconnectDelayMaxMillis=200").createContext();
    }

    /** What is rolled back comes again at once and in its place, however often. */
    private Duramen.Builder aNode() {
        return Duramen.embedded()
                .dataDirectory(data)
                .setting("security.password-iterations", "10000")
                .setting("broker.redelivery-delay", "0s");
    }

    @AfterEach
    void end() {
        outside.close();
        server.close();
        node.close();
    }

    /** Ends the node and starts it again at the same port. */
    void restartNode() throws Exception {
        int port = node.port();
        node.close();
        node = aNode().port(port).start();
    }

    /** Waits until nothing is left of a queue, what is being delivered included. */
    void awaitSettled(String queue) {
        Awaitility.await().until(() -> {
            try (QueueBrowser browser = outside.createBrowser(outside.createQueue(queue))) {
                return !browser.getEnumeration().hasMoreElements();
            }
        });
    }

    void send(String queue, String... texts) {
        for (String text : texts) {
            outside.createProducer().send(outside.createQueue(queue), text);
        }
    }

    /** The next message of a queue; null for none. */
    Message take(String queue, long millis) {
        try (var consumer = outside.createConsumer(outside.createQueue(queue))) {
            return consumer.receive(millis);
        }
    }
}
