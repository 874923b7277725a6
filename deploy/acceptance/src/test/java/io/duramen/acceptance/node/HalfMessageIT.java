package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.HalfMessage;
import io.duramen.jms.session.HalfMessageChecker.Check;
import io.duramen.jms.session.HalfMessageChecker.Verdict;
import io.duramen.jms.session.HalfMessageChecks;
import io.duramen.jms.session.HalfMessageSender;
import io.duramen.jms.session.HalfMessageState;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Half messages, the server killed between each step and the next. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HalfMessageIT {
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    private Path directory;

    private ServerProcess server;
    private DuramenConnection connection;
    private HalfMessageSender sender;

    @BeforeEach
    void start() throws Exception {
        server = ServerProcess.on(directory.resolve("data"))
                .with("broker.half-check-after", "500ms")
                .with("broker.half-check-backoff", "200ms")
                .with("broker.half-checks-max", "3")
                .start();
        connection = (DuramenConnection) new DuramenConnectionFactory(server.url()).createConnection();
        connection.start();
        sender = connection.createHalfMessageSender("shop");
    }

    @AfterEach
    void end() throws JMSException {
        connection.close();
        server.close();
    }

    private void killed() throws Exception {
        server.kill();
        server.start();
    }

    private HalfMessage prepares(String text) throws JMSException {
        return sender.prepare(new DuramenQueue("orders"), sender.session().createTextMessage(text));
    }

    private List<Message> drain(String queue) throws JMSException {
        List<Message> messages = new ArrayList<>();
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(new DuramenQueue(queue));
            for (Message next = consumer.receiveNoWait(); next != null; next = consumer.receiveNoWait()) {
                messages.add(next);
            }
        }
        return messages;
    }

    private List<String> texts(String queue) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message message : drain(queue)) {
            texts.add(message.getBody(String.class));
        }
        return texts;
    }

    @Test
    void shouldBeSeenOnceAndOnlyOnceConfirmed() throws Exception {
        sender.setCheckAfter(Duration.ofHours(1));
        HalfMessage confirmed = prepares("confirmed");
        HalfMessage cancelled = prepares("cancelled");
        killed();
        assertThat(texts("orders")).isEmpty();
        assertThat(connection.halfMessages())
                .extracting(HalfMessageState::id)
                .containsExactlyInAnyOrder(confirmed.id(), cancelled.id());
        confirmed.confirm();
        killed();
        cancelled.cancel();
        killed();
        sender.confirm(confirmed.id());
        sender.cancel(cancelled.id());
        assertThatThrownBy(cancelled::confirm).isInstanceOf(IllegalStateException.class);
        assertThat(texts("orders")).containsExactly("confirmed");
        killed();
        assertThat(texts("orders")).isEmpty();
        assertThat(connection.halfMessages()).isEmpty();
    }

    @Test
    void shouldAskUntilSomebodyKnows() throws Exception {
        HalfMessage half = prepares("m1");
        killed();
        BlockingQueue<Check> asked = new LinkedBlockingQueue<>();
        BlockingQueue<Verdict> said = new LinkedBlockingQueue<>();
        HalfMessageChecks checks = connection.checkHalfMessages("shop", check -> {
            asked.add(check);
            return said.take();
        });
        Check first = asked.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(first.id()).isEqualTo(half.id());
        assertThat(first.message().getBody(String.class)).isEqualTo("m1");
        said.add(Verdict.UNKNOWN);
        killed();
        Check second = asked.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(second.asks()).isGreaterThan(first.asks());
        server.kill();
        said.add(Verdict.CONFIRM);
        server.start();
        checks.close();
        assertThat(texts("orders")).containsExactly("m1");
    }

    @Test
    void shouldParkWhatNobodyKnows() throws Exception {
        HalfMessage half = prepares("m1");
        BlockingQueue<Integer> asks = new LinkedBlockingQueue<>();
        HalfMessageChecks checks = connection.checkHalfMessages("shop", check -> {
            asks.add(check.asks());
            return Verdict.UNKNOWN;
        });
        for (int i = 1; i <= 3; i++) {
            assertThat(asks.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(i);
            killed();
        }
        checks.close();
        try (Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(new DuramenQueue("parked"))) {
            Message parked = consumer.receive(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertThat(parked.getBody(String.class)).isEqualTo("m1");
            assertThat(parked.getStringProperty("JMS_Duramen_Origin")).isEqualTo("orders");
            assertThat(parked.getStringProperty("JMS_Duramen_HalfGroup")).isEqualTo("shop");
            assertThat(parked.getStringProperty("JMS_Duramen_Cause")).contains("asked 3 times");
        }
        killed();
        HalfMessageState state = connection.halfMessages().get(0);
        assertThat(state.id()).isEqualTo(half.id());
        assertThat(state.parked()).contains("queue 'parked'");
        assertThatThrownBy(half::confirm)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("parked");
        assertThat(texts("orders")).isEmpty();
    }
}
