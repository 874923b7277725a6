package io.duramen.servers;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Payara, configured by the commands that the manual has, and an application that uses the adapter. */
@ExtendWith(TestNode.class)
@Timeout(600)
class PayaraIT extends CoreScenarios {
    private static Asadmin server;

    PayaraIT() {
        super(server.httpUrl(), server.log());
    }

    @BeforeAll
    static void start() {
        server = Asadmin.start(
                Path.of(System.getProperty("payara.home")),
                shop("jms/Duramen").setWebXML(new File("src/test/resources/payara-web.xml")));
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.stop();
        }
    }
}
