package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.ra.outbound.DuramenManagedConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.TopicSession;
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Applications in a server, over its pool. */
class OutboundTest extends InASmallServer {
    private final TransactionManager transactions = SmallServer.TRANSACTIONS;

    /** What a test that failed has left behind. */
    @AfterEach
    void endTransaction() throws Exception {
        if (transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
            transactions.rollback();
        }
    }

    private static void send(Session session, String queue, String text) throws JMSException {
        session.createProducer(session.createQueue(queue)).send(session.createTextMessage(text));
    }

    private String text(Message message) throws JMSException {
        return message == null ? null : message.getBody(String.class);
    }

    @Test
    void shouldSendWithTheTransactionWhenThereIsOne() throws Exception {
        ConnectionFactory pool = server.pool(5);
        for (boolean commit : new boolean[] {false, true}) {
            transactions.begin();
            try (JMSContext context = pool.createContext()) {
                assertThat(context.getTransacted()).isTrue();
                context.createProducer().send(context.createQueue("bills"), "of " + commit);
            }
            assertThat(take("bills", MOMENT_MILLIS)).isNull();
            if (commit) {
                transactions.commit();
            } else {
                transactions.rollback();
            }
        }
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("of true");
        assertThat(take("bills", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldSendWithTheTransactionWhereTheServerHasTheAdapterAtLocalOnes() throws Exception {
        ConnectionFactory pool =
                server.pool(new DuramenManagedConnectionFactory(), 1, TransactionSupportLevel.LocalTransaction);
        for (boolean commit : new boolean[] {false, true}) {
            transactions.begin();
            try (JMSContext context = pool.createContext()) {
                assertThat(context.getTransacted()).isTrue();
                context.createProducer().send(context.createQueue("bills"), "of " + commit);
            }
            assertThat(take("bills", MOMENT_MILLIS)).isNull();
            if (commit) {
                transactions.commit();
            } else {
                transactions.rollback();
            }
        }
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("of true");
        assertThat(take("bills", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldSendAtOnceWhereTheServerHasTheAdapterAtNoTransactions() throws Exception {
        ConnectionFactory pool =
                server.pool(new DuramenManagedConnectionFactory(), 1, TransactionSupportLevel.NoTransaction);
        transactions.begin();
        try (JMSContext context = pool.createContext()) {
            assertThat(context.getTransacted()).isFalse();
            context.createProducer().send(context.createQueue("bills"), "now");
        }
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("now");
        transactions.rollback();
        assertThat(take("bills", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldSendAtOnceWhenThereIsNoTransaction() throws Exception {
        try (JMSContext context = server.pool(1).createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createProducer().send(context.createQueue("bills"), "now");
            assertThat(context.getTransacted()).isFalse();
            assertThat(context.getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
            assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("now");
        }
    }

    @Test
    void shouldGiveBackWhatWasReceivedWhenTheTransactionRollsBack() throws Exception {
        send("orders", "order");
        ConnectionFactory pool = server.pool(1);
        for (int count = 1; count <= 2; count++) {
            transactions.begin();
            try (Connection connection = pool.createConnection()) {
                connection.start();
                Session session = connection.createSession();
                Message message =
                        session.createConsumer(session.createQueue("orders")).receive(PATIENCE_MILLIS);
                assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
            }
            transactions.rollback();
        }
        assertThat(take("orders", PATIENCE_MILLIS).getIntProperty("JMSXDeliveryCount"))
                .isEqualTo(3);
    }

    @Test
    void shouldShareAConnectionWhenHandlesAreInOneTransaction() throws Exception {
        ConnectionFactory pool = server.pool(1);
        transactions.begin();
        try (Connection one = pool.createConnection();
                Connection other = pool.createConnection()) {
            send(one.createSession(), "bills", "one");
            send(other.createSession(), "bills", "other");
        }
        transactions.commit();
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("one");
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("other");
    }

    @Test
    void shouldEndWhatWasMadeOfAHandleWhenThatIsClosed() throws Exception {
        ConnectionFactory pool = server.pool(1);
        Connection connection = pool.createConnection();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        MessageProducer producer = session.createProducer(null);
        Queue temporary = session.createTemporaryQueue();
        connection.close();
        connection.close();
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.getDestination()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> outside.createProducer().send(temporary, "late"))
                .isInstanceOf(jakarta.jms.InvalidDestinationRuntimeException.class);
        send("orders", "order");
        assertThat(text(take("orders", PATIENCE_MILLIS))).isEqualTo("order");
        pool.createConnection().close();
    }

    @Test
    void shouldNotDeliverBeforeStartWhenAnotherHadStartedTheConnection() throws Exception {
        ConnectionFactory pool = server.pool(1);
        send("orders", "order");
        try (Connection first = pool.createConnection()) {
            first.start();
        }
        try (Connection second = pool.createConnection()) {
            Session session = second.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            assertThat(consumer.receive(MOMENT_MILLIS)).isNull();
            second.start();
            assertThat(text(consumer.receive(PATIENCE_MILLIS))).isEqualTo("order");
        }
    }

    @Test
    void shouldServeTheOlderKindsOfFactories() throws Exception {
        ConnectionFactory pool = server.pool(2);
        try (QueueConnection connection = ((QueueConnectionFactory) pool).createQueueConnection();
                QueueSession session = connection.createQueueSession(true, 0)) {
            Queue queue = session.createQueue("orders");
            session.createSender(queue).send(session.createTextMessage("order"));
            connection.start();
            assertThat(text(session.createReceiver(queue).receive(PATIENCE_MILLIS)))
                    .isEqualTo("order");
            assertThatThrownBy(() -> session.createTopic("news")).isInstanceOf(IllegalStateException.class);
        }
        try (TopicConnection connection = ((TopicConnectionFactory) pool).createTopicConnection();
                TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE)) {
            var subscriber = session.createSubscriber(session.createTopic("news"));
            session.createPublisher(session.createTopic("news")).publish(session.createTextMessage("new"));
            connection.start();
            assertThat(text(subscriber.receive(PATIENCE_MILLIS))).isEqualTo("new");
            assertThatThrownBy(() -> session.createBrowser(session.createQueue("orders")))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldRefuseWhatIsForTheServerAlone() throws Exception {
        ConnectionFactory pool = server.pool(2);
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession();
                JMSContext context = pool.createContext()) {
            assertThatThrownBy(connection::stop).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection.setClientID("me")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection.setExceptionListener(e -> {}))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> session.setMessageListener(m -> {})).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> context.createContext(1)).isInstanceOf(IllegalStateRuntimeException.class);
            assertThatThrownBy(() -> context.setClientID("me")).isInstanceOf(IllegalStateRuntimeException.class);
            assertThatThrownBy(session::commit).isInstanceOf(JMSException.class);
        }
    }

    @Test
    void shouldLogInAsTheApplicationSays() throws Exception {
        ConnectionFactory pool = server.pool(2);
        assertThatThrownBy(() -> pool.createConnection("nobody", "wrong")).isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> pool.createContext("nobody", "wrong"))
                .isInstanceOf(jakarta.jms.JMSSecurityRuntimeException.class);
        DuramenManagedConnectionFactory factory = new DuramenManagedConnectionFactory();
        factory.setUserName("nobody");
        factory.setPassword("wrong");
        assertThatThrownBy(() -> server.pool(factory, 1).createConnection()).isInstanceOf(JMSSecurityException.class);
    }

    /** Goal: a connection that ended in the pool is found out by its validation, and costs the application nothing. */
    @Test
    void shouldGetAnotherConnectionWhenTheOneInThePoolWasGivenUp() throws Exception {
        DuramenManagedConnectionFactory factory = new DuramenManagedConnectionFactory();
        factory.setServerUrl(node.url() + "?reconnect=false");
        ConnectionFactory pool = server.pool(factory, 1);
        try (JMSContext context = pool.createContext()) {
            context.createProducer().send(context.createQueue("bills"), "before");
        }
        restartNode();
        Awaitility.await().untilAsserted(() -> {
            try (JMSContext context = pool.createContext()) {
                context.createProducer().send(context.createQueue("bills"), "after");
            }
        });
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("before");
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("after");
    }

    @Test
    void shouldGoOnWhenTheNodeRestarts() throws Exception {
        ConnectionFactory pool = server.pool(1);
        try (JMSContext context = pool.createContext()) {
            context.createProducer().send(context.createQueue("bills"), "before");
        }
        restartNode();
        transactions.begin();
        try (JMSContext context = pool.createContext()) {
            context.createProducer().send(context.createQueue("bills"), "after");
        }
        transactions.commit();
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("before");
        assertThat(text(take("bills", PATIENCE_MILLIS))).isEqualTo("after");
    }
}
