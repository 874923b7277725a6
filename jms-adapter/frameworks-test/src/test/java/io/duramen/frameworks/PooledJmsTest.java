package io.duramen.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;

/** pooled-jms hands the same sessions and producers to many users, one after the other. */
class PooledJmsTest extends AgainstANode {
    private final JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();

    private void pool(String options) {
        pool.setConnectionFactory(factory(options));
        pool.setMaxConnections(1);
        pool.start();
    }

    @AfterEach
    void endPool() {
        pool.stop();
    }

    private static String text(Message message) throws JMSException {
        return message == null ? null : message.getBody(String.class);
    }

    @Test
    void shouldGiveManyUsersTheSameConnectionAndSessions() throws JMSException {
        pool("");
        for (int i = 0; i < 20; i++) {
            try (Connection connection = pool.createConnection();
                    Session session = connection.createSession();
                    MessageProducer producer = session.createProducer(null)) {
                connection.start();
                Queue queue = session.createQueue("orders");
                producer.send(queue, session.createTextMessage("m" + i));
                assertThat(text(session.createConsumer(queue).receive(PATIENCE_MILLIS)))
                        .isEqualTo("m" + i);
            }
        }
        assertThat(pool.getNumConnections()).isEqualTo(1);
    }

    @Test
    void shouldLeaveNothingOfATransactionToTheNextUser() throws JMSException {
        pool("");
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("never"));
        }
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            assertThat(session.getTransacted()).isTrue();
            Queue queue = session.createQueue("orders");
            session.createProducer(queue).send(session.createTextMessage("once"));
            session.commit();
            assertThat(text(session.createConsumer(queue).receive(PATIENCE_MILLIS)))
                    .isEqualTo("once");
        }
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            Message again =
                    session.createConsumer(session.createQueue("orders")).receive(PATIENCE_MILLIS);
            assertThat(text(again)).isEqualTo("once");
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
            session.commit();
        }
    }

    @Test
    void shouldOfferTheSimplifiedApi() throws JMSException {
        pool("");
        try (JMSContext context = pool.createContext()) {
            Queue queue = context.createQueue("orders");
            context.createProducer().setPriority(6).send(queue, "order");
            Message received = context.createConsumer(queue).receive(PATIENCE_MILLIS);
            assertThat(text(received)).isEqualTo("order");
            assertThat(received.getJMSPriority()).isEqualTo(6);
        }
    }

    @Test
    void shouldSayThatClosedThingsAreClosed() throws JMSException {
        pool("");
        Connection connection = pool.createConnection();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        connection.close();
        connection.close();
        assertThatThrownBy(() -> session.createTextMessage("late")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.send(null)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldEvictAConnectionThatIsLost() throws Exception {
        pool("reconnect=false");
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession()) {
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("before"));
        }
        restartNode();
        Awaitility.await().ignoreExceptions().until(() -> {
            try (Connection connection = pool.createConnection();
                    Session session = connection.createSession()) {
                session.createProducer(session.createQueue("orders")).send(session.createTextMessage("after"));
                return true;
            }
        });
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            assertThat(text(session.createConsumer(session.createQueue("orders"))
                            .receive(PATIENCE_MILLIS)))
                    .isEqualTo("before");
        }
    }
}
