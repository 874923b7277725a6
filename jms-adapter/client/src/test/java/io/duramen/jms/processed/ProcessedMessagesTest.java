package io.duramen.jms.processed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.message.DuramenTextMessage;
import jakarta.jms.JMSException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessedMessagesTest {
    private static final Instant NOW = Instant.ofEpochMilli(1_790_000_000_000L);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=20000";
    private final ProcessedMessages processed =
            ProcessedMessages.inTable(ProcessedMessages.TABLE, Clock.fixed(NOW, ZoneOffset.UTC));
    private Connection database;

    @BeforeEach
    void makeTables() throws SQLException {
        database = DriverManager.getConnection(url);
        try (Statement statement = database.createStatement()) {
            for (String ddl : Database.H2.ddl()) {
                statement.execute(ddl);
            }
            statement.execute("CREATE TABLE work (text VARCHAR(100))");
        }
        database.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        database.rollback();
        database.close();
    }

    private Connection another() throws SQLException {
        Connection other = DriverManager.getConnection(url);
        other.setAutoCommit(false);
        return other;
    }

    private boolean works(Connection on, String id) throws SQLException {
        boolean isNew = processed.record(on, "orders", id);
        if (isNew) {
            try (Statement statement = on.createStatement()) {
                statement.execute("INSERT INTO work VALUES ('" + id + "')");
            }
        }
        return isNew;
    }

    private int worked() throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM work")) {
            count.next();
            return count.getInt(1);
        }
    }

    @Test
    void shouldWorkOnceWhenAMessageComesAgain() throws SQLException {
        assertThat(works(database, "m1")).isTrue();
        database.commit();
        assertThat(works(database, "m1")).isFalse();
        assertThat(works(database, "M1")).as("another id").isTrue();
        assertThat(processed.record(database, "audit", "m1"))
                .as("another subscription")
                .isTrue();
        database.commit();
        assertThat(worked()).isEqualTo(2);
    }

    @Test
    void shouldWorkAgainWhenTheFirstTimeWasRolledBack() throws SQLException {
        assertThat(works(database, "m1")).isTrue();
        database.rollback();
        assertThat(works(database, "m1")).isTrue();
        database.commit();
        assertThat(worked()).isEqualTo(1);
    }

    /** A lease that ran out: two consumers have the message, and the second may not go by what it does not see yet. */
    @Test
    void shouldWaitForTheOtherWhenTwoWorkOnAMessageAtOnce() throws Exception {
        assertThat(works(database, "m1")).isTrue();
        try (Connection other = another()) {
            CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> {
                try {
                    processed.record(other, "orders", "m0");
                    return works(other, "m1");
                } catch (SQLException e) {
                    throw new CompletionException(e);
                }
            });
            assertThat(second).isNotDone();
            database.commit();
            assertThat(second.get(30, TimeUnit.SECONDS)).isFalse();
            other.commit();
        }
        assertThat(worked()).isEqualTo(1);
        assertThat(processed.isRecorded(database, "orders", "m0"))
                .as("what was done before in the transaction")
                .isTrue();
    }

    @Test
    void shouldTakeItsTurnWhenTheOtherRollsBack() throws Exception {
        assertThat(works(database, "m1")).isTrue();
        try (Connection other = another()) {
            CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> {
                try {
                    return works(other, "m1");
                } catch (SQLException e) {
                    throw new CompletionException(e);
                }
            });
            database.rollback();
            assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
            other.commit();
        }
        assertThat(worked()).isEqualTo(1);
    }

    @Test
    void shouldForgetWhatIsOld() throws SQLException {
        works(database, "m1");
        assertThat(processed.forgetBefore(database, NOW)).isZero();
        assertThat(processed.forgetBefore(database, NOW.plusMillis(1))).isEqualTo(1);
        assertThat(processed.isRecorded(database, "orders", "m1")).isFalse();
    }

    @Test
    void shouldGoByTheIdOfAMessage() throws Exception {
        DuramenTextMessage message = new DuramenTextMessage();
        assertThatThrownBy(() -> processed.record(database, "orders", message)).isInstanceOf(JMSException.class);
        message.setJMSMessageID("ID:7");
        assertThat(processed.record(database, "orders", message)).isTrue();
        assertThat(processed.record(database, "orders", "ID:7")).isFalse();
    }

    @Test
    void shouldRefuseWhatCannotBeKeptTogether() throws SQLException {
        database.setAutoCommit(true);
        assertThatIllegalStateException().isThrownBy(() -> processed.record(database, "orders", "m1"));
        database.setAutoCommit(false);
        assertThatIllegalArgumentException().isThrownBy(() -> processed.record(database, "", "m1"));
        assertThatIllegalArgumentException().isThrownBy(() -> processed.record(database, "orders", "x".repeat(201)));
        assertThatIllegalArgumentException().isThrownBy(() -> ProcessedMessages.inTable("a; DROP TABLE b"));
        assertThat(ProcessedMessages.inTable("shop.processed")).isNotNull();
    }

    @Test
    void shouldKnowCommonDatabases() {
        for (Database each : Database.values()) {
            assertThat(each.ddl("shop.processed"))
                    .hasSize(2)
                    .allMatch(statement -> statement.contains("shop.processed"))
                    .anyMatch(statement -> statement.contains("PRIMARY KEY (subscription, message_id)"))
                    .anyMatch(statement -> statement.startsWith("CREATE INDEX processed_by_age"));
        }
    }
}
