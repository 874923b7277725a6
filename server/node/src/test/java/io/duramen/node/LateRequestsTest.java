package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client has sent on a connection that it lost, and that reaches the node when the client is back on another. */
@Timeout(120)
class LateRequestsTest {
    private static final int BODY_LENGTH = 2_000;
    private static final int PREPARED_LENGTH_MAX = 1 << 20;
    private static final long MOMENT_MILLIS = 500;
    private static final long PATIENCE_MILLIS = 20_000;
    private static final String OPTIONS = "?reconnectDelayMillis=10&reconnectDelayMaxMillis=100";

    @TempDir
    Path data;

    private static CompletableFuture<Integer> later(Callable<Integer> call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return call.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }

    private static void work(XASession session, XAResource resource, Xid xid, String text) throws Exception {
        resource.start(xid, XAResource.TMNOFLAGS);
        session.createProducer(session.createQueue("bills")).send(session.createTextMessage(text));
        resource.end(xid, XAResource.TMSUCCESS);
    }

    private static void end(XAResource resource, Xid xid, boolean commits) throws Exception {
        if (commits) {
            resource.commit(xid, false);
        } else {
            resource.rollback(xid);
        }
    }

    private static List<String> bills(String url) throws Exception {
        List<String> texts = new ArrayList<>();
        try (Connection connection = new DuramenConnectionFactory(url).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            try (MessageConsumer consumer = session.createConsumer(session.createQueue("bills"))) {
                for (Message next = consumer.receive(MOMENT_MILLIS);
                        next != null;
                        next = consumer.receive(MOMENT_MILLIS)) {
                    texts.add(next.getBody(String.class).substring(0, 1));
                }
            }
        }
        return texts;
    }

    @ParameterizedTest(name = "client id \"{0}\", commits: {1}")
    @CsvSource({"'', true", "'', false", "shop, true", "shop, false"})
    void shouldNotPrepareABranchAgainThatHasEndedWhenItsFirstPrepareComesLate(String clientId, boolean commits)
            throws Exception {
        try (Duramen node = TestNodes.embedded().dataDirectory(data).port(0).start();
                HoldingRelay relay = new HoldingRelay(node.port())) {
            DuramenXAConnectionFactory factory = new DuramenXAConnectionFactory(relay.url() + OPTIONS);
            try (XAConnection connection = factory.createXAConnection()) {
                if (!clientId.isEmpty()) {
                    connection.setClientID(clientId);
                }
                XASession session = connection.createXASession();
                XAResource resource = session.getXAResource();
                Xid late = new TestXid("late");
                work(session, resource, late, "1".repeat(BODY_LENGTH));
                relay.hold();
                CompletableFuture<Integer> vote = later(() -> resource.prepare(late));
                relay.awaitHeld(BODY_LENGTH);
                relay.cut();
                assertThat(vote.get()).isEqualTo(XAResource.XA_OK);
                end(resource, late, commits);
                relay.release();
                Xid next = new TestXid("next"); // what came before it is decided when it is
                work(session, resource, next, "2");
                assertThat(resource.prepare(next)).isEqualTo(XAResource.XA_OK);
                resource.commit(next, false);
                assertThat(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                        .isEmpty();
            }
            assertThat(bills(node.url())).isEqualTo(commits ? List.of("1", "2") : List.of("2"));
        }
    }

    private Duramen preparesLittle() throws Exception {
        return TestNodes.embedded()
                .setting("broker.prepared-size", Integer.toString(PREPARED_LENGTH_MAX))
                .dataDirectory(data)
                .port(0)
                .start();
    }

    /** Its calls of a transaction manager wait for a moment. */
    private static XAConnection impatient(Relay relay) throws JMSException {
        return new DuramenXAConnectionFactory(
                        relay.url() + OPTIONS + "&requestTimeoutMillis=0&xaCallTimeoutMillis=" + MOMENT_MILLIS)
                .createXAConnection();
    }

    /** A branch in which the order is received, and a bill of this length sent. */
    private static void receiveAndSend(XASession session, Xid xid, MessageConsumer taker, int length) throws Exception {
        XAResource resource = session.getXAResource();
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(taker.receive(PATIENCE_MILLIS).getBody(String.class)).isEqualTo("order");
        session.createProducer(session.createQueue("bills")).send(session.createTextMessage("1".repeat(length)));
        resource.end(xid, XAResource.TMSUCCESS);
    }

    /** Once it has been told to roll back, a manager does not come again with a branch that recovery does not list. */
    @Test
    void shouldGiveBackWhatABranchHeldWhenItsPrepareIsRefusedLateAndItsRollbackDidNotReachTheNode() throws Exception {
        try (Duramen node = preparesLittle();
                HoldingRelay relay = new HoldingRelay(node.port());
                Connection plain = new DuramenConnectionFactory(node.url()).createConnection();
                XAConnection connection = impatient(relay)) {
            plain.start();
            connection.start();
            Session other = plain.createSession();
            other.createProducer(other.createQueue("orders")).send(other.createTextMessage("order"));
            XASession session = connection.createXASession();
            XAResource resource = session.getXAResource();
            MessageConsumer taker = session.createConsumer(session.createQueue("orders"));
            Xid refused = new TestXid("refused");
            receiveAndSend(session, refused, taker, PREPARED_LENGTH_MAX);
            relay.hold();
            assertUnavailable(() -> resource.prepare(refused));
            assertUnavailable(() -> resource.rollback(refused));
            relay.resume();
            MessageConsumer waiting = other.createConsumer(other.createQueue("orders"));
            Message back = null;
            for (int next = 0; back == null; next++) { // the manager goes on with others meanwhile
                work(session, resource, new TestXid("next" + next), "1");
                resource.rollback(new TestXid("next" + next));
                back = waiting.receive(MOMENT_MILLIS);
            }
            assertThat(back.getBody(String.class)).isEqualTo("order");
            assertThat(back.getJMSRedelivered()).isTrue();
        }
    }

    /**
     * Some managers never come again with a resource whose prepare has failed, and tell another instead, which the node may
     * answer before the prepare has reached it. Nothing is begun meanwhile: the session waits for a message, for no branch.
     */
    @ParameterizedTest(name = "the late prepare is refused: {0}, the manager rolls back elsewhere meanwhile: {1}")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void shouldRollBackByItselfWhatItCouldNotPrepareWhenTheManagerDoesNotComeAgain(boolean refused, boolean elsewhere)
            throws Exception {
        try (Duramen node = preparesLittle();
                HoldingRelay relay = new HoldingRelay(node.port());
                XAConnection another = new DuramenXAConnectionFactory(node.url()).createXAConnection();
                XAConnection connection = impatient(relay)) {
            connection.start();
            XASession session = connection.createXASession();
            XAResource resource = session.getXAResource();
            XAResource fresh = another.createXASession().getXAResource();
            MessageConsumer taker = session.createConsumer(session.createQueue("orders"));
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("order"));
            Xid unknown = new TestXid("unknown");
            receiveAndSend(session, unknown, taker, refused ? PREPARED_LENGTH_MAX : BODY_LENGTH);
            relay.hold();
            assertUnavailable(() -> resource.prepare(unknown));
            if (elsewhere) {
                assertUnknown(() -> fresh.rollback(unknown));
            }
            relay.resume();
            assertDeliveredAgain(taker.receive(PATIENCE_MILLIS));
            assertThat(fresh.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                    .isEmpty();
            assertUnknown(() -> fresh.rollback(unknown));
            assertUnknown(() -> fresh.commit(unknown, false));
            assertUnknown(() -> resource.commit(unknown, false));
            assertThat(bills(node.url())).isEmpty();
        }
    }

    private static void assertDeliveredAgain(Message back) throws JMSException {
        assertThat(back).isNotNull();
        assertThat(back.getBody(String.class)).isEqualTo("order");
        assertThat(back.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    private static void assertUnknown(ThrowingCallable call) {
        assertThatThrownBy(call).extracting("errorCode").isEqualTo(XAException.XAER_NOTA);
    }

    private static void assertUnavailable(ThrowingCallable call) {
        assertThatThrownBy(call).extracting("errorCode").isEqualTo(XAException.XAER_RMFAIL);
    }
}
