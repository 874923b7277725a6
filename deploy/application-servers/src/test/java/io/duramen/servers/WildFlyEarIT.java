package io.duramen.servers;

import java.io.File;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An enterprise application that brings the adapter with it, for itself. */
@ExtendWith({TestNode.class, ArquillianExtension.class})
@Timeout(300)
class WildFlyEarIT extends EchoScenarios {
    @Deployment(testable = false)
    static EnterpriseArchive application() {
        return ShrinkWrap.create(EnterpriseArchive.class, "shop.ear")
                .addAsModule(new File(System.getProperty("duramen.rar")))
                .addAsModule(echo("java:/jms/Duramen").addAsWebInfResource("ear-jboss-ejb3.xml", "jboss-ejb3.xml"));
    }
}
