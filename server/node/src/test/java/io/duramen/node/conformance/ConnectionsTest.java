package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Section 6.1, connections. */
class ConnectionsTest extends OnANode {
    @Test
    @Section("6.1.1")
    void shouldRefuseAWrongPassword() {
        assertThatThrownBy(() -> factory().createConnection("admin", "wrong")).isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> factory().createContext("admin", "wrong"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }

    @Test
    @Section("6.1.2")
    void shouldTakeAClientIdOnlyBeforeAnythingElse() throws Exception {
        String id = name("client");
        try (Connection fresh = factory().createConnection();
                Connection other = factory().createConnection()) {
            fresh.setClientID(id);
            assertThat(fresh.getClientID()).isEqualTo(id);
            assertThatThrownBy(() -> fresh.setClientID("again")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> other.setClientID(id)).isInstanceOf(InvalidClientIDException.class);
            assertThatThrownBy(() -> other.setClientID("")).isInstanceOf(InvalidClientIDException.class);
            assertThatThrownBy(() -> other.setClientID(null)).isInstanceOf(InvalidClientIDException.class);
        }
        assertThatThrownBy(() -> connection.setClientID("late")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("6.1.2")
    void shouldNotLetAnApplicationChangeAConfiguredClientId() throws Exception {
        DuramenConnectionFactory configured = factory();
        configured.setClientId(name("client"));
        try (Connection fresh = configured.createConnection()) {
            assertThat(fresh.getClientID()).isEqualTo(configured.getClientId());
            assertThatThrownBy(() -> fresh.setClientID("mine")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @Section({"6.1.4", "6.1.5", "8.4"})
    void shouldDeliverOnlyWhileStarted() throws Exception {
        connection.stop();
        connection.stop(); // ignored
        MessageConsumer consumer = session.createConsumer(queue);
        send("m"); // sending needs no start
        assertThat(consumer.receive(MOMENT)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        connection.start(); // ignored
        assertThat(text(consumer.receive(PATIENCE))).isEqualTo("m");
    }

    @Test
    @Section("6.1.5")
    void shouldReturnFromStopOnceListenersHaveReturnedAndLetThemWork() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();
        MessageProducer replies = session.createProducer(session.createQueue(name("replies")));
        send("first", "second");
        session.createConsumer(queue).setMessageListener(message -> {
            running.countDown();
            try {
                go.await();
                replies.send(message);
                outcomes.add(text(message));
            } catch (JMSException | InterruptedException e) {
                outcomes.add(e);
            }
        });
        running.await();
        CompletableFuture<Void> stopped = inBackground(connection::stop);
        assertThatThrownBy(() -> stopped.get(MOMENT, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        go.countDown();
        stopped.get(PATIENCE, TimeUnit.MILLISECONDS);
        int told = outcomes.size();
        assertThat(outcomes).first().isEqualTo("first");
        assertThat(outcomes.poll(MOMENT, TimeUnit.MILLISECONDS)).isNotNull();
        assertThat(outcomes).hasSize(told - 1);
    }

    @Test
    @Section("6.1.6")
    void shouldSayWhatItIs() throws Exception {
        ConnectionMetaData data = connection.getMetaData();
        assertThat(data.getJMSVersion()).isEqualTo("3.1");
        assertThat(data.getJMSMajorVersion()).isEqualTo(3);
        assertThat(data.getJMSMinorVersion()).isEqualTo(1);
        assertThat(data.getJMSProviderName()).isEqualTo("Duramen");
        assertThat(data.getProviderVersion()).startsWith(data.getProviderMajorVersion() + ".");
    }

    @Test
    @Section("6.1.7")
    void shouldKeepItsExceptionListener() throws Exception {
        assertThat(connection.getExceptionListener()).isNull();
        connection.setExceptionListener(e -> {});
        assertThat(connection.getExceptionListener()).isNotNull();
        connection.setExceptionListener(null);
        assertThat(connection.getExceptionListener()).isNull();
    }

    @Test
    @Section({"6.1.8", "6.2.15"})
    void shouldRefuseEverythingButCloseOnceClosed() throws Exception {
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        send("m");
        MessageConsumer consumer = client.createConsumer(queue);
        MessageProducer producer = client.createProducer(queue);
        Message received = consumer.receive(PATIENCE);
        connection.close();
        connection.close();
        client.close();
        consumer.close();
        producer.close();
        assertThat(text(received)).isEqualTo("m");
        assertThatThrownBy(received::acknowledge).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::start).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::getMetaData).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(client::createMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getPriority).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("6.1.8")
    void shouldGiveBackWhatWasNotAcknowledgedOrCommittedWhenClosed() throws Exception {
        send("acknowledged not");
        try (Connection other = factory().createConnection()) {
            other.start();
            Session transacted = other.createSession(Session.SESSION_TRANSACTED);
            assertThat(text(transacted.createConsumer(queue).receive(PATIENCE))).isEqualTo("acknowledged not");
            transacted.createProducer(queue).send(transacted.createTextMessage("never committed"));
        }
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            Message again = consumer.receive(PATIENCE);
            assertThat(text(again)).isEqualTo("acknowledged not");
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(consumer.receive(MOMENT)).isNull();
        }
    }

    @Test
    @Section({"6.1.8", "8.8"})
    void shouldReturnNullFromAReceiveThatTheCloseEnds() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        CompletableFuture<Message> received = CompletableFuture.supplyAsync(() -> {
            try {
                return consumer.receive();
            } catch (JMSException e) {
                throw new JMSRuntimeException(e.getMessage(), null, e);
            }
        });
        assertThatThrownBy(() -> received.get(MOMENT, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        connection.close();
        assertThat(received.get(PATIENCE, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    @Section("6.1.8")
    void shouldLetARunningListenerFinishItsWorkWhenClosed() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();
        send("m");
        session.createConsumer(queue).setMessageListener(message -> {
            running.countDown();
            try {
                go.await();
                session.createProducer(session.createQueue("late")).send(session.createTextMessage("late"));
                connection.createSession().close();
                outcomes.add("sent");
            } catch (JMSException | InterruptedException e) {
                outcomes.add(e);
            }
        });
        running.await();
        CompletableFuture<Void> closed = inBackground(connection::close);
        assertThatThrownBy(() -> closed.get(MOMENT, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        go.countDown();
        closed.get(PATIENCE, TimeUnit.MILLISECONDS);
        assertThat(outcomes).containsExactly("sent");
    }

    @Test
    @Section({"6.1.4", "6.1.8", "6.2.15"})
    void shouldShareAConnectionBetweenContextsUntilTheLastIsClosed() throws Exception {
        JMSContext first = factory().createContext();
        JMSContext second = first.createContext(JMSContext.CLIENT_ACKNOWLEDGE);
        assertThat(second.getSessionMode()).isEqualTo(JMSContext.CLIENT_ACKNOWLEDGE);
        first.close();
        second.createProducer().send(queue, "m");
        assertThat(second.createConsumer(queue).receiveBody(String.class, PATIENCE))
                .isEqualTo("m"); // started by itself
        second.close();
        assertThatThrownBy(() -> second.createProducer()).isInstanceOf(jakarta.jms.IllegalStateRuntimeException.class);
        assertThatCode(second::close).doesNotThrowAnyException();
    }

    @Test
    @Section("6.1.4")
    void shouldNotStartByItselfWhereAContextIsToldNotTo() {
        try (JMSContext context = factory().createContext()) {
            context.setAutoStart(false);
            context.createProducer().send(queue, "m");
            var consumer = context.createConsumer(queue);
            assertThat(consumer.receive(MOMENT)).isNull();
            context.start();
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("m");
        }
    }
}
