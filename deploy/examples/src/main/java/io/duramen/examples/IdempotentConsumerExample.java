package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.processed.Database;
import io.duramen.jms.processed.ProcessedMessages;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Books payments into a database, each once, without distributed transactions: the id of each message is written down in the
 * transaction that books it. Run by one thread.
 *
 * <p>The order is what makes it safe: database first, acknowledgement after it. Whoever is ended between the two is given the
 * message again, finds its id in the table and only acknowledges.
 */
public final class IdempotentConsumerExample {
    private static final long PATIENCE_MILLIS = 10_000;
    private static final String QUEUE = "examples.payments";
    private static final int PAYMENTS = 3;

    private final ProcessedMessages processed = ProcessedMessages.inTable();

    private IdempotentConsumerExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException, SQLException {
        DuramenConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:shop")) {
            try (Statement statement = database.createStatement()) {
                for (String ddl : Database.H2.ddl()) {
                    statement.execute(ddl);
                }
                statement.execute("CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER)");
                statement.execute("INSERT INTO account VALUES (1, 0)");
            }
            database.setAutoCommit(false);
            send(factory);
            IdempotentConsumerExample example = new IdempotentConsumerExample();
            example.bookWithoutAcknowledging(factory, database);
            example.book(factory, database);
            System.out.println("balance " + balance(database));
        }
    }

    private static void send(DuramenConnectionFactory factory) throws JMSException {
        try (jakarta.jms.Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
            for (int i = 1; i <= PAYMENTS; i++) {
                producer.send(session.createTextMessage(Integer.toString(100 * i)));
            }
        }
    }

    /** A consumer that is ended after its database transaction and before its acknowledgement. */
    private void bookWithoutAcknowledging(DuramenConnectionFactory factory, Connection database)
            throws JMSException, SQLException {
        try (jakarta.jms.Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            connection.start();
            once(receive(session.createConsumer(session.createQueue(QUEUE))), database);
            System.out.println("ended before the acknowledgement");
        }
    }

    private void book(DuramenConnectionFactory factory, Connection database) throws JMSException, SQLException {
        try (jakarta.jms.Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            connection.start();
            Queue payments = session.createQueue(QUEUE);
            MessageConsumer consumer = session.createConsumer(payments);
            for (int i = 0; i < PAYMENTS; i++) {
                Message message = receive(consumer);
                once(message, database);
                message.acknowledge();
            }
        }
    }

    private static Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MILLIS);
        if (message == null) {
            throw new IllegalStateException("nothing within " + PATIENCE_MILLIS + " ms");
        }
        return message;
    }

    /** The record and the work in one transaction. */
    private void once(Message message, Connection database) throws JMSException, SQLException {
        int amount = Integer.parseInt(message.getBody(String.class));
        if (processed.record(database, QUEUE, message)) {
            try (PreparedStatement update =
                    database.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = 1")) {
                update.setInt(1, amount);
                update.executeUpdate();
            }
            System.out.println("booked " + amount);
        } else {
            System.out.println("booked already: " + amount);
        }
        database.commit();
    }

    private static int balance(Connection database) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("SELECT balance FROM account")) {
            row.next();
            return row.getInt(1);
        }
    }
}
