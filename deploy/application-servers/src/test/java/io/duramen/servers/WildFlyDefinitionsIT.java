package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.servers.app.DefinitionsServlet;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.File;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.ResourceAdapterArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An application that defines its own connection factories and queues by annotations. */
@ExtendWith({TestNode.class, ArquillianExtension.class})
@Timeout(300)
class WildFlyDefinitionsIT {
    private static final long PATIENCE_MILLIS = 30_000;

    @Deployment(name = "adapter", order = 1, testable = false)
    static ResourceAdapterArchive adapter() {
        return ShrinkWrap.createFromZipFile(ResourceAdapterArchive.class, new File(System.getProperty("duramen.rar")));
    }

    @Deployment(name = "application", order = 2, testable = false)
    static WebArchive application() {
        return ShrinkWrap.create(WebArchive.class, "defining.war")
                .addClass(DefinitionsServlet.class)
                .setManifest(new StringAsset("Manifest-Version: 1.0\nDependencies: deployment.duramen-ra.rar\n"));
    }

    @Test
    void shouldSendByWhatAnnotationsDefine() throws Exception {
        HttpResponse<String> response = Http.client()
                .send(
                        HttpRequest.newBuilder(URI.create(TestNode.httpUrl() + "/defining/defined?text=sent"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        try (JMSContext context = new DuramenConnectionFactory(TestNode.url()).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("defined"))) {
            assertThat(consumer.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("sent by the one");
            assertThat(consumer.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("sent by the other");
        }
    }
}
