package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.servers.app.HaltServlet;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server that ends between prepare and commit. */
@ExtendWith(TestNode.class)
@Timeout(600)
class WildFlyRecoveryIT {
    private static final long PATIENCE_MILLIS = 90_000;
    private static final long MOMENT_MILLIS = 500;

    @TempDir
    Path base;

    /** Method: nothing is configured but who recovers. */
    @Test
    void shouldCommitWhatWasPreparedWhenTheServerIsHaltedAndStartsAgain() throws Exception {
        List<String> options = List.of(
                "-Dduramen.url=" + TestNode.url(),
                "-Dduramen.recovery.user=admin",
                "-Dduramen.recovery.password=" + TestNode.adminSecret(),
                "-Djboss.tx.node.id=halted",
                "-DRecoveryEnvironmentBean.periodicRecoveryPeriod=5",
                "-DRecoveryEnvironmentBean.recoveryBackoffPeriod=2");
        try (WildFlyProcess server = new WildFlyProcess(base, options);
                JMSContext context = new DuramenConnectionFactory(TestNode.url()).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("halted"))) {
            Files.copy(
                    Path.of(System.getProperty("duramen.rar")),
                    server.deployments().resolve("duramen-ra.rar"));
            ShrinkWrap.create(WebArchive.class, "halting.war")
                    .addClass(HaltServlet.class)
                    .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml")
                    .as(ZipExporter.class)
                    .exportTo(server.deployments().resolve("halting.war").toFile());
            server.start("/halting/halt");
            assertThat(server.status("/halting/halt?text=decided")).isZero();
            server.awaitEnd();
            assertThat(consumer.receive(MOMENT_MILLIS)).as("before recovery").isNull();
            server.start("/halting/halt");
            assertThat(consumer.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("decided");
            assertThat(consumer.receive(MOMENT_MILLIS)).as("a second time").isNull();
        }
    }
}
