package io.duramen.servers;

import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Open Liberty in load. */
@ExtendWith({TestNode.class, LibertyServer.class, ArquillianExtension.class})
@Timeout(300)
class OpenLibertyLoadIT extends LoadScenarios {
    OpenLibertyLoadIT() {
        super(LibertyServer.httpUrl(), LibertyServer.log());
    }

    @Deployment(name = APPLICATION, managed = false, testable = false)
    static WebArchive application() {
        return load("jms/Duramen");
    }
}
