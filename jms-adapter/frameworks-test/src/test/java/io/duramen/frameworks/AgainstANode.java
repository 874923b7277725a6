package io.duramen.frameworks;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.node.Duramen;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node in this JVM, reached over TCP. */
@Timeout(120)
abstract class AgainstANode {
    static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    Path data;

    private Duramen node;

    @BeforeEach
    void startNode() throws Exception {
        node = Duramen.embedded()
                .dataDirectory(data)
                .setting("security.password-iterations", "10000")
                .start();
    }

    @AfterEach
    void endNode() throws Exception {
        node.close();
    }

    /** Ends the node and starts it again at the same port. */
    void restartNode() throws Exception {
        int port = node.port();
        node.close();
        node = Duramen.embedded().dataDirectory(data).port(port).start();
    }

    String url() {
        return node.url();
    }

    DuramenConnectionFactory factory(String options) {
        return new DuramenConnectionFactory(node.url() + "?reconnectDelayMaxMillis=200&" + options);
    }

    DuramenConnectionFactory factory() {
        return factory("");
    }
}
