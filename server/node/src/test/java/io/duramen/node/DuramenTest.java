package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.node.directory.DirectoryInUseException;
import io.duramen.runtime.settings.SettingsException;
import jakarta.jms.CompletionListener;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole way: the JMS client, over TCP and inside the JVM, to disk and back. */
@Timeout(120)
class DuramenTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    Path data;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCarryMessagesThroughAQueueInOrder(boolean tcp) throws Exception {
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                JMSContext context = factory(node, tcp).createContext()) {
            Queue queue = context.createQueue("orders");
            JMSProducer producer = context.createProducer();
            for (int i = 0; i < 200; i++) {
                producer.setProperty("number", i).send(queue, "order " + i);
            }
            JMSConsumer consumer = context.createConsumer(queue);
            for (int i = 0; i < 200; i++) {
                Message message = consumer.receive(PATIENCE_MILLIS);
                assertThat(message.getBody(String.class)).isEqualTo("order " + i);
                assertThat(message.getIntProperty("number")).isEqualTo(i);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldKeepMessagesAndSubscriptionsWhenTheNodeRestarts() throws Exception {
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                JMSContext context = factory(node, true).createContext()) {
            context.setClientID("shop");
            Topic topic = context.createTopic("prices");
            context.createDurableConsumer(topic, "archive").close();
            context.createProducer().send(topic, "10");
            context.createProducer().send(context.createQueue("orders"), "kept");
        }
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                JMSContext context = factory(node, true).createContext()) {
            context.setClientID("shop");
            assertThat(context.createConsumer(context.createQueue("orders")).receiveBody(String.class, PATIENCE_MILLIS))
                    .isEqualTo("kept");
            assertThat(context.createDurableConsumer(context.createTopic("prices"), "archive")
                            .receiveBody(String.class, PATIENCE_MILLIS))
                    .isEqualTo("10");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldShowATransactionWhollyOrNotAtAll(boolean tcp) throws Exception {
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                JMSContext outer = factory(node, tcp).createContext();
                JMSContext transacted = outer.createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue in = outer.createQueue("in");
            Queue out = outer.createQueue("out");
            outer.createProducer().send(in, "x");
            JMSConsumer consumer = transacted.createConsumer(in);
            JMSConsumer watcher = outer.createConsumer(out);
            assertThat(consumer.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("x");
            transacted.createProducer().send(out, "y");
            transacted.rollback();
            assertThat(watcher.receiveNoWait()).isNull();
            Message again = consumer.receive(PATIENCE_MILLIS);
            assertThat(again.getJMSRedelivered()).isTrue();
            transacted.createProducer().send(out, "z");
            transacted.commit();
            assertThat(watcher.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("z");
        }
    }

    @Test
    void shouldCompleteManyAsynchronousSends() throws Exception {
        int count = 5_000;
        CountDownLatch completed = new CountDownLatch(count);
        CompletableFuture<Exception> failed = new CompletableFuture<>();
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start();
                JMSContext context = factory(node, true).createContext()) {
            Queue queue = context.createQueue("many");
            JMSProducer producer = context.createProducer().setAsync(new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    completed.countDown();
                }

                @Override
                public void onException(Message message, Exception exception) {
                    failed.complete(exception);
                }
            });
            for (int i = 0; i < count; i++) {
                producer.send(queue, "m" + i);
            }
            assertThat(completed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(failed).isNotDone();
            JMSConsumer consumer = context.createConsumer(queue);
            for (int i = 0; i < count; i++) {
                assertThat(consumer.receiveBody(String.class, PATIENCE_MILLIS)).isEqualTo("m" + i);
            }
        }
    }

    @Test
    void shouldLetInOnlyWhoIsKnownWhenAnonymousAccessIsOff() throws Exception {
        try (Duramen node = TestNodes.embedded()
                .dataDirectory(data)
                .setting("security.anonymous", "false")
                .setting("security.password-iterations", "10000")
                .start()) {
            ConnectionFactory factory = factory(node, true);
            String secret = Files.readString(data.resolve("admin-secret")).trim();
            try (JMSContext context = factory.createContext("admin", secret)) {
                context.createProducer().send(context.createQueue("q"), "in");
            }
            assertThatThrownBy(() -> factory.createContext("admin", "guess")
                            .createProducer()
                            .send(null, ""))
                    .isInstanceOf(JMSSecurityRuntimeException.class);
            assertThatThrownBy(() -> factory.createContext().createProducer().send(null, ""))
                    .isInstanceOf(JMSSecurityRuntimeException.class);
        }
    }

    @Test
    void shouldRefuseADirectoryInUseAndASettingThatIsNone() throws Exception {
        try (Duramen node = TestNodes.embedded().dataDirectory(data).start()) {
            assertThatThrownBy(() -> TestNodes.embedded().dataDirectory(data).start())
                    .isInstanceOf(DirectoryInUseException.class);
            assertThat(node.port()).isPositive();
        }
        assertThatThrownBy(
                        () -> TestNodes.embedded().setting("network.prot", "1").start())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("network.port");
    }

    private static ConnectionFactory factory(Duramen node, boolean tcp) {
        return tcp ? new DuramenConnectionFactory(node.url()) : node.connectionFactory();
    }
}
