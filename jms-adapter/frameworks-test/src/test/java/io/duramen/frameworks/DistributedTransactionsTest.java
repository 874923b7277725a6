package io.duramen.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.RollbackException;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;

/** A transaction manager, Narayana, over a queue and a database. */
class DistributedTransactionsTest extends AgainstANode {
    private static final long MOMENT_MILLIS = 200;

    @TempDir
    static Path transactionLog;

    private static TransactionManager manager;

    private javax.sql.XAConnection database;
    private java.sql.Connection orders;
    private XAConnection connection;
    private XASession session;

    @BeforeAll
    static void startManager() {
        for (String store : new String[] {null, "communicationStore", "stateStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(transactionLog.toString());
        }
        manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    @BeforeEach
    void connect() throws SQLException, JMSException {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1");
        database = source.getXAConnection();
        orders = database.getConnection();
        execute("create table if not exists placed(name varchar)");
        execute("delete from placed");
        connection = xaFactory().createXAConnection();
        connection.start();
        session = connection.createXASession();
    }

    @AfterEach
    void disconnect() throws SQLException, JMSException {
        connection.close();
        database.close();
    }

    private DuramenXAConnectionFactory xaFactory() {
        return new DuramenXAConnectionFactory(url() + "?reconnectDelayMaxMillis=200");
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = orders.createStatement()) {
            statement.execute(sql);
        }
    }

    private int placed() throws SQLException {
        try (Statement statement = orders.createStatement();
                ResultSet result = statement.executeQuery("select count(*) from placed")) {
            result.next();
            return result.getInt(1);
        }
    }

    private void sendOrder() throws Exception {
        Connection plain = factory().createConnection();
        try (plain) {
            Session own = plain.createSession();
            own.createProducer(own.createQueue("orders")).send(own.createTextMessage("order"));
        }
    }

    /** The text of what is on the queue; null for nothing. */
    private String take(String queue, long millis) throws JMSException {
        try (Connection plain = factory().createConnection()) {
            plain.start();
            Session own = plain.createSession();
            try (MessageConsumer consumer = own.createConsumer(own.createQueue(queue))) {
                Message message = consumer.receive(millis);
                return message == null ? null : message.getBody(String.class);
            }
        }
    }

    /** Begins a transaction that takes an order from the queue, places it in the database and sends a bill. */
    private void beginAndPlace() throws Exception {
        manager.begin();
        manager.getTransaction().enlistResource(session.getXAResource());
        manager.getTransaction().enlistResource(database.getXAResource());
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("orders"))) {
            assertThat(consumer.receive(PATIENCE_MILLIS).getBody(String.class)).isEqualTo("order");
        }
        execute("insert into placed values('order')");
        session.createProducer(session.createQueue("bills")).send(session.createTextMessage("bill"));
    }

    @Test
    void shouldCommitQueueAndDatabaseTogether() throws Exception {
        sendOrder();
        beginAndPlace();
        assertThat(take("bills", MOMENT_MILLIS)).isNull();
        manager.commit();
        assertThat(placed()).isEqualTo(1);
        assertThat(take("bills", PATIENCE_MILLIS)).isEqualTo("bill");
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldRollBothBackTogether() throws Exception {
        sendOrder();
        beginAndPlace();
        manager.rollback();
        assertThat(placed()).isZero();
        assertThat(take("bills", MOMENT_MILLIS)).isNull();
        assertThat(take("orders", PATIENCE_MILLIS)).isEqualTo("order");
    }

    /** Enlisted behind the others: does something when it is asked to prepare. */
    private static final class Last implements XAResource {
        private final Action whenPrepared;

        Last(Action whenPrepared) {
            this.whenPrepared = whenPrepared;
        }

        interface Action {
            void run() throws Exception;
        }

        @Override
        public int prepare(Xid xid) throws XAException {
            try {
                whenPrepared.run();
            } catch (XAException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return XA_OK;
        }

        @Override
        public void start(Xid xid, int flags) {}

        @Override
        public void end(Xid xid, int flags) {}

        @Override
        public void commit(Xid xid, boolean onePhase) {}

        @Override
        public void rollback(Xid xid) {}

        @Override
        public void forget(Xid xid) {}

        @Override
        public Xid[] recover(int flags) {
            return new Xid[0];
        }

        @Override
        public boolean isSameRM(XAResource other) {
            return other == this;
        }

        @Override
        public int getTransactionTimeout() {
            return 0;
        }

        @Override
        public boolean setTransactionTimeout(int seconds) {
            return false;
        }
    }

    @Test
    void shouldRollBackWhatIsPreparedWhenAnotherRefuses() throws Exception {
        sendOrder();
        beginAndPlace();
        manager.getTransaction().enlistResource(new Last(() -> {
            throw new XAException(XAException.XA_RBROLLBACK);
        }));
        assertThatThrownBy(manager::commit).isInstanceOf(RollbackException.class);
        assertThat(placed()).isZero();
        assertThat(take("bills", MOMENT_MILLIS)).isNull();
        assertThat(take("orders", PATIENCE_MILLIS)).isEqualTo("order");
    }

    @Test
    void shouldCommitWhenTheNodeRestartsBetweenPrepareAndCommit() throws Exception {
        sendOrder();
        beginAndPlace();
        manager.getTransaction().enlistResource(new Last(this::restartNode));
        manager.commit();
        assertThat(placed()).isEqualTo(1);
        assertThat(take("bills", PATIENCE_MILLIS)).isEqualTo("bill");
        assertThat(take("orders", MOMENT_MILLIS)).isNull();
    }

    @Test
    void shouldEnlistAPoolsSessionsByItself() throws Exception {
        JmsPoolXAConnectionFactory pool = new JmsPoolXAConnectionFactory();
        pool.setConnectionFactory(xaFactory());
        pool.setTransactionManager(manager);
        pool.setMaxConnections(1);
        try {
            for (boolean commit : new boolean[] {true, false}) {
                manager.begin();
                try (Connection pooled = pool.createConnection()) {
                    pooled.start();
                    Session own = pooled.createSession();
                    own.createProducer(own.createQueue("bills")).send(own.createTextMessage("of " + commit));
                }
                if (commit) {
                    manager.commit();
                } else {
                    manager.rollback();
                }
            }
            assertThat(take("bills", PATIENCE_MILLIS)).isEqualTo("of true");
            assertThat(take("bills", MOMENT_MILLIS)).isNull();
        } finally {
            pool.stop();
        }
    }
}
