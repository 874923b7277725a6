package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.servers.app.EchoBean;
import io.duramen.servers.app.FirstBean;
import io.duramen.servers.app.FourthBean;
import io.duramen.servers.app.LoadBean;
import io.duramen.servers.app.LoadServlet;
import io.duramen.servers.app.SecondBean;
import io.duramen.servers.app.ThirdBean;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Four beans and the pool in load, while the node restarts and while the application is undeployed. */
abstract class LoadScenarios {
    /** Of the deployment that the tests deploy and undeploy themselves. */
    static final String APPLICATION = "application";

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final long PATIENCE_MILLIS = 60_000;
    private static final long MOMENT_MILLIS = 500;
    private static final int BEANS = 4;
    private static final int EACH_STEP = 100;
    private static final int BACKLOG = 2_000;

    /** Each bean has a connection, each that is at work, as each that sends, one of the pool, and recovery a few. */
    private static final int CONNECTIONS_MAX = 3 * BEANS + 4;

    private final String httpUrl;
    private final ServerLog log;
    private JMSContext context;

    @ArquillianResource
    private Deployer deployer;

    LoadScenarios(String httpUrl, Path log) {
        this.httpUrl = httpUrl;
        this.log = new ServerLog(log);
    }

    /** @param factory JNDI name that the server has for the adapter's connection factory */
    static WebArchive load(String factory) {
        return ShrinkWrap.create(WebArchive.class, "load.war")
                .addClasses(LoadBean.class, FirstBean.class, SecondBean.class, ThirdBean.class, FourthBean.class)
                .addClass(LoadServlet.class)
                .setWebXML(new StringAsset(CoreScenarios.WEB_XML.formatted(factory)))
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    @BeforeEach
    void connect() {
        context = new DuramenConnectionFactory(TestNode.url()).createContext();
        deployer.deploy(APPLICATION);
    }

    @AfterEach
    void disconnect() {
        context.close();
    }

    private static String queue(int bean) {
        return "load." + (bean + 1);
    }

    /** Method: an answer is known by its message id, as the client that reads answers may get one again. */
    @Test
    void shouldLoseNothingAndLogEachChangeOnceWhenTheNodeRestartsUnderLoad() throws Exception {
        log.mark();
        Map<String, String> answers = new HashMap<>();
        try (LoadSenders senders = LoadSenders.start(BEANS, bean -> httpUrl + "/load/send?queue=" + queue(bean));
                JMSConsumer consumer = context.createConsumer(context.createQueue("load.out"))) {
            awaitSent(senders, EACH_STEP);
            TestNode.restart();
            awaitSent(senders, EACH_STEP);
            TestNode.kill();
            awaitSent(senders, EACH_STEP);
            senders.stop();
            while (!answers.values().containsAll(senders.sent())) {
                Message answer = consumer.receive(PATIENCE_MILLIS);
                assertThat(answer).as("after %d answers", answers.size()).isNotNull();
                answers.put(answer.getJMSMessageID(), answer.getBody(String.class));
            }
            for (Message late = consumer.receive(MOMENT_MILLIS); late != null; late = consumer.receive(MOMENT_MILLIS)) {
                answers.put(late.getJMSMessageID(), late.getBody(String.class));
            }
            assertThat(answers.values()).doesNotHaveDuplicates();
            assertThat(senders.tried()).containsAll(answers.values());
        } finally {
            deployer.undeploy(APPLICATION);
        }
        assertEachChangeIsLoggedOnce();
    }

    private static void awaitSent(LoadSenders senders, int more) {
        int before = senders.sent().size();
        await().atMost(PATIENCE).until(() -> senders.sent().size() >= before + more);
    }

    private void assertEachChangeIsLoggedOnce() {
        List<String> lost = log.lines("Connection lost");
        assertThat(lost).hasSizeBetween(2 * BEANS, 2 * CONNECTIONS_MAX);
        // One that is closed while the node is away, as recovery closes its own, does not come back.
        assertThat(log.lines("Reconnected after")).hasSizeBetween(2 * BEANS, lost.size());
        assertThat(log.lines("gets no messages")).isEmpty();
        assertThat(log.adapterLines())
                .as("besides, what was in hand")
                .hasSizeLessThanOrEqualTo(2 * lost.size() + 4 * BEANS);
    }

    @Test
    void shouldLeaveTheRestUntouchedAndInOrderWhenItIsUndeployedUnderLoad() throws JMSException {
        for (int i = 0; i < BACKLOG; i++) {
            context.createProducer().send(context.createQueue(queue(0)), String.valueOf(i));
        }
        List<String> answered = new ArrayList<>();
        List<String> left = new ArrayList<>();
        try (JMSConsumer answers = context.createConsumer(context.createQueue("load.out"))) {
            while (answered.size() < EACH_STEP) {
                answered.add(once(answers.receive(PATIENCE_MILLIS), EchoBean.COUNT));
            }
            deployer.undeploy(APPLICATION);
            try (JMSConsumer rest = context.createConsumer(context.createQueue(queue(0)))) {
                while (answered.size() + left.size() < BACKLOG) { // an answer may take its time
                    takeAll(answers, EchoBean.COUNT, answered);
                    takeAll(rest, "JMSXDeliveryCount", left);
                }
            }
        }
        assertThat(left).as("what is left, or the test was too slow").isNotEmpty();
        answered.addAll(left);
        assertThat(answered)
                .containsExactlyElementsOf(
                        IntStream.range(0, BACKLOG).mapToObj(String::valueOf).toList());
    }

    private static void takeAll(JMSConsumer from, String count, List<String> into) throws JMSException {
        for (Message next = from.receive(MOMENT_MILLIS); next != null; next = from.receive(MOMENT_MILLIS)) {
            into.add(once(next, count));
        }
    }

    private static String once(Message message, String count) throws JMSException {
        assertThat(message).isNotNull();
        assertThat(message.getIntProperty(count))
                .as(message.getBody(String.class))
                .isEqualTo(1);
        return message.getBody(String.class);
    }
}
