package io.duramen.servers;

import java.io.File;
import java.nio.file.Path;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.ResourceAdapterArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The adapter as it is shipped, deployed by itself into WildFly, and an application that uses it. */
@ExtendWith({TestNode.class, ArquillianExtension.class})
@Timeout(300)
class WildFlyIT extends ShopScenarios {
    WildFlyIT() {
        super(TestNode.httpUrl(), log());
    }

    static Path log() {
        return Path.of(System.getProperty("jboss.home"), "standalone/log/server.log");
    }

    @Deployment(name = "adapter", order = 1, testable = false)
    static ResourceAdapterArchive adapter() {
        return ShrinkWrap.createFromZipFile(ResourceAdapterArchive.class, new File(System.getProperty("duramen.rar")));
    }

    @Deployment(name = "application", order = 2, testable = false)
    static WebArchive application() {
        return shop("java:/jms/Duramen")
                .addAsWebInfResource("jboss-ejb3.xml")
                .setManifest(new StringAsset("Manifest-Version: 1.0\nDependencies: com.h2database.h2\n"));
    }
}
