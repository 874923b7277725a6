package io.duramen.servers;

import io.duramen.servers.app.CheckingDatabase;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Open Liberty with the adapter in its configuration, and an application that uses it. */
@ExtendWith({TestNode.class, LibertyServer.class, ArquillianExtension.class})
@Timeout(300)
class OpenLibertyIT extends ShopScenarios {
    OpenLibertyIT() {
        super(LibertyServer.httpUrl(), LibertyServer.log());
    }

    @Deployment(testable = false)
    static WebArchive application() {
        return shop("jms/Duramen").deleteClass(CheckingDatabase.class);
    }
}
