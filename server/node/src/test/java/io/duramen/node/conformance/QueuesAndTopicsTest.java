package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chapters 4 and 5, the two domains and their destinations. */
class QueuesAndTopicsTest extends OnANode {
    @Test
    @Section({"4.1.4", "4.2.6", "6.2.3"})
    void shouldNameADestinationByWhatCreatesItAgain() throws Exception {
        assertThat(session.createQueue(queue.getQueueName())).isEqualTo(queue);
        assertThat(session.createTopic(topic.getTopicName())).isEqualTo(topic);
        assertThat(queue.toString()).isEqualTo(queue.getQueueName());
        assertThatThrownBy(() -> session.createQueue(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createTopic("")).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    @Section("4.1.6")
    void shouldBrowseWithoutTakingAnything() throws Exception {
        send("a", "b");
        QueueBrowser browser = session.createBrowser(queue);
        assertThat(browser.getQueue()).isEqualTo(queue);
        assertThat(browser.getMessageSelector()).isNull();
        for (int i = 0; i < 2; i++) {
            List<String> seen = new ArrayList<>();
            for (Enumeration<?> view = browser.getEnumeration(); view.hasMoreElements(); ) {
                seen.add(text((Message) view.nextElement()));
            }
            assertThat(seen).containsExactly("a", "b");
        }
        browser.close();
        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            assertThat(consumer.receive(PATIENCE).getJMSRedelivered()).isFalse();
        }
    }

    /** Answers the next request at a destination with its text. */
    private void answer(MessageConsumer requests) throws JMSException {
        requests.setMessageListener(request -> {
            try {
                session.createProducer(request.getJMSReplyTo()).send(session.createTextMessage("re: " + text(request)));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    @Section("4.1.7")
    void shouldServeAQueueRequestor() throws Exception {
        answer(session.createConsumer(queue));
        try (QueueConnection queues = factory().createQueueConnection()) {
            queues.start();
            QueueSession own = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            QueueRequestor requestor = new QueueRequestor(own, queue);
            assertThat(text(requestor.request(own.createTextMessage("hello")))).isEqualTo("re: hello");
            requestor.close();
            assertThatThrownBy(own::createMessage).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @Section("4.2.10")
    void shouldServeATopicRequestor() throws Exception {
        answer(session.createConsumer(topic));
        try (TopicConnection topics = factory().createTopicConnection()) {
            topics.start();
            TopicSession own = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
            TopicRequestor requestor = new TopicRequestor(own, topic);
            assertThat(text(requestor.request(own.createTextMessage("hello")))).isEqualTo("re: hello");
            requestor.close();
        }
    }

    @Test
    @Section({"4.1.5", "4.2.7"})
    void shouldEndTemporaryDestinationsWithTheirConnection() throws Exception {
        TemporaryQueue temporary;
        try (Connection other = factory().createConnection()) {
            temporary = other.createSession().createTemporaryQueue();
            session.createProducer(temporary).send(session.createMessage());
        }
        assertThatThrownBy(() -> session.createProducer(temporary).send(session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    @Section("5.3")
    void shouldServeAllDomainsFromOneFactory() throws Exception {
        assertThat(factory())
                .isInstanceOf(jakarta.jms.ConnectionFactory.class)
                .isInstanceOf(jakarta.jms.QueueConnectionFactory.class)
                .isInstanceOf(jakarta.jms.TopicConnectionFactory.class);
    }
}
