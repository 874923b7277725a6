package io.duramen.node.conformance;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.node.Duramen;
import io.duramen.node.TestNodes;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node for the tests of a class; for each test a started connection, a session, and a queue and topic of its own. */
@Timeout(60)
@DisplayNameGeneration(SectionNames.class)
abstract class OnANode {
    /** Long enough for what must come. */
    static final long PATIENCE = 20_000;
    /** Time given to what must not come; such tests cannot fail wrongly, only pass wrongly on a slow machine. */
    static final long MOMENT = 150;

    private static final AtomicInteger COUNT = new AtomicInteger();

    @TempDir
    static Path data;

    static Duramen node;

    Connection connection;
    Session session;
    Queue queue;
    Topic topic;

    @BeforeAll
    static void startNode() throws IOException {
        node = TestNodes.embedded().dataDirectory(data).start();
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    static DuramenConnectionFactory factory() {
        return new DuramenConnectionFactory(node.url());
    }

    static String name(String stem) {
        return stem + "." + COUNT.incrementAndGet();
    }

    @BeforeEach
    void connect() throws JMSException {
        connection = factory().createConnection();
        session = connection.createSession();
        queue = session.createQueue(name("queue"));
        topic = session.createTopic(name("topic"));
        connection.start();
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
    }

    /** Sends it to the queue. */
    void send(Message message) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        producer.send(message);
        producer.close();
    }

    void send(String... texts) throws JMSException {
        for (String text : texts) {
            send(session.createTextMessage(text));
        }
    }

    /** Receives one from the queue. */
    <M extends Message> M receive(Class<M> type) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            return type.cast(consumer.receive(PATIENCE));
        }
    }

    /** Sends it to the queue and receives it. */
    <M extends Message> M through(M message) throws JMSException {
        send(message);
        @SuppressWarnings("unchecked")
        Class<M> type = (Class<M>) message.getClass();
        return receive(type);
    }

    static String text(Message message) throws JMSException {
        return message == null ? null : ((TextMessage) message).getText();
    }

    /** What an enumeration of the API, which has no type, holds. */
    static List<String> names(Enumeration<?> names) {
        List<String> list = new ArrayList<>();
        names.asIterator().forEachRemaining(each -> list.add((String) each));
        return list;
    }

    /** Something of the API that may fail. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    static CompletableFuture<Void> inBackground(Action action) {
        return CompletableFuture.runAsync(() -> {
            try {
                action.run();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }
}
