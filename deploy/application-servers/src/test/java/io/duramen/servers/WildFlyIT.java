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
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.ResourceAdapterArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The adapter as it is shipped, deployed by itself into WildFly, and an application that uses it. */
@ExtendWith({TestNode.class, ArquillianExtension.class})
@Timeout(300)
class WildFlyIT {
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long MOMENT_MILLIS = 500;
    private static final int MESSAGES = 400;

    private JMSContext context;

    @Deployment(name = "adapter", order = 1, testable = false)
    static ResourceAdapterArchive adapter() {
        return ShrinkWrap.createFromZipFile(ResourceAdapterArchive.class, new File(System.getProperty("duramen.rar")));
    }

    @Deployment(name = "application", order = 2, testable = false)
    static WebArchive application() {
        return ShrinkWrap.create(WebArchive.class, "shop.war")
                .addClasses(EchoBean.class, TopicBean.class, OrdersServlet.class)
                .addAsWebInfResource("jboss-ejb3.xml")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml")
                .setManifest(new StringAsset("Manifest-Version: 1.0\nDependencies: com.h2database.h2\n"));
    }

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

    private static String orders(String query) throws IOException, InterruptedException {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(TestNode.httpUrl() + "/shop/orders" + query))
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
