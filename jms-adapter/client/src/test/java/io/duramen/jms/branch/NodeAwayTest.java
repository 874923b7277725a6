package io.duramen.jms.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.ListBranches;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.TransactionOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transaction manager is not kept waiting by a node that is away: XAER_RMFAIL, and it goes on with others. */
@Timeout(30)
class NodeAwayTest extends OnAScriptedNode {
    NodeAwayTest() {
        super("xaCallTimeoutMillis=200&reconnectDelayMillis=1");
    }

    private void goesAway() {
        node.beAway();
        node.drop();
    }

    /** As a manager does: until it is not told to come again. */
    private static int insisting(Ask ask) {
        int code = codeNow(ask);
        while (code == XAException.XAER_RMFAIL) {
            code = codeNow(ask);
        }
        return code;
    }

    /**
     * Waits until the client has come back, over whose connection nothing was asked that was given up; that what it could not
     * prepare is rolled back it says by itself.
     */
    private void comesBackAndHearsNothing() {
        node.politely(EndBranch.Request.class, end -> new EndBranch.Response());
        node.beThere();
        node.politely(ListBranches.Request.class, list -> new ListBranches.Response(List.of()));
        assertThat(insisting(() -> resource.recover(XAResource.TMSTARTRSCAN))).isZero();
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldFailWhateverIsAskedWhenTheNodeIsAway() throws Exception {
        work(ONE);
        work(TWO);
        goesAway();
        assertCode(XAException.XAER_RMFAIL, codeOf(() -> resource.prepare(ONE)));
        assertCode(XAException.XAER_RMFAIL, codeOf(() -> resource.commit(TWO, true)));
        assertCode(XAException.XAER_RMFAIL, codeOf(() -> resource.commit(ONE, false)));
        assertCode(XAException.XAER_RMFAIL, codeOf(() -> resource.rollback(ONE)));
        assertCode(XAException.XAER_RMFAIL, codeOf(() -> resource.rollback(xid(3))));
        assertCode(XAException.XAER_RMFAIL, codeOf(() -> resource.recover(XAResource.TMSTARTRSCAN)));
        comesBackAndHearsNothing();
        assertThat(insisting(() -> resource.rollback(ONE))).isZero();
        node.politely(
                TransactionOutcome.Request.class,
                asked -> new TransactionOutcome.Response(TransactionOutcome.Verdict.NOT_COMMITTED));
        assertThat(insisting(() -> resource.commit(TWO, true))).isEqualTo(XAException.XA_RBCOMMFAIL);
    }

    @Test
    void shouldNotAskAgainWhatWasGivenUpWhenTheConnectionComesBack() throws Exception {
        work(ONE);
        CompletableFuture<Integer> prepare = codeOf(() -> resource.prepare(ONE));
        node.expect(Prepare.Request.class);
        goesAway();
        assertCode(XAException.XAER_RMFAIL, prepare);
        comesBackAndHearsNothing();
        assertThat(node.handled(EndBranch.Request.class)).allMatch(end -> !end.commit());
    }

    @Test
    void shouldSayByItselfThatWhatItCouldNotPrepareIsRolledBackUntilTheNodeAnswers() throws Exception {
        work(ONE);
        CompletableFuture<Integer> prepare = codeOf(() -> resource.prepare(ONE));
        ScriptedNode.Received late = node.expect(Prepare.Request.class);
        assertCode(XAException.XAER_RMFAIL, prepare);
        for (int unanswered = 0; unanswered < 2; unanswered++) {
            assertThat(node.expected(EndBranch.Request.class).commit()).isFalse();
        }
        late.answer(new Prepare.Response()); // nobody is told: it stays rolled back
        node.politely(EndBranch.Request.class, end -> new EndBranch.Response());
        assertThat(insisting(() -> resource.rollback(ONE))).isZero(); // said by whichever of both
        work(ONE); // the name is free
    }

    @Test
    void shouldNeverRollBackWhatItHasPreparedWhateverBecomesOfTheConnection() throws Exception {
        work(ONE);
        CompletableFuture<Integer> prepare = codeOf(() -> resource.prepare(ONE));
        node.expect(Prepare.Request.class).answer(new Prepare.Response());
        assertCode(0, prepare);
        work(TWO);
        goesAway();
        assertCode(XAException.XAER_RMFAIL, codeOf(() -> resource.commit(ONE, false)));
        assertCode(XAException.XAER_RMFAIL, codeOf(() -> resource.prepare(TWO)));
        comesBackAndHearsNothing();
        assertThat(insisting(() -> resource.commit(ONE, false))).isZero();
        assertThat(insisting(() -> resource.rollback(TWO))).isZero();
        BranchId one = XaErrors.branch(ONE);
        assertThat(node.handled(EndBranch.Request.class))
                .filteredOn(end -> end.branch().equals(one))
                .isNotEmpty()
                .allMatch(EndBranch.Request::commit);
    }

    @Test
    void shouldFailWhenTheNodeIsThereAndDoesNotAnswer() throws Exception {
        work(ONE);
        CompletableFuture<Integer> prepare = codeOf(() -> resource.prepare(ONE));
        node.expect(Prepare.Request.class);
        assertCode(XAException.XAER_RMFAIL, prepare);
        CompletableFuture<Integer> commit = codeOf(() -> resource.commit(ONE, false));
        node.expect(EndBranch.Request.class);
        assertCode(XAException.XAER_RMFAIL, commit);
    }
}
