package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DeadLetters;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.servers.app.CheckingDatabase;
import io.duramen.servers.app.DeskBean;
import io.duramen.servers.app.EchoBean;
import io.duramen.servers.app.FragileBean;
import io.duramen.servers.app.FragileServlet;
import io.duramen.servers.app.LoadBean;
import io.duramen.servers.app.OrdersServlet;
import io.duramen.servers.app.PoisonBean;
import io.duramen.servers.app.SidesServlet;
import io.duramen.servers.app.StoreBean;
import io.duramen.servers.app.TellingBean;
import io.duramen.servers.app.TopicBean;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an application does with the adapter, on whichever server. */
abstract class CoreScenarios {
    static final long PATIENCE_MILLIS = 60_000;
    static final long MOMENT_MILLIS = 500;
    private static final int FRAGILE = 5;

    private final String httpUrl;
    private final ServerLog log;
    JMSContext context;

    /**
     * @param httpUrl of the application server
     * @param log that it writes
     */
    CoreScenarios(String httpUrl, Path log) {
        this.httpUrl = httpUrl;
        this.log = new ServerLog(log);
    }

    /** @param factory JNDI name that the server has for the adapter's connection factory */
    static WebArchive shop(String factory) {
        return ShrinkWrap.create(WebArchive.class, "shop.war")
                .addClasses(EchoBean.class, TopicBean.class, DeskBean.class, StoreBean.class, PoisonBean.class)
                .addClasses(FragileBean.class, FragileServlet.class, OrdersServlet.class)
                .addClasses(SidesServlet.class, CheckingDatabase.class)
                .addClasses(LoadBean.class, TellingBean.class, TellingBean.Told.class)
                .setWebXML(new StringAsset(WEB_XML.formatted(factory)))
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    static final String WEB_XML = """
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

    Message take(String queue, long millis) {
        return context.createConsumer(context.createQueue(queue)).receive(millis);
    }

    private String orders(String query) throws IOException, InterruptedException {
        return ask("orders" + query);
    }

    String ask(String page) throws IOException, InterruptedException {
        HttpResponse<String> response = Http.client()
                .send(
                        HttpRequest.newBuilder(URI.create(httpUrl + "/shop/" + page))
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

    /** Returns when the bean that forwards the topic has subscribed, and nothing is left. A bean may be late. */
    private void awaitSubscribed(String topic, String queue) {
        Awaitility.await().atMost(Duration.ofMillis(PATIENCE_MILLIS)).until(() -> {
            context.createProducer().setProperty("weight", 100).send(context.createTopic(topic), "are you there");
            return take(queue, MOMENT_MILLIS) != null;
        });
        while (take(queue, MOMENT_MILLIS) != null) {
            // What was sent meanwhile.
        }
    }

    @Test
    void shouldDeliverWhatADurableSharedSubscriptionSelects() throws JMSException {
        awaitSubscribed("news", "news.read");
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

    /** Method: the message's branch has prepared when the database fails. */
    @Test
    void shouldRollBackTheMessageWhenTheDatabaseFails() throws Exception {
        assertThat(ask("sides?name=three&fail=database")).isEqualTo("not committed 0");
        assertThat(take("sides", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldDeliverIntoADatabaseInOneTransaction() throws JMSException {
        context.createProducer().setProperty(EchoBean.ROLLBACKS, 1).send(context.createQueue("store.in"), "once");
        Message answer = take("store.out", PATIENCE_MILLIS);
        assertThat(answer.getBody(String.class)).as("rows").isEqualTo("1");
        assertThat(answer.getIntProperty(EchoBean.COUNT)).isEqualTo(2);
        assertThat(take("store.out", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldCommitADeliveryWhoseBeanThrowsAnApplicationException() throws JMSException {
        context.createProducer().send(context.createQueue("telling.in"), "told");
        Message answer = take("telling.out", PATIENCE_MILLIS);
        assertThat(answer.getBody(String.class)).isEqualTo("told");
        assertThat(answer.getIntProperty(EchoBean.COUNT)).isEqualTo(1);
        assertThat(take("telling.out", MOMENT_MILLIS)).as("delivered again").isNull();
        assertThat(take("telling.in", MOMENT_MILLIS)).as("left").isNull();
    }

    @Test
    void shouldMoveAPoisonousMessageToTheDeadLettersAfterSoManyDeliveries() throws JMSException {
        context.createProducer().send(context.createQueue("poison.in"), "poison");
        context.createProducer().send(context.createQueue("poison.in"), "food");
        Message letter = take("DLQ.poison.in", PATIENCE_MILLIS);
        assertThat(letter.getBody(String.class)).isEqualTo("poison");
        assertThat(letter.getLongProperty(DeadLetters.DELIVERY_COUNT)).isEqualTo(3);
        assertThat(take("poison.out", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("food");
        assertThat(take("poison.out", MOMENT_MILLIS)).isNull();
    }

    /** Goal: what is not tried while it pauses is not counted as delivered. */
    @Test
    void shouldPauseWhenDeliveriesFailInARowAndGoOnWhenOneSucceeds() throws Exception {
        int before = Integer.parseInt(ask("fragile?broken=true"));
        log.mark();
        for (int i = 0; i < FRAGILE; i++) {
            context.createProducer().send(context.createQueue("fragile.in"), "fragile " + i);
        }
        log.await("deliveries failed in a row");
        int failures = Integer.parseInt(ask("fragile?broken=false")) - before;
        List<String> got = new ArrayList<>();
        int deliveries = 0;
        for (int i = 0; i < FRAGILE; i++) {
            Message message = take("fragile.out", PATIENCE_MILLIS);
            got.add(message.getBody(String.class));
            deliveries += message.getIntProperty(EchoBean.COUNT);
        }
        assertThat(got).doesNotHaveDuplicates().hasSize(FRAGILE);
        assertThat(deliveries).as("deliveries").isEqualTo(FRAGILE + failures);
        log.await("a delivery has succeeded");
        assertThat(log.lines("deliveries failed in a row")).hasSize(1);
        assertThat(log.lines("a delivery has succeeded")).hasSize(1);
    }

    @Test
    void shouldDeliverToADurableSubscriptionThatIsNotShared() throws JMSException {
        awaitSubscribed("prices", "prices.read");
        context.createProducer().send(context.createTopic("prices"), "up");
        assertThat(take("prices.read", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("up");
        assertThat(take("prices.read", MOMENT_MILLIS)).isNull();
    }
}
