package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.ra.inbound.DuramenActivationSpec;
import io.duramen.ra.outbound.DuramenManagedConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.DissociatableManagedConnection;
import jakarta.resource.spi.LazyAssociatableConnectionManager;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import jakarta.resource.spi.SecurityException;
import jakarta.resource.spi.security.PasswordCredential;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.Subject;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pooled connection, as a server handles it. */
class ManagedConnectionTest extends InASmallServer {
    private final DuramenManagedConnectionFactory factory = new DuramenManagedConnectionFactory();

    private record Name(int number) implements Xid {
        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {(byte) number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    /** Keeps one connection, and gives it again. */
    private static final class OneConnection implements ConnectionManager, LazyAssociatableConnectionManager {
        private static final long serialVersionUID = 1L;
        private transient ManagedConnection connection;

        @Override
        public Object allocateConnection(ManagedConnectionFactory from, ConnectionRequestInfo request)
                throws ResourceException {
            connection = from.createManagedConnection(null, request);
            return connection.getConnection(null, request);
        }

        @Override
        public void associateConnection(Object handle, ManagedConnectionFactory from, ConnectionRequestInfo request)
                throws ResourceException {
            connection.associateConnection(handle);
        }

        @Override
        public void inactiveConnectionClosed(Object handle, ManagedConnectionFactory from) {
            // Nothing is counted here.
        }
    }

    @BeforeEach
    void configure() throws ResourceException {
        factory.setResourceAdapter(server.adapter);
    }

    private static void send(Connection connection, String text) throws JMSException {
        Session session = connection.createSession();
        session.createProducer(session.createQueue("bills")).send(session.createTextMessage(text));
    }

    @Test
    void shouldCommitAndRollBackLocally() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        Connection handle = (Connection) managed.getConnection(null, null);
        managed.getLocalTransaction().begin();
        send(handle, "rolled back");
        managed.getLocalTransaction().rollback();
        managed.getLocalTransaction().begin();
        send(handle, "committed");
        assertThat(take("bills", MOMENT_MILLIS)).isNull();
        managed.getLocalTransaction().commit();
        assertThat(take("bills", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("committed");
        assertThat(take("bills", MOMENT_MILLIS)).isNull();
        assertThatThrownBy(managed.getLocalTransaction()::commit).isInstanceOf(ResourceException.class);
        managed.destroy();
    }

    @Test
    void shouldCommitABranchWhoseConnectionWasDestroyed() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        XAResource resource = managed.getXAResource();
        Xid branch = new Name(7);
        resource.start(branch, XAResource.TMNOFLAGS);
        send((Connection) managed.getConnection(null, null), "late");
        resource.end(branch, XAResource.TMSUCCESS);
        assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
        managed.destroy();
        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).hasSize(1);
        resource.commit(branch, false);
        assertThat(take("bills", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("late");
    }

    @Test
    void shouldRecoverWhenNothingButASpecIsLeft() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        Xid branch = new Name(8);
        managed.getXAResource().start(branch, XAResource.TMNOFLAGS);
        send((Connection) managed.getConnection(null, null), "recovered");
        managed.getXAResource().end(branch, XAResource.TMSUCCESS);
        managed.getXAResource().prepare(branch);
        managed.destroy();
        XAResource[] resources = server.adapter.getXAResources(
                new ActivationSpec[] {new DuramenActivationSpec(), new DuramenActivationSpec()});
        assertThat(resources).hasSize(1);
        Xid[] found = resources[0].recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        assertThat(found).hasSize(1);
        resources[0].commit(found[0], false);
        assertThat(take("bills", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("recovered");
    }

    @Test
    void shouldTakeUpAnotherConnectionWhenItsOwnWasTakenAway() throws Exception {
        OneConnection lazy = new OneConnection();
        Connection handle = ((ConnectionFactory) factory.createConnectionFactory(lazy)).createConnection();
        handle.start();
        Session session = handle.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("bills"));
        MessageConsumer consumer = session.createConsumer(session.createQueue("bills"));
        ManagedConnection first = lazy.connection;
        ((DissociatableManagedConnection) first).dissociateConnections();
        lazy.connection = factory.createManagedConnection(null, null);
        first.destroy();
        assertThatThrownBy(producer::getDestination)
                .as("of the old one")
                .isInstanceOf(jakarta.jms.IllegalStateException.class);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(jakarta.jms.IllegalStateException.class);
        session.createProducer(session.createQueue("bills")).send(session.createTextMessage("moved"));
        assertThat(session.createConsumer(session.createQueue("bills"))
                        .receive(PATIENCE_MILLIS)
                        .getBody(String.class))
                .isEqualTo("moved");
        handle.close();
        lazy.connection.destroy();
    }

    @Test
    void shouldGoOnInAContextWhenItsConnectionWasTakenAway() throws Exception {
        OneConnection lazy = new OneConnection();
        JMSContext context = ((ConnectionFactory) factory.createConnectionFactory(lazy)).createContext();
        JMSConsumer consumer = context.createConsumer(context.createQueue("bills"));
        ManagedConnection first = lazy.connection;
        ((DissociatableManagedConnection) first).dissociateConnections();
        lazy.connection = factory.createManagedConnection(null, null);
        first.destroy();
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateRuntimeException.class);
        context.createProducer().send(context.createQueue("bills"), "moved");
        assertThat(context.createConsumer(context.createQueue("bills")).receiveBody(String.class, PATIENCE_MILLIS))
                .isEqualTo("moved");
        context.close();
        lazy.connection.destroy();
    }

    /** A server that takes connections away gives others; one that does not has to be told apart from a node that is away. */
    @Test
    void shouldSayThatItWasTakenAwayWhereTheServerGivesNoOther() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        Connection handle = (Connection) managed.getConnection(null, null);
        ((DissociatableManagedConnection) managed).dissociateConnections();
        assertThatThrownBy(handle::createSession)
                .isInstanceOf(jakarta.jms.IllegalStateException.class)
                .hasMessageContaining("has taken the connection away");
        handle.close();
        managed.destroy();
    }

    @Test
    void shouldTellTheServerOfEachHandleThatIsClosedAndOfNoneTwice() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        List<ConnectionEvent> events = new CopyOnWriteArrayList<>();
        managed.addConnectionEventListener(new Recorder(events));
        Connection one = (Connection) managed.getConnection(null, null);
        Connection other = (Connection) managed.getConnection(null, null);
        one.close();
        one.close();
        send(other, "of the other");
        other.close();
        assertThat(events)
                .extracting(ConnectionEvent::getId)
                .containsExactly(ConnectionEvent.CONNECTION_CLOSED, ConnectionEvent.CONNECTION_CLOSED);
        assertThat(events).extracting(ConnectionEvent::getConnectionHandle).containsExactly(one, other);
        assertThat(take("bills", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("of the other");
        managed.destroy();
    }

    @Test
    void shouldEndWhatTheServerHasLeftOpenWhenTheAdapterStops() throws Exception {
        ManagedConnection left = factory.createManagedConnection(null, null);
        Session session = ((Connection) left.getConnection(null, null)).createSession();
        server.adapter.stop();
        assertThatThrownBy(session::createMessage).isInstanceOf(jakarta.jms.IllegalStateException.class);
        left.destroy();
    }

    @Test
    void shouldMatchByWhoIsLoggedIn() throws Exception {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        assertThat(factory.matchManagedConnections(Set.of(managed), null, null)).isSameAs(managed);
        DuramenManagedConnectionFactory other = new DuramenManagedConnectionFactory();
        other.setResourceAdapter(server.adapter);
        other.setUserName("somebody");
        assertThat(other.matchManagedConnections(Set.of(managed), null, null)).isNull();
        assertThat(factory).isNotEqualTo(other);
        assertThat(managed.getMetaData().getEISProductName()).isEqualTo("Duramen");
        managed.destroy();
    }

    private static Subject subject(DuramenManagedConnectionFactory factory, String user, String password) {
        PasswordCredential credential = new PasswordCredential(user, password.toCharArray());
        credential.setManagedConnectionFactory(factory);
        return new Subject(false, Set.of(), Set.of(), Set.of(credential));
    }

    private String adminSecret() throws IOException {
        return Files.readString(data.resolve("admin-secret")).strip();
    }

    @Test
    void shouldLogInWhomTheServerSaysBeforeWhomTheApplicationSays() throws Exception {
        Subject admin = subject(factory, "admin", adminSecret());
        ManagedConnection managed = factory.createManagedConnection(admin, new LoginOf("nobody", "wrong").request());
        assertThat(managed.getMetaData().getUserName()).isEqualTo("admin");
        Subject ofAnotherFactory = subject(new DuramenManagedConnectionFactory(), "admin", adminSecret());
        ManagedConnection anonymous = factory.createManagedConnection(ofAnotherFactory, null);
        assertThat(anonymous.getMetaData().getUserName()).isEmpty();
        assertThatThrownBy(() -> factory.createManagedConnection(subject(factory, "admin", "wrong"), null))
                .isInstanceOf(SecurityException.class);
        managed.destroy();
        anonymous.destroy();
    }

    @Test
    void shouldMatchByCredentialAndLogNobodyInAnew() throws Exception {
        Subject admin = subject(factory, "admin", adminSecret());
        ConnectionRequestInfo said = new LoginOf("admin", adminSecret()).request();
        ManagedConnection ofAdmin = factory.createManagedConnection(admin, null);
        ManagedConnection anonymous = factory.createManagedConnection(null, null);
        Set<ManagedConnection> pool = Set.of(ofAdmin, anonymous);
        assertThat(factory.matchManagedConnections(pool, admin, null)).isSameAs(ofAdmin);
        assertThat(factory.matchManagedConnections(pool, null, said)).isSameAs(ofAdmin);
        assertThat(factory.matchManagedConnections(pool, null, null)).isSameAs(anonymous);
        assertThat(factory.matchManagedConnections(pool, subject(factory, "admin", "another"), null))
                .isNull();
        assertThat(ofAdmin.getConnection(null, said)).isNotNull();
        assertThatThrownBy(() -> ofAdmin.getConnection(null, null)).isExactlyInstanceOf(SecurityException.class);
        assertThatThrownBy(() -> anonymous.getConnection(admin, null))
                .isExactlyInstanceOf(SecurityException.class)
                .hasMessageContaining("cannot be logged in anew");
        send((Connection) anonymous.getConnection(null, null), "of whom it is for");
        assertThat(take("bills", PATIENCE_MILLIS).getBody(String.class)).isEqualTo("of whom it is for");
        ofAdmin.destroy();
        anonymous.destroy();
    }

    /** What an application says, as its factory hands it on. */
    private record LoginOf(String user, String password) {
        ConnectionRequestInfo request() throws Exception {
            ConnectionRequestInfo[] asked = new ConnectionRequestInfo[1];
            ConnectionManager manager = (from, request) -> {
                asked[0] = request;
                throw new ResourceException("only asked");
            };
            assertThatThrownBy(() -> ((ConnectionFactory)
                                    new DuramenManagedConnectionFactory().createConnectionFactory(manager))
                            .createConnection(user, password))
                    .isInstanceOf(JMSException.class);
            return asked[0];
        }
    }

    @Test
    void shouldTellTheServerWhenAConnectionIsGivenUp() throws Exception {
        factory.setServerUrl(node.url() + "?reconnectTimeMaxMillis=1");
        ManagedConnection managed = factory.createManagedConnection(null, null);
        List<ConnectionEvent> events = new CopyOnWriteArrayList<>();
        managed.addConnectionEventListener(new Recorder(events));
        assertThat(factory.getInvalidConnections(Set.of(managed))).isEmpty();
        int port = node.port();
        node.close();
        await().atMost(Duration.ofMillis(PATIENCE_MILLIS)).until(() -> !events.isEmpty());
        assertThat(events.get(0).getId()).isEqualTo(ConnectionEvent.CONNECTION_ERROR_OCCURRED);
        assertThat(factory.getInvalidConnections(Set.of(managed))).hasSize(1);
        assertThat(factory.matchManagedConnections(Set.of(managed), null, null)).isNull();
        managed.destroy();
        node = io.duramen.node.Duramen.embedded().dataDirectory(data).port(port).start();
    }

    private record Recorder(List<ConnectionEvent> events) implements ConnectionEventListener {
        @Override
        public void connectionClosed(ConnectionEvent event) {
            events.add(event);
        }

        @Override
        public void connectionErrorOccurred(ConnectionEvent event) {
            events.add(event);
        }

        @Override
        public void localTransactionStarted(ConnectionEvent event) {
            events.add(event);
        }

        @Override
        public void localTransactionCommitted(ConnectionEvent event) {
            events.add(event);
        }

        @Override
        public void localTransactionRolledback(ConnectionEvent event) {
            events.add(event);
        }
    }
}
