package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The same while the node fails. */
abstract class ShopScenarios extends CoreScenarios {
    private static final int MESSAGES = 400;

    /**
     * @param httpUrl of the application server
     * @param log that it writes
     */
    ShopScenarios(String httpUrl, Path log) {
        super(httpUrl, log);
    }

    /** Method: the database's branch has prepared when the node is found to be away. */
    @Test
    void shouldRollBackTheDatabaseWhenTheNodeIsAway() throws Exception {
        try (Asked node = Asked.to(TestNode.node()::kill)) {
            assertThat(ask("sides?name=four&fail=" + node.url())).isEqualTo("not committed 0");
        } finally {
            TestNode.node().start();
        }
        assertThat(take("sides", MOMENT_MILLIS)).isNull();
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
