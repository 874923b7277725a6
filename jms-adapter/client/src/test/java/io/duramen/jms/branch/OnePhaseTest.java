package io.duramen.jms.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.protocol.frame.TransactionOutcome.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A commit in one phase that the node leaves unanswered (X/Open CAE C193, xa_commit with TMONEPHASE). */
@Timeout(30)
class OnePhaseTest extends OnAScriptedNode {
    OnePhaseTest() {
        super("");
    }

    private final AtomicReference<Verdict> verdict = new AtomicReference<>();

    /** The node takes the Commit of {@link #ONE} and leaves it unanswered, and the questions after it, too. */
    private Commit.Request unanswered() throws Exception {
        node.politely(
                TransactionOutcome.Request.class,
                question -> verdict.get() == null ? null : new TransactionOutcome.Response(verdict.get()));
        work(ONE);
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread committing = new Thread(() -> code.complete(codeNow(() -> resource.commit(ONE, true))));
        committing.start();
        Commit.Request sent = node.expected(Commit.Request.class);
        committing.interrupt(); // it stops waiting for the answer, and for that to its question
        assertCode(XAException.XAER_RMFAIL, code);
        return sent;
    }

    /** From now on the node answers: all that is asked is after that Commit. */
    private void answers(Verdict with) {
        verdict.set(with);
    }

    private void assertAsked(Commit.Request sent) {
        assertThat(node.handled(TransactionOutcome.Request.class))
                .isNotEmpty()
                .containsOnly(new TransactionOutcome.Request(
                        sent.shard(), sent.producerId(), sent.producerEpoch(), sent.sequence()));
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldAskAgainAndNeverSendItTwiceWhenItsOutcomeIsUnknown() throws Exception {
        Commit.Request sent = unanswered();
        answers(Verdict.COMMITTED);
        assertCode(0, codeOf(() -> resource.commit(ONE, true)));
        assertCode(XAException.XAER_NOTA, codeOf(() -> resource.commit(ONE, true)));
        assertAsked(sent);
    }

    @Test
    void shouldSayThatItIsRolledBackWhenItHasNotCommitted() throws Exception {
        Commit.Request sent = unanswered();
        answers(Verdict.NOT_COMMITTED);
        assertCode(XAException.XA_RBCOMMFAIL, codeOf(() -> resource.commit(ONE, true)));
        assertCode(XAException.XAER_NOTA, codeOf(() -> resource.commit(ONE, true)));
        assertAsked(sent);
    }

    @Test
    void shouldAskUnderTheNameItWasSentWithWhenAnotherSessionsResourceIsTold() throws Exception {
        Commit.Request sent = unanswered();
        XAResource other = connection.createXASession().getXAResource();
        assertThat(other.isSameRM(resource)).isTrue();
        answers(Verdict.COMMITTED);
        assertCode(0, codeOf(() -> other.commit(ONE, true)));
        assertAsked(sent);
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
        answers(Verdict.FORGOTTEN);
        assertCode(0, codeOf(() -> resource.commit(ONE, true)));
        assertAsked(sent);
    }

    @Test
    void shouldTellWhatItFoundWhenRolledBackInstead() throws Exception {
        Commit.Request sent = unanswered();
        answers(Verdict.COMMITTED);
        assertCode(XAException.XA_HEURCOM, codeOf(() -> resource.rollback(ONE)));
        assertCode(XAException.XAER_NOTA, codeOf(() -> resource.forget(ONE)));
        assertAsked(sent);
    }

    @Test
    void shouldRollBackWhenItHasNotHappened() throws Exception {
        Commit.Request sent = unanswered();
        answers(Verdict.NOT_COMMITTED);
        assertCode(0, codeOf(() -> resource.rollback(ONE)));
        assertAsked(sent);
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
