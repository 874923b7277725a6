package io.duramen.servers;

import io.duramen.servers.app.CheckingDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** WildFly with nothing configured but who recovers. */
@ExtendWith(TestNode.class)
@Timeout(1800)
class WildFlyRecoveryIT extends RecoveryScenarios {
    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <data-source>
                <name>java:app/halted</name>
                <class-name>io.duramen.servers.app.CheckingDatabase</class-name>
                <url>jdbc:h2:mem:halted;DB_CLOSE_DELAY=-1</url>
                <user>sa</user>
                <password></password>
              </data-source>
              <resource-ref>
                <res-ref-name>jdbc/halted</res-ref-name>
                <res-type>javax.sql.DataSource</res-type>
                <lookup-name>java:app/halted</lookup-name>
              </resource-ref>
              <resource-ref>
                <res-ref-name>jms/Duramen</res-ref-name>
                <res-type>jakarta.jms.ConnectionFactory</res-type>
                <lookup-name>java:/jms/Duramen</lookup-name>
              </resource-ref>
            </web-app>
            """;

    @Override
    ServerJvm server() throws Exception {
        ServerJvm server = ServerJvm.wildFly(
                base,
                List.of(
                        "-Dduramen.url=" + TestNode.impatientUrl(),
                        "-Dduramen.recovery.user=admin",
                        "-Dduramen.recovery.password=" + TestNode.adminSecret(),
                        "-Djboss.tx.node.id=halted",
                        "-DRecoveryEnvironmentBean.periodicRecoveryPeriod=5",
                        "-DRecoveryEnvironmentBean.recoveryBackoffPeriod=2"));
        Path deployments = base.resolve("deployments");
        Files.copy(Path.of(System.getProperty("duramen.rar")), deployments.resolve("duramen-ra.rar"));
        application(WEB_XML)
                .addClass(CheckingDatabase.class)
                .setManifest(new StringAsset("Manifest-Version: 1.0\nDependencies: com.h2database.h2\n"))
                .as(ZipExporter.class)
                .exportTo(deployments.resolve("halting.war").toFile());
        return server;
    }
}
