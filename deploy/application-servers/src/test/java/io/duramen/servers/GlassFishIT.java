package io.duramen.servers;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** GlassFish, configured by the commands that the manual has, and an application that uses the adapter. */
@ExtendWith(TestNode.class)
@Timeout(600)
class GlassFishIT extends CoreScenarios {
    private static Asadmin server;

    GlassFishIT() {
        super(server.httpUrl(), server.log());
    }

    @BeforeAll
    static void start() {
        server = Asadmin.start(Path.of(System.getProperty("glassfish.home")), shop("jms/Duramen"));
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.stop();
        }
    }
}
