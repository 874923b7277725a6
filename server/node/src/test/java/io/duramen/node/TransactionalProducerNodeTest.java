package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.Outcome;
import io.duramen.jms.session.ProducerFencedException;
import io.duramen.jms.session.TransactionalProducer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Producers with a name against a node: they fence, they know what went before, and nothing happens by halves. */
@Timeout(120)
class TransactionalProducerNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @TempDir
    Path data;

    private Duramen start(int port) throws Exception {
        return TestNodes.quick().dataDirectory(data).port(port).start();
    }

    private static DuramenConnection connect(Duramen node) throws JMSException {
        DuramenConnection connection = (DuramenConnection) new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
        return connection;
    }

    private static void send(TransactionalProducer producer, String queue, String text) throws JMSException {
        producer.send(producer.session().createQueue(queue), producer.session().createTextMessage(text));
    }

    private static List<String> drain(DuramenConnection connection, String queue) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            for (Message next = consumer.receiveNoWait(); next != null; next = consumer.receiveNoWait()) {
                texts.add(next.getBody(String.class));
            }
        }
        return texts;
    }

    @Test
    void shouldSendToSeveralDestinationsTogetherOrNotAtAll() throws Exception {
        try (Duramen node = start(0);
                DuramenConnection connection = connect(node);
                TransactionalProducer producer = connection.createTransactionalProducer("mover")) {
            assertThat(producer.lastTransaction()).isEmpty();
            producer.begin();
            send(producer, "a", "a1");
            send(producer, "b", "b1");
            assertThat(drain(connection, "a")).isEmpty();
            producer.commit();
            producer.begin();
            send(producer, "a", "a2");
            producer.abort();
            assertThat(drain(connection, "a")).containsExactly("a1");
            assertThat(drain(connection, "b")).containsExactly("b1");
        }
    }

    @Test
    void shouldFenceAPredecessorThatHangsAndHandItsInputOn() throws Exception {
        try (Duramen node = start(0);
                DuramenConnection hanging = connect(node);
                DuramenConnection connection = connect(node);
                Session session = connection.createSession()) {
            Queue in = session.createQueue("in");
            session.createProducer(in).send(session.createTextMessage("m1"));
            TransactionalProducer first = hanging.createTransactionalProducer("mover");
            Message taken = first.session().createConsumer(in).receive(PATIENCE_MILLIS);
            first.begin();
            send(first, "out", "first made of " + taken.getBody(String.class));

            TransactionalProducer second = connection.createTransactionalProducer("mover");
            assertThatThrownBy(first::commit).isInstanceOf(ProducerFencedException.class);
            first.close();
            Message again = second.session().createConsumer(in).receive(PATIENCE_MILLIS);
            second.begin();
            send(second, "out", "second made of " + again.getBody(String.class));
            second.commit();
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(drain(connection, "out")).containsExactly("second made of m1");
            second.close();
            assertThat(drain(connection, "in")).isEmpty();
        }
    }

    @Test
    void shouldKnowItsLastTransactionAfterARestart() throws Exception {
        int port;
        TransactionalProducer first;
        DuramenConnection connection;
        try (Duramen node = start(0)) {
            port = node.port();
            connection = connect(node);
            first = connection.createTransactionalProducer("mover");
            first.begin();
            send(first, "a", "a1");
            first.commit("line 1");
        }
        try (Duramen node = start(port);
                DuramenConnection other = connect(node)) {
            first.begin();
            send(first, "a", "a2");
            first.commit("line 2"); // the same incarnation, over a new connection
            TransactionalProducer second = other.createTransactionalProducer("mover");
            TransactionalProducer.LastTransaction last =
                    second.lastTransaction().orElseThrow();
            assertThat(last.label()).isEqualTo("line 2");
            assertThat(other.outcomeOf(last.transactionId())).isEqualTo(Outcome.COMMITTED);
            first.begin();
            send(first, "a", "a3");
            assertThatThrownBy(first::commit).isInstanceOf(ProducerFencedException.class);
            assertThat(drain(other, "a")).containsExactly("a1", "a2");
            connection.close();
        }
    }
}
