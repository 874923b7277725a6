package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.as.arquillian.api.ServerSetup;
import org.jboss.as.arquillian.api.ServerSetupTask;
import org.jboss.as.arquillian.container.ManagementClient;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.ResourceAdapterArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The adapter without its own ironjacamar.xml, configured in WildFly's subsystem by the commands that the manual has. */
@ExtendWith({TestNode.class, ArquillianExtension.class})
@ServerSetup(WildFlySubsystemIT.Subsystem.class)
@Timeout(300)
class WildFlySubsystemIT extends EchoScenarios {
    private static final String OWN_CONFIGURATION = "META-INF/ironjacamar.xml";

    @Deployment(name = "adapter", order = 1, testable = false)
    static ResourceAdapterArchive adapter() {
        ResourceAdapterArchive adapter = ShrinkWrap.create(ResourceAdapterArchive.class, "orders-ra.rar")
                .as(ZipImporter.class)
                .importFrom(new File(System.getProperty("duramen.rar")))
                .as(ResourceAdapterArchive.class);
        adapter.delete(OWN_CONFIGURATION);
        return adapter;
    }

    @Deployment(name = "application", order = 2, testable = false)
    static WebArchive application() {
        return echo("java:/jms/Orders").addAsWebInfResource("subsystem-jboss-ejb3.xml", "jboss-ejb3.xml");
    }

    /** What an administrator does before the adapter is deployed. */
    public static final class Subsystem implements ServerSetupTask {
        private static final long PATIENCE_SECONDS = 120;

        @Override
        public void setup(ManagementClient client, String container) throws Exception {
            commands("--file="
                    + Path.of("src/test/resources/wildfly-subsystem.cli").toAbsolutePath());
        }

        @Override
        public void tearDown(ManagementClient client, String container) throws Exception {
            commands("--command=/subsystem=resource-adapters/resource-adapter=orders-ra:remove");
        }

        private static void commands(String which) throws Exception {
            Path home = Path.of(System.getProperty("jboss.home"));
            ProcessBuilder builder = new ProcessBuilder(List.of(
                            home.resolve("bin/jboss-cli.sh").toString(),
                            "--connect",
                            "--controller=127.0.0.1:" + System.getProperty("wildfly.management.port"),
                            which))
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("standalone/log/cli.log").toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process running = builder.start();
            assertThat(running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(running.exitValue()).as("what jboss-cli.sh ends with").isZero();
        }
    }
}
