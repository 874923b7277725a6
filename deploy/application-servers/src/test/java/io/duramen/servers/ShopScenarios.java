package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.servers.app.EchoBean;
import io.duramen.servers.app.OrdersServlet;
import io.duramen.servers.app.TopicBean;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an application does with the adapter, on whichever server. */
abstract class ShopScenarios {
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long MOMENT_MILLIS = 500;
    private static final int MESSAGES = 400;

    private final String httpUrl;
    private JMSContext context;

    /** @param httpUrl of the application server */
    ShopScenarios(String httpUrl) {
        this.httpUrl = httpUrl;
    }

    /** @param factory JNDI name that the server has for the adapter's connection factory */
    static WebArchive shop(String factory) {
        return ShrinkWrap.create(WebArchive.class, "shop.war")
                .addClasses(EchoBean.class, TopicBean.class, OrdersServlet.class)
                .setWebXML(new StringAsset(WEB_XML.formatted(factory)))
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <resource-ref>
                <res-ref-name>jms/Duramen</res-ref-name>
                <res-type>jakarta.jms.ConnectionFactory</res-type>
                <lookup-name>%s</lookup-name>
              </resource-ref>
            </web-app>
            """;

    @BeforeEach
    void connect() {
        context = new DuramenConnectionFactory(TestNode.url()).createContext();
    }

    @AfterEach
    void disconnect() {
        context.close();
    }

    private Message take(String queue, long millis) {
        return context.createConsumer(context.createQueue(queue)).receive(millis);
    }

    private String orders(String query) throws IOException, InterruptedException {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(httpUrl + "/shop/orders" + query))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    @Test
    void shouldDeliverAndAnswerInOneTransaction() throws JMSException {
        context.createProducer().send(context.createQueue("echo.in"), "hello");
        Message answer = take("echo.out", PATIENCE_MILLIS);
        assertThat(answer.getBody(String.class)).isEqualTo("hello");
        assertThat(answer.getIntProperty(EchoBean.COUNT)).isEqualTo(1);
    }

    @Test
    void shouldRedeliverWithTheRightCountWhenTheBeanRollsBack() throws JMSException {
        context.createProducer().setProperty(EchoBean.ROLLBACKS, 2).send(context.createQueue("echo.in"), "again");
        Message answer = take("echo.out", PATIENCE_MILLIS);
        assertThat(answer.getBody(String.class)).isEqualTo("again");
        assertThat(answer.getIntProperty(EchoBean.COUNT)).isEqualTo(3);
        assertThat(take("echo.out", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldDeliverWhatADurableSharedSubscriptionSelects() throws JMSException {
        for (int weight = 9; weight <= 12; weight++) {
            context.createProducer().setProperty("weight", weight).send(context.createTopic("news"), "of " + weight);
        }
        assertThat(take("news.read", PATIENCE_MILLIS).getBody(String.class)).startsWith("of 1");
        assertThat(take("news.read", PATIENCE_MILLIS).getBody(String.class)).startsWith("of 1");
        assertThat(take("news.read", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldCommitWithADatabase() throws Exception {
        int before = Integer.parseInt(orders(""));
        assertThat(orders("?name=one&end=commit")).isEqualTo(String.valueOf(before + 1));
        assertThat(take("orders", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("one");
    }

    @Test
    void shouldRollBackWithADatabase() throws Exception {
        String before = orders("");
        assertThat(orders("?name=two&end=rollback")).isEqualTo(before);
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    /** Method: an answer is known by its message id, as the client that reads answers may get one again. */
    @Test
    void shouldLoseAndRepeatNothingWhenTheNodeRestartsUnderLoad() throws Exception {
        Set<String> sent = new TreeSet<>();
        Map<String, String> answers = new HashMap<>();
        try (JMSConsumer consumer = context.createConsumer(context.createQueue("echo.out"))) {
            for (int i = 0; i < MESSAGES; i++) {
                sent.add("message " + i);
                context.createProducer().send(context.createQueue("echo.in"), "message " + i);
                if (i == MESSAGES / 2) {
                    TestNode.restart();
                }
            }
            for (long patience = PATIENCE_MILLIS; answers.size() < MESSAGES; ) {
                Message answer = consumer.receive(patience);
                assertThat(answer).as("after %d answers", answers.size()).isNotNull();
                answers.put(answer.getJMSMessageID(), answer.getBody(String.class));
            }
            for (Message late = consumer.receive(MOMENT_MILLIS); late != null; late = consumer.receive(MOMENT_MILLIS)) {
                answers.put(late.getJMSMessageID(), late.getBody(String.class));
            }
        }
        assertThat(answers.values()).containsExactlyInAnyOrderElementsOf(sent);
    }
}
