package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Chapter 7, sending. */
class SendingTest extends OnANode {
    /** Notes what it is told, after doing something. */
    private record Noting(BlockingQueue<Object> noted, Action first) implements CompletionListener {
        Noting() {
            this(new LinkedBlockingQueue<>(), () -> {});
        }

        Noting(Action first) {
            this(new LinkedBlockingQueue<>(), first);
        }

        @Override
        public void onCompletion(Message message) {
            try {
                first.run();
                noted.add(message);
            } catch (Exception e) {
                noted.add(e);
            }
        }

        @Override
        public void onException(Message message, Exception exception) {
            noted.add(exception);
        }

        Object next() throws InterruptedException {
            return noted.poll(PATIENCE, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    @Section("7.1")
    void shouldSendOnlyWhereTheProducerWasMadeFor() throws Exception {
        MessageProducer bound = session.createProducer(queue);
        MessageProducer free = session.createProducer(null);
        Message message = session.createMessage();
        assertThatThrownBy(() -> bound.send(queue, message)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> free.send(message)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> free.send((Queue) null, message)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> bound.send(null)).isInstanceOf(MessageFormatException.class);
        assertThat(bound.getDestination()).isEqualTo(queue);
        assertThat(free.getDestination()).isNull();
    }

    @Test
    @Section({"7.4", "7.7", "7.8", "7.9"})
    void shouldRefuseOptionsThatAreNone() throws Exception {
        MessageProducer producer = session.createProducer(queue);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        for (Action wrong : new Action[] {
            () -> producer.setDeliveryMode(3),
            () -> producer.setPriority(10),
            () -> producer.setPriority(-1),
            () -> producer.setTimeToLive(-1),
            () -> producer.setDeliveryDelay(-1),
            () -> producer.send(session.createMessage(), 7, 4, 0)
        }) {
            assertThatThrownBy(wrong::run).isInstanceOf(JMSException.class);
        }
    }

    @Test
    @Section({"7.3.3", "7.3.6", "7.3.8"})
    void shouldTellOfAsynchronousSendsInTheirOrderOnAnotherThread() throws Exception {
        MessageProducer producer = session.createProducer(queue);
        Thread sender = Thread.currentThread();
        Noting noting = new Noting(() -> assertThat(Thread.currentThread()).isNotSameAs(sender));
        for (int i = 0; i < 50; i++) {
            producer.setDeliveryMode(1 + i % 2);
            producer.send(session.createTextMessage(String.valueOf(i)), noting);
        }
        for (int i = 0; i < 50; i++) {
            TextMessage told = (TextMessage) noting.next();
            assertThat(told.getText()).isEqualTo(String.valueOf(i));
            assertThat(told.getJMSMessageID()).startsWith("ID:");
            assertThat(told.getJMSDestination()).isEqualTo(queue);
        }
    }

    @Test
    @Section("7.3.2")
    void shouldThrowAtOnceWhatIsWrongWithTheCall() throws Exception {
        Noting noting = new Noting();
        MessageProducer producer = session.createProducer(queue);
        assertThatThrownBy(() -> producer.send(null, noting)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> producer.send(session.createMessage(), null))
                .isInstanceOf(IllegalArgumentException.class);
        try (JMSContext context = factory().createContext()) {
            JMSProducer asynchronous = context.createProducer().setAsync(noting);
            assertThatThrownBy(() -> asynchronous.send(topic, (Message) null))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThatThrownBy(() -> asynchronous.send(null, context.createMessage()))
                    .isInstanceOf(InvalidDestinationRuntimeException.class);
        }
        assertThat(noting.noted).isEmpty();
    }

    @Test
    @Section("7.3.4")
    void shouldCloseAProducerOnlyWhenItsListenersWereTold() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Noting noting = new Noting(go::await);
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createMessage(), noting);
        CompletableFuture<Void> closed = inBackground(producer::close);
        assertThatThrownBy(() -> closed.get(MOMENT, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        go.countDown();
        closed.get(PATIENCE, TimeUnit.MILLISECONDS);
        assertThat(noting.noted).hasSize(1);
    }

    @Test
    @Section("7.3.4")
    void shouldCommitOnlyWhenTheListenersWereTold() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Noting noting = new Noting(go::await);
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        transacted.createProducer(queue).send(transacted.createTextMessage("m"), noting);
        CompletableFuture<Void> committed = inBackground(transacted::commit);
        assertThatThrownBy(() -> committed.get(MOMENT, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        go.countDown();
        committed.get(PATIENCE, TimeUnit.MILLISECONDS);
        assertThat(receive(TextMessage.class).getText()).isEqualTo("m");
    }

    @Test
    @Section("7.3.4")
    void shouldNotLetACompletionListenerEndWhatItBelongsTo() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = transacted.createProducer(queue);
        for (Action forbidden : new Action[] {
            transacted::commit, transacted::rollback, transacted::close, producer::close, connection::close
        }) {
            Noting noting = new Noting(forbidden);
            producer.send(transacted.createMessage(), noting);
            assertThat(noting.next()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @Section("7.3.4")
    void shouldLetACompletionListenerEndAnotherSession() throws Exception {
        Session other = connection.createSession();
        other.createProducer(queue).send(other.createMessage(), new Noting());
        Noting noting = new Noting(other::close);
        session.createProducer(queue).send(session.createMessage(), noting);
        assertThat(noting.next()).isInstanceOf(Message.class);
    }

    @Test
    @Section("7.3.7")
    void shouldLetACompletionListenerUseItsSessionWhereNobodyElseDoes() throws Exception {
        Queue next = session.createQueue(name("next"));
        MessageProducer producer = session.createProducer(null);
        Noting noting = new Noting(() -> producer.send(next, session.createTextMessage("next")));
        producer.send(queue, session.createMessage(), noting);
        assertThat(noting.next()).isInstanceOf(Message.class);
        MessageConsumer consumer = session.createConsumer(next);
        assertThat(text(consumer.receive(PATIENCE))).isEqualTo("next");
    }

    @Test
    @Section({"7.9", "3.4.13"})
    void shouldDeliverNothingBeforeItsTime() throws Exception {
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(600);
        long before = System.currentTimeMillis();
        TextMessage delayed = session.createTextMessage("delayed");
        producer.send(delayed);
        send("at once");
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo("at once");
            Message received = consumer.receive(PATIENCE);
            assertThat(text(received)).isEqualTo("delayed");
            assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(received.getJMSDeliveryTime());
            assertThat(received.getJMSDeliveryTime())
                    .isEqualTo(delayed.getJMSDeliveryTime())
                    .isGreaterThanOrEqualTo(before + 600);
        }
    }

    @Test
    @Section({"7.2", "7.7"})
    void shouldHaveStoredAPersistentMessageWhenSendReturns() throws Exception {
        send("m");
        try (jakarta.jms.QueueBrowser browser = session.createBrowser(queue)) {
            assertThat(browser.getEnumeration().hasMoreElements()).isTrue();
        }
    }

    @Test
    @Section({"7.5", "7.6", "7.10"})
    void shouldPutOnEachMessageWhatTheProducerOfAContextWasGiven() throws Exception {
        try (JMSContext context = factory().createContext()) {
            JMSProducer producer = context.createProducer()
                    .setProperty("number", 3)
                    .setJMSCorrelationID("c")
                    .setJMSType("t")
                    .setJMSReplyTo(topic)
                    .setPriority(7)
                    .setTimeToLive(60_000);
            assertThat(producer.getPropertyNames()).containsExactly("number");
            assertThat(producer.send(queue, "body")).isSameAs(producer);
            TextMessage received = receive(TextMessage.class);
            assertThat(received.getIntProperty("number")).isEqualTo(3);
            assertThat(received.getJMSCorrelationID()).isEqualTo("c");
            assertThat(received.getJMSType()).isEqualTo("t");
            assertThat(received.getJMSReplyTo()).isEqualTo(topic);
            assertThat(received.getJMSPriority()).isEqualTo(7);
            assertThat(received.getJMSExpiration()).isPositive();
            assertThatThrownBy(() -> producer.send(queue, received))
                    .isInstanceOf(MessageNotWriteableRuntimeException.class);
            producer.clearProperties().send(queue, Map.of("a", 1));
            assertThat(receive(Message.class).propertyExists("number")).isFalse();
        }
    }
}
