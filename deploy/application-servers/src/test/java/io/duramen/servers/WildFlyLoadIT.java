package io.duramen.servers;

import java.io.File;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.ResourceAdapterArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** WildFly in load. */
@ExtendWith({TestNode.class, ArquillianExtension.class})
@Timeout(300)
class WildFlyLoadIT extends LoadScenarios {
    WildFlyLoadIT() {
        super(TestNode.httpUrl(), WildFlyIT.log());
    }

    @Deployment(name = "adapter", order = 1, testable = false)
    static ResourceAdapterArchive adapter() {
        return ShrinkWrap.createFromZipFile(ResourceAdapterArchive.class, new File(System.getProperty("duramen.rar")));
    }

    @Deployment(name = APPLICATION, managed = false, testable = false)
    static WebArchive application() {
        return load("java:/jms/Duramen").addAsWebInfResource("jboss-ejb3.xml");
    }
}
