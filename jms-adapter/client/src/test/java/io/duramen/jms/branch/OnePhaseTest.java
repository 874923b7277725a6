package io.duramen.jms.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenXAConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.protocol.frame.TransactionOutcome.Verdict;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A commit in one phase that the node leaves unanswered (X/Open CAE C193, xa_commit with TMONEPHASE). */
@Timeout(30)
class OnePhaseTest {
    private static final Xid ONE = xid(1);
    private static final Xid TWO = xid(2);

    private ScriptedNode node;
    private XAConnection connection;
    private XASession session;
    private XAResource resource;

    private static Xid xid(int number) {
        return new NamedXid(4711, new byte[] {(byte) number}, new byte[0]);
    }

    @BeforeEach
    void connect() throws JMSException {
        node = ScriptedNode.start();
        connection = new DuramenXAConnectionFactory(node.url("requestTimeoutMillis=100")).createXAConnection();
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    private void work(Xid xid) throws Exception {
        resource.start(xid, XAResource.TMNOFLAGS);
        session.createProducer(session.createQueue("out")).send(session.createTextMessage("x"));
        resource.end(xid, XAResource.TMSUCCESS);
    }

    /** Something that a transaction manager asks for. */
    private interface Ask {
        void run() throws XAException;
    }

    /** @return of the call, the code of its XAException; 0 for success */
    private static CompletableFuture<Integer> codeOf(Ask ask) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                ask.run();
                return 0;
            } catch (XAException e) {
                return e.errorCode;
            }
        });
    }

    private static void assertCode(int code, CompletableFuture<Integer> call) throws Exception {
        assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo(code);
    }

    /** The node takes the Commit of {@link #ONE} and the question after it, and answers neither. */
    private Commit.Request unanswered() throws Exception {
        work(ONE);
        CompletableFuture<Integer> commit = codeOf(() -> resource.commit(ONE, true));
        Commit.Request sent = node.expected(Commit.Request.class);
        assertThat(node.expected(TransactionOutcome.Request.class)).isEqualTo(questionAfter(sent));
        assertCode(XAException.XAER_RMFAIL, commit);
        return sent;
    }

    private static TransactionOutcome.Request questionAfter(Commit.Request sent) {
        return new TransactionOutcome.Request(sent.shard(), sent.producerId(), sent.producerEpoch(), sent.sequence());
    }

    private void told(Commit.Request sent, Verdict verdict) throws Exception {
        ScriptedNode.Received question = node.expect(TransactionOutcome.Request.class);
        assertThat(question.frame().payload()).isEqualTo(questionAfter(sent));
        question.answer(new TransactionOutcome.Response(verdict));
    }

    @Test
    void shouldAskAgainAndNeverSendItTwiceWhenItsOutcomeIsUnknown() throws Exception {
        Commit.Request sent = unanswered();
        CompletableFuture<Integer> again = codeOf(() -> resource.commit(ONE, true));
        node.expected(TransactionOutcome.Request.class); // and no answer
        assertCode(XAException.XAER_RMFAIL, again);
        CompletableFuture<Integer> last = codeOf(() -> resource.commit(ONE, true));
        told(sent, Verdict.COMMITTED);
        assertCode(0, last);
        assertCode(XAException.XAER_NOTA, codeOf(() -> resource.commit(ONE, true)));
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldSayThatItIsRolledBackWhenItHasNotCommitted() throws Exception {
        Commit.Request sent = unanswered();
        CompletableFuture<Integer> again = codeOf(() -> resource.commit(ONE, true));
        told(sent, Verdict.NOT_COMMITTED);
        assertCode(XAException.XA_RBCOMMFAIL, again);
        assertCode(XAException.XAER_NOTA, codeOf(() -> resource.commit(ONE, true)));
    }

    @Test
    void shouldAskUnderTheNameItWasSentWithWhenAnotherSessionsResourceIsTold() throws Exception {
        Commit.Request sent = unanswered();
        XAResource other = connection.createXASession().getXAResource();
        assertThat(other.isSameRM(resource)).isTrue();
        CompletableFuture<Integer> again = codeOf(() -> other.commit(ONE, true));
        told(sent, Verdict.COMMITTED);
        assertCode(0, again);
    }

    @Test
    void shouldCountAsCommittedWhenTheSessionHasCommittedAnotherSince() throws Exception {
        Commit.Request sent = unanswered();
        work(TWO);
        CompletableFuture<Integer> second = codeOf(() -> resource.commit(TWO, true));
        ScriptedNode.Received commit = node.expect(Commit.Request.class);
        assertThat(((Commit.Request) commit.frame().payload()).sequence()).isGreaterThan(sent.sequence());
        commit.answer(new Commit.Response());
        assertCode(0, second);
        CompletableFuture<Integer> again = codeOf(() -> resource.commit(ONE, true));
        told(sent, Verdict.FORGOTTEN);
        assertCode(0, again);
    }

    @Test
    void shouldTellWhatItFoundWhenRolledBackInstead() throws Exception {
        Commit.Request sent = unanswered();
        CompletableFuture<Integer> rollback = codeOf(() -> resource.rollback(ONE));
        told(sent, Verdict.COMMITTED);
        assertCode(XAException.XA_HEURCOM, rollback);
        CompletableFuture<Integer> forgotten = codeOf(() -> resource.forget(ONE));
        assertCode(XAException.XAER_NOTA, forgotten);
    }

    @Test
    void shouldRollBackWhenItHasNotHappened() throws Exception {
        Commit.Request sent = unanswered();
        CompletableFuture<Integer> rollback = codeOf(() -> resource.rollback(ONE));
        told(sent, Verdict.NOT_COMMITTED);
        assertCode(0, rollback);
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldTakeNoMoreWorkWhileItsOutcomeIsUnknown() throws Exception {
        unanswered();
        assertCode(XAException.XAER_PROTO, codeOf(() -> resource.start(ONE, XAResource.TMJOIN)));
        assertCode(XAException.XAER_PROTO, codeOf(() -> resource.prepare(ONE)));
        assertCode(XAException.XAER_DUPID, codeOf(() -> resource.start(ONE, XAResource.TMNOFLAGS)));
    }

    @Test
    void shouldRollBackWhenTheNodeRefuses() throws Exception {
        work(ONE);
        CompletableFuture<Integer> commit = codeOf(() -> resource.commit(ONE, true));
        node.expect(Commit.Request.class).refuse(ErrorCode.RESOURCE_EXHAUSTED, "full");
        assertCode(XAException.XA_RBOTHER, commit);
        assertCode(XAException.XAER_NOTA, codeOf(() -> resource.commit(ONE, true)));
    }
}
