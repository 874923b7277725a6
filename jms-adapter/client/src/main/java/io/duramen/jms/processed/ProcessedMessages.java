package io.duramen.jms.processed;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Clock;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * Remembers in a table of the application's database which messages it has processed. Thread-safe: it holds nothing but names;
 * each call works on the connection it is given, inside that connection's transaction, which the caller begins and ends.
 *
 * <pre>
 *   Message message = consumer.receive();                  // CLIENT_ACKNOWLEDGE, or a transacted session
 *   try (Connection database = source.getConnection()) {
 *       database.setAutoCommit(false);
 *       if (processed.record(database, "orders", message)) {
 *           … the work, on the same connection …
 *       }
 *       database.commit();
 *   }
 *   message.acknowledge();                                 // after the database, never before
 * </pre>
 *
 * A message whose acknowledgement is lost comes again, is found in the table, and is only acknowledged. Two deliveries of one
 * message at the same time wait for each other at the table's key. Make the table by {@link Database#ddl}.
 */
public final class ProcessedMessages {
    /** Name of the table where none is given. */
    public static final String TABLE = "duramen_processed";

    /** Longest subscription and longest id of a message, in characters. */
    public static final int LENGTH_MAX = 200;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

    /** First digits of an SQLSTATE: a constraint was violated. */
    private static final String CONSTRAINT = "23";

    private final Clock clock;
    private final String select;
    private final String insert;
    private final String delete;

    private ProcessedMessages(String table, Clock clock) {
        this.clock = clock;
        this.select = "SELECT 1 FROM " + table + " WHERE subscription = ? AND message_id = ?";
        this.insert = "INSERT INTO " + table + " (subscription, message_id, processed_millis) VALUES (?, ?, ?)";
        this.delete = "DELETE FROM " + table + " WHERE processed_millis < ?";
    }

    /** With the table {@value #TABLE}. */
    public static ProcessedMessages inTable() {
        return inTable(TABLE);
    }

    /**
     * @param table its name, with its schema where that is needed
     * @throws IllegalArgumentException where it is no plain name
     */
    public static ProcessedMessages inTable(String table) {
        return inTable(table, Clock.systemUTC());
    }

    static ProcessedMessages inTable(String table, Clock clock) {
        return new ProcessedMessages(checkedTable(table), clock);
    }

    static String checkedTable(String table) {
        if (!NAME.matcher(table).matches()) {
            throw new IllegalArgumentException("'" + table + "' is no plain name of a table");
        }
        return table;
    }

    /**
     * As {@link #record(Connection, String, String)}, by the message's JMSMessageID: the same for every delivery of a message,
     * and for what a client sends again by itself after a lost connection; another one where an application sends it again.
     *
     * @throws JMSException where it has none: its producer disables message ids
     */
    public boolean record(Connection database, String subscription, Message message) throws SQLException, JMSException {
        String id = message.getJMSMessageID();
        if (id == null) {
            throw new JMSException("the message has no JMSMessageID; give a key of its own");
        }
        return record(database, subscription, id);
    }

    /**
     * Records, inside the connection's transaction, that a message is being processed. Where another transaction has recorded it
     * and not yet ended, this waits for that, as long as the database lets it.
     *
     * @param subscription whose message it is: the name of the queue or of the subscription
     * @param messageId its id, or a key that the message carries: an order's number, say
     * @return true where it is new: the work is to be done, and the caller commits; false where it has been done
     * @throws IllegalStateException where the connection commits each statement by itself
     * @throws IllegalArgumentException where a name is empty or too long
     * @throws SQLException where the database refuses. On a database without savepoints that may mean that the message was
     *     recorded at the same moment: roll back, the message comes again
     */
    public boolean record(Connection database, String subscription, String messageId) throws SQLException {
        requireFits("subscription", subscription);
        requireFits("id of a message", messageId);
        if (database.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection commits each statement by itself: the record and the work have"
                            + " to be one transaction");
        }
        return !isRecorded(database, subscription, messageId) && insert(database, subscription, messageId);
    }

    private static void requireFits(String what, String text) {
        if (text == null || text.isEmpty() || text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "a " + what + " has 1 to " + LENGTH_MAX + " characters, not '" + text + "'");
        }
    }

    /** Whether it is recorded, as far as the connection's transaction sees. */
    public boolean isRecorded(Connection database, String subscription, String messageId) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(select)) {
            statement.setString(1, subscription);
            statement.setString(2, messageId);
            try (ResultSet found = statement.executeQuery()) {
                return found.next();
            }
        }
    }

    /** Some databases end a transaction in which a statement failed; with a savepoint they go on behind it. */
    private boolean insert(Connection database, String subscription, String messageId) throws SQLException {
        Savepoint before = database.getMetaData().supportsSavepoints() ? database.setSavepoint() : null;
        try (PreparedStatement statement = database.prepareStatement(insert)) {
            statement.setString(1, subscription);
            statement.setString(2, messageId);
            statement.setLong(3, clock.millis());
            statement.executeUpdate();
        } catch (SQLException e) {
            if (before == null || !isViolation(e)) {
                throw e;
            }
            database.rollback(before);
            return false;
        }
        return true;
    }

    private static boolean isViolation(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith(CONSTRAINT);
    }

    /**
     * Forgets what was processed before a moment. A message that is delivered again after that is processed again: keep more
     * than the longest time for which one may lie in a queue, a dead-letter queue included.
     *
     * @return how many were forgotten
     */
    public int forgetBefore(Connection database, Instant moment) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(delete)) {
            statement.setLong(1, moment.toEpochMilli());
            return statement.executeUpdate();
        }
    }
}
