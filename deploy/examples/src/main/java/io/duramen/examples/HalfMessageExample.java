package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.HalfMessage;
import io.duramen.jms.session.HalfMessageChecker.Check;
import io.duramen.jms.session.HalfMessageChecker.Verdict;
import io.duramen.jms.session.HalfMessageChecks;
import io.duramen.jms.session.HalfMessageSender;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Takes orders into a database and tells the warehouse of each that was taken, and of no other, without distributed transactions.
 * Run by one thread; the checker has one of its own.
 *
 * <p>The message goes first, stored and seen by nobody; then the database transaction, which writes the message's id down; then
 * the word that makes the message seen. An order whose word is never said is found out by the checker, in the database.
 */
public final class HalfMessageExample {
    private static final long PATIENCE_MILLIS = 30_000;
    private static final String DATABASE = "jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1";

    private HalfMessageExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException, SQLException {
        DuramenConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (Connection database = DriverManager.getConnection(DATABASE);
                Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE placed_order (name VARCHAR(100), half_id VARCHAR(100) PRIMARY KEY)");
        }
        try (DuramenConnection connection = (DuramenConnection) factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Queue warehouse = session.createQueue("examples.warehouse");
            try (HalfMessageSender sender = connection.createHalfMessageSender("examples.shop")) {
                sender.setCheckAfter(Duration.ofSeconds(1));
                place(sender, warehouse, "order 1").confirm();
                System.out.println("order 1 is placed");

                HalfMessage refused = sender.prepare(warehouse, session.createTextMessage("order 2"));
                refused.cancel();
                System.out.println("order 2 is refused");

                place(sender, warehouse, "order 3"); // and the shop is ended before it can say so
            }
            // The shop starts again: what is left over is asked of it.
            HalfMessageChecks checks = connection.checkHalfMessages("examples.shop", HalfMessageExample::check);
            try (MessageConsumer consumer = session.createConsumer(warehouse)) {
                print(consumer);
                print(consumer);
            }
            checks.close();
        }
    }

    private static HalfMessage place(HalfMessageSender sender, Queue warehouse, String order)
            throws JMSException, SQLException {
        HalfMessage half = sender.prepare(warehouse, sender.session().createTextMessage(order));
        try (Connection database = DriverManager.getConnection(DATABASE);
                PreparedStatement insert = database.prepareStatement("INSERT INTO placed_order VALUES (?, ?)")) {
            insert.setString(1, order);
            insert.setString(2, half.id());
            insert.executeUpdate();
        }
        return half;
    }

    /** Whether the order is there. One that could still be in an open transaction would be UNKNOWN. */
    private static Verdict check(Check check) throws SQLException {
        try (Connection database = DriverManager.getConnection(DATABASE);
                PreparedStatement select = database.prepareStatement("SELECT 1 FROM placed_order WHERE half_id = ?")) {
            select.setString(1, check.id());
            return select.executeQuery().next() ? Verdict.CONFIRM : Verdict.CANCEL;
        }
    }

    private static void print(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MILLIS);
        System.out.println("the warehouse is told of " + (message == null ? "nothing" : message.getBody(String.class)));
    }
}
