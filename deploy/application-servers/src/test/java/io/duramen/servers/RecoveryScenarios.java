package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.servers.app.HaltServlet;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server, and a node, that ends between prepare and commit, as often as the system property recovery.repetitions says.
 * Nothing is configured but who recovers.
 */
abstract class RecoveryScenarios {
    private static final int REPETITIONS = Integer.getInteger("recovery.repetitions");
    private static final long PATIENCE_MILLIS = 120_000;
    private static final long MOMENT_MILLIS = 500;
    /** So that a servlet alone makes a bean archive. */
    private static final String BEANS_XML = """
            <beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0" bean-discovery-mode="all"/>
            """;

    private static final String PAGE = "/halting/halt";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path base;

    /** A server of its own, configured and not running yet, which deploys {@link #application}. */
    abstract ServerJvm server() throws Exception;

    /** @param webXml with resource references to jms/Duramen and jdbc/halted */
    static WebArchive application(String webXml) {
        return ShrinkWrap.create(WebArchive.class, "halting.war")
                .addClass(HaltServlet.class)
                .setWebXML(new StringAsset(webXml))
                .addAsWebInfResource(new StringAsset(BEANS_XML), "beans.xml");
    }

    @Test
    void shouldCommitWhatWasPreparedWhenTheServerOrTheNodeIsHalted() throws Exception {
        try (ServerJvm server = server();
                JMSContext context = new DuramenConnectionFactory(TestNode.url()).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("halted"))) {
            server.start(PAGE);
            for (int i = 1; i <= REPETITIONS; i++) {
                assertThat(server.status(PAGE + "?text=server" + i)).isZero();
                server.awaitEnd();
                assertThat(consumer.receive(MOMENT_MILLIS))
                        .as("before recovery")
                        .isNull();
                server.start(PAGE);
                assertThat(consumer.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("server" + i);
            }
            for (int i = 1; i <= REPETITIONS; i++) {
                server.status(
                        PAGE + "?text=node" + i + "&pid=" + TestNode.node().pid());
                TestNode.node().awaitEnd();
                TestNode.node().start();
                assertThat(consumer.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("node" + i);
            }
            assertThat(consumer.receive(MOMENT_MILLIS)).as("a second time").isNull();
        }
    }
}
