package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Section 6.2, sessions, and 9.2, what the older sessions must not do. */
class SessionsTest extends OnANode {
    @Test
    @Section("6.2.5")
    void shouldRefuseASecondThreadWhileOneReceives() throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        MessageConsumer other = session.createConsumer(queue);
        CompletableFuture<Message> received = new CompletableFuture<>();
        Thread receiving = new Thread(() -> {
            try {
                received.complete(consumer.receive(PATIENCE));
            } catch (JMSException e) {
                received.completeExceptionally(e);
            }
        });
        receiving.start();
        await().until(() -> receiving.getState() == Thread.State.TIMED_WAITING);
        for (Action second : List.<Action>of(
                other::receiveNoWait,
                () -> session.createProducer(queue).send(session.createMessage()),
                session::recover)) {
            assertThatThrownBy(second::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("one thread at a time");
        }
        session.close(); // the one thing that another thread may do
        assertThat(received.get(PATIENCE, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    @Section("6.2.5")
    void shouldNotReceiveInASessionThatHasAListener() throws Exception {
        MessageConsumer other = session.createConsumer(queue);
        MessageConsumer listening = session.createConsumer(session.createQueue(name("other")));
        listening.setMessageListener(message -> {});
        assertThatThrownBy(() -> other.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> listening.receiveNoWait()).isInstanceOf(IllegalStateException.class);
        listening.setMessageListener(null);
        assertThat(other.receiveNoWait()).isNull();
    }

    @Test
    @Section({"6.2.6", "6.2.13"})
    void shouldRunTheListenersOfASessionOneAfterTheOther() throws Exception {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        CountDownLatch both = new CountDownLatch(2);
        MessageProducer producer = session.createProducer(null);
        for (int i = 0; i < 2; i++) {
            var each = session.createQueue(name("each"));
            producer.send(each, session.createTextMessage("m"));
            session.createConsumer(each).setMessageListener(message -> {
                events.add("in");
                Thread.yield();
                events.add("out");
                both.countDown();
            });
        }
        both.await();
        assertThat(events).containsExactly("in", "out", "in", "out");
    }

    @Test
    @Section("6.2.7")
    void shouldCommitOrRollBackSendsAndReceivesTogether() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        var results = session.createQueue(name("results"));
        send("m");
        MessageConsumer in = transacted.createConsumer(queue);
        MessageProducer out = transacted.createProducer(results);
        MessageConsumer watching = session.createConsumer(results);
        assertThat(text(in.receive(PATIENCE))).isEqualTo("m");
        out.send(transacted.createTextMessage("one"));
        transacted.rollback();
        assertThat(watching.receive(MOMENT)).isNull();
        Message again = in.receive(PATIENCE);
        assertThat(again.getJMSRedelivered()).isTrue();
        out.send(transacted.createTextMessage("two"));
        assertThat(watching.receive(MOMENT)).isNull();
        transacted.commit();
        assertThat(text(watching.receive(PATIENCE))).isEqualTo("two");
        assertThat(in.receive(MOMENT)).isNull();
        assertThat(transacted.getTransacted()).isTrue();
        assertThatThrownBy(transacted::recover).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("6.2.9")
    void shouldKeepTheOrderOfOneProducerOverDeliveryModes() throws Exception {
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 100; i++) {
            producer.setDeliveryMode(1 + i % 2);
            producer.send(session.createTextMessage(String.valueOf(i)));
        }
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 100; i++) {
            assertThat(text(consumer.receive(PATIENCE))).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    @Section("6.2.10")
    void shouldAcknowledgeAllThatTheSessionHasGivenAndRedeliverTheRestInOrder() throws Exception {
        send("1", "2", "3", "4");
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        consumer.receive(PATIENCE);
        consumer.receive(PATIENCE).acknowledge();
        consumer.receive(PATIENCE);
        consumer.receive(PATIENCE);
        client.recover();
        assertThat(text(consumer.receive(PATIENCE))).isEqualTo("3");
        assertThat(text(consumer.receive(PATIENCE))).isEqualTo("4");
        client.close();
        assertThat(receive(TextMessage.class).getText()).isEqualTo("3");
    }

    @Test
    @Section({"6.2.10", "3.6"})
    void shouldIgnoreAcknowledgeWhereTheSessionDoesIt() throws Exception {
        for (int mode : List.of(Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE)) {
            try (Session own = connection.createSession(mode)) {
                send("m");
                try (MessageConsumer consumer = own.createConsumer(queue)) {
                    consumer.receive(PATIENCE).acknowledge();
                    assertThat(consumer.receive(MOMENT)).isNull();
                }
            }
        }
    }

    @Test
    @Section({"6.2.10", "8.7"})
    void shouldRedeliverWhatAListenerThrewAt() throws Exception {
        BlockingQueue<Boolean> seen = new LinkedBlockingQueue<>();
        send("m");
        session.createConsumer(queue).setMessageListener(message -> {
            try {
                seen.add(message.getJMSRedelivered());
                if (!message.getJMSRedelivered()) {
                    throw new RuntimeException("no");
                }
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(seen.poll(PATIENCE, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(seen.poll(PATIENCE, TimeUnit.MILLISECONDS)).isTrue();
    }

    @Test
    @Section({"6.2.2", "4.1.5"})
    void shouldKeepTemporaryDestinationsToTheirConnection() throws Exception {
        TemporaryQueue temporary = session.createTemporaryQueue();
        try (Connection other = factory().createConnection()) {
            Session foreign = other.createSession();
            foreign.createProducer(temporary).send(foreign.createTextMessage("reply"));
            assertThatThrownBy(() -> foreign.createConsumer(temporary)).isInstanceOf(InvalidDestinationException.class);
        }
        MessageConsumer consumer = session.createConsumer(temporary);
        assertThat(text(consumer.receive(PATIENCE))).isEqualTo("reply");
        assertThatThrownBy(temporary::delete).isInstanceOf(JMSException.class); // it has a consumer
        consumer.close();
        temporary.delete();
        assertThatThrownBy(() -> session.createProducer(temporary)).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    @Section("6.2.15")
    void shouldNotLetAListenerCloseItsOwnSession() throws Exception {
        BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();
        send("m");
        session.createConsumer(queue).setMessageListener(message -> {
            try {
                session.close();
            } catch (JMSException e) {
                outcomes.add(e);
            }
        });
        assertThat(outcomes.poll(PATIENCE, TimeUnit.MILLISECONDS)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("9.2")
    void shouldRefuseTopicsInAQueueSession() throws Exception {
        try (QueueConnection queues = factory().createQueueConnection()) {
            QueueSession own = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            for (Action forbidden : List.<Action>of(
                    () -> own.createTopic("t"),
                    own::createTemporaryTopic,
                    () -> own.createDurableSubscriber(topic, "s"),
                    () -> own.createDurableConsumer(topic, "s"),
                    () -> own.createSharedConsumer(topic, "s"),
                    () -> own.createSharedDurableConsumer(topic, "s"),
                    () -> own.unsubscribe("s"),
                    () -> queues.createDurableConnectionConsumer(topic, "s", null, () -> null, 1),
                    () -> queues.createSharedConnectionConsumer(topic, "s", null, () -> null, 1),
                    () -> queues.createSharedDurableConnectionConsumer(topic, "s", null, () -> null, 1))) {
                assertThatThrownBy(forbidden::run).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @Test
    @Section("9.2")
    void shouldRefuseQueuesInATopicSession() throws Exception {
        try (TopicConnection topics = factory().createTopicConnection()) {
            TopicSession own = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
            for (Action forbidden : List.<Action>of(
                    () -> own.createQueue("q"), own::createTemporaryQueue, () -> own.createBrowser(queue))) {
                assertThatThrownBy(forbidden::run).isInstanceOf(IllegalStateException.class);
            }
        }
    }
}
