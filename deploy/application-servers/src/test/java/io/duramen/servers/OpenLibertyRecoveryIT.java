package io.duramen.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Open Liberty; who recovers is said by recoveryAuthDataRef. */
@ExtendWith(TestNode.class)
@Timeout(1800)
class OpenLibertyRecoveryIT extends RecoveryScenarios {
    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <resource-ref>
                <res-ref-name>jdbc/halted</res-ref-name>
                <res-type>javax.sql.DataSource</res-type>
                <lookup-name>jdbc/halted</lookup-name>
              </resource-ref>
              <resource-ref>
                <res-ref-name>jms/Duramen</res-ref-name>
                <res-type>jakarta.jms.ConnectionFactory</res-type>
                <lookup-name>jms/Duramen</lookup-name>
              </resource-ref>
            </web-app>
            """;

    @Override
    ServerJvm server() throws Exception {
        Path server = base.resolve("servers/halting");
        Path database = Files.createDirectories(server.resolve("database"));
        Path applications = Files.createDirectories(server.resolve("apps"));
        int port = ServerJvm.freePort();
        Files.copy(Path.of("src/test/resources/liberty-recovery-server.xml"), server.resolve("server.xml"));
        Files.copy(Path.of(System.getProperty("duramen.rar")), server.resolve("duramen-ra.rar"));
        Files.copy(LibertyServer.database(), database.resolve("h2.jar"));
        Files.writeString(
                server.resolve("bootstrap.properties"),
                "http.port=" + port + "\nduramen.url=" + TestNode.impatientUrl() + "\nduramen.recovery.password="
                        + TestNode.adminSecret() + "\n");
        LibertyServer.checking(database.resolve("checking.jar"));
        application(WEB_XML)
                .as(ZipExporter.class)
                .exportTo(applications.resolve("halting.war").toFile());
        return ServerJvm.liberty(base, "halting", port);
    }
}
