package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.node.TestNodes;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is kept for whom, and for how long: sections 4.1.8, 4.2.8 to 4.2.11, 6.2, 6.2.11, 6.2.12, 7.3.1 and 9.1. */
class ReliabilityTest extends OnANode {
    private static final String CLIENT_ID = "reliable";

    /** Stops the node and starts it again on its data, elsewhere, and connects anew. */
    private void restart() throws Exception {
        node.close();
        connection.close();
        node = TestNodes.embedded().dataDirectory(data).start();
        connection = factory().createConnection();
        session = connection.createSession();
        connection.start();
    }

    private static Session durable(Connection connection) throws Exception {
        connection.setClientID(CLIENT_ID);
        connection.start();
        return connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    }

    private void nothingIsLeft() throws Exception {
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            assertThat(consumer.receive(MOMENT)).isNull();
        }
    }

    @Test
    @Section({"4.1.8", "9.1"})
    void shouldHoldMessagesOfAQueueForWhoeverComesHoweverLate() throws Exception {
        send("a", "b");
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("c"), DeliveryMode.NON_PERSISTENT, 4, 0);
        restart();
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("a");
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("b");
            Message last = consumer.receive(PATIENCE); // at most once: a clean stop loses it not
            assertThat(last == null || !last.getJMSRedelivered()).isTrue();
        }
        nothingIsLeft();
    }

    @Test
    @Section({"4.2.11", "4.2.9", "9.1"})
    void shouldRetainForADurableSubscriptionWhatComesWhileItIsInactiveOverARestart() throws Exception {
        String name = name("durable");
        try (Connection other = factory().createConnection()) {
            durable(other).createDurableConsumer(topic, name).close();
        }
        session.createProducer(topic).send(session.createTextMessage("kept"));
        restart();
        try (Connection other = factory().createConnection()) {
            Session own = durable(other);
            MessageConsumer again = own.createDurableConsumer(topic, name);
            Message kept = again.receive(PATIENCE);
            assertThat(text(kept)).isEqualTo("kept");
            kept.acknowledge();
            assertThat(again.receive(MOMENT)).isNull();
            again.close();
            own.unsubscribe(name);
        }
        restart();
        try (Connection other = factory().createConnection()) {
            Session own = durable(other);
            assertThatThrownBy(() -> own.unsubscribe(name)).isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    @Section({"6.2", "4.2.8"})
    void shouldRetainWhatASessionHadReceivedAndNotAcknowledgedWhenItEnds() throws Exception {
        String name = name("durable");
        try (Connection other = factory().createConnection()) {
            Session ending = durable(other);
            MessageConsumer ofQueue = ending.createConsumer(queue);
            MessageConsumer ofTopic = ending.createDurableConsumer(topic, name);
            send("of the queue");
            session.createProducer(topic).send(session.createTextMessage("of the topic"));
            assertThat(ofQueue.receive(PATIENCE)).isNotNull();
            assertThat(ofTopic.receive(PATIENCE)).isNotNull();
            ending.close();
            Session next = other.createSession();
            for (MessageConsumer again : List.of(next.createConsumer(queue), next.createDurableConsumer(topic, name))) {
                Message message = again.receive(PATIENCE);
                assertThat(message.getJMSRedelivered()).isTrue();
                assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
            }
        }
    }

    @Test
    @Section("4.2.8")
    void shouldRecoverForANonDurableSubscriberWhatItHasNotAcknowledged() throws Exception {
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(topic);
        session.createProducer(topic).send(session.createTextMessage("m"));
        assertThat(text(consumer.receive(PATIENCE))).isEqualTo("m");
        client.recover();
        Message again = consumer.receive(PATIENCE);
        assertThat(text(again)).isEqualTo("m");
        assertThat(again.getJMSRedelivered()).isTrue();
        again.acknowledge();
    }

    @Test
    @Section({"6.2.11", "9.1", "3.4.7"})
    void shouldDeliverAgainWhatAFailureLeftUnacknowledgedAndNothingElse() throws Exception {
        send("acknowledged", "not acknowledged", "not seen");
        DuramenConnectionFactory once = factory();
        once.setReconnect(false);
        try (Connection failing = once.createConnection()) {
            failing.start();
            MessageConsumer consumer =
                    failing.createSession(AcknowledgeModes.INDIVIDUAL).createConsumer(queue);
            consumer.receive(PATIENCE).acknowledge();
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("not acknowledged");
            restart(); // under the hands of the client
        }
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("not acknowledged");
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("not seen");
        }
        nothingIsLeft();
    }

    @Test
    @Section({"6.2.12", "7.3.1"})
    void shouldHaveStoredEachMessageOnceWhenItSaysSo() throws Exception {
        BlockingQueue<Object> told = new LinkedBlockingQueue<>();
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 20; i++) {
            producer.send(session.createTextMessage("m" + i), Telling.to(told));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(told.poll(PATIENCE, TimeUnit.MILLISECONDS)).isInstanceOf(Message.class);
        }
        restart();
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            for (int i = 0; i < 20; i++) {
                assertThat(text(consumer.receive(PATIENCE))).isEqualTo("m" + i);
            }
        }
        nothingIsLeft();
        assertThat(told).isEmpty();
    }

    /** Notes each call. */
    private record Telling(BlockingQueue<Object> told) implements jakarta.jms.CompletionListener {
        static Telling to(BlockingQueue<Object> told) {
            return new Telling(told);
        }

        @Override
        public void onCompletion(Message message) {
            told.add(message);
        }

        @Override
        public void onException(Message message, Exception exception) {
            told.add(exception);
        }
    }
}
