package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.servers.app.EchoBean;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** That both ways work, in and out, and are one transaction: however the adapter came into the server. */
abstract class EchoScenarios {
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long MOMENT_MILLIS = 500;

    /** @param factory JNDI name that the server has for the adapter's connection factory */
    static WebArchive echo(String factory) {
        return ShrinkWrap.create(WebArchive.class, "echo.war")
                .addClass(EchoBean.class)
                .setWebXML(new StringAsset(CoreScenarios.WEB_XML.formatted(factory)))
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    @Test
    void shouldAnswerOnceWhenTheFirstDeliveryIsRolledBack() throws JMSException {
        try (JMSContext context = new DuramenConnectionFactory(TestNode.url()).createContext()) {
            context.createProducer().setProperty(EchoBean.ROLLBACKS, 1).send(context.createQueue("echo.in"), "again");
            Message answer =
                    context.createConsumer(context.createQueue("echo.out")).receive(PATIENCE_MILLIS);
            assertThat(answer.getBody(String.class)).isEqualTo("again");
            assertThat(answer.getIntProperty(EchoBean.COUNT)).isEqualTo(2);
            assertThat(context.createConsumer(context.createQueue("echo.out")).receive(MOMENT_MILLIS))
                    .isNull();
        }
    }
}
