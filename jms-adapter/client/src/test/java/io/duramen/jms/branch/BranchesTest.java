package io.duramen.jms.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.frame.BranchId;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import org.junit.jupiter.api.Test;

/** What is kept of branches that their manager does not end here. */
class BranchesTest {
    private long nowNanos = -7;

    private final Branches branches = new Branches(
            new Branches.Node() {
                @Override
                public <T> T ask(Branches.Question<T> question) {
                    throw new AssertionError("the node is not asked");
                }

                @Override
                public boolean isThere() {
                    return true;
                }
            },
            () -> nowNanos);

    private static BranchId id(int number) {
        return new BranchId(1, ByteBuffer.allocate(4).putInt(number).flip(), ByteBuffer.allocate(0));
    }

    private Branch begin(int number, int timeoutSeconds) throws XAException {
        return branches.begin(id(number), timeoutSeconds);
    }

    @Test
    void shouldClaimEachOnceWhenItsTimeIsOver() throws XAException {
        Branch timed = begin(1, 2);
        begin(2, 0);
        assertThat(branches.claimOverdue()).isEmpty();
        nowNanos += TimeUnit.SECONDS.toNanos(2) + 1;
        assertThat(branches.claimOverdue()).contains(timed);
        assertThat(branches.claimOverdue()).isEmpty();
        assertThat(timed.isRollbackOnly()).isTrue();
        assertThat(timed.markSentToPrepare()).isFalse();
        assertThat(timed.sentInOnePhase(new Branch.OnePhase(0, 1, 1))).isFalse();
        assertThat(branches.get(id(1))).isSameAs(timed);
    }

    @Test
    void shouldNotClaimWhatTheNodeMayKnowOf() throws XAException {
        assertThat(begin(1, 1).markSentToPrepare()).isTrue();
        assertThat(begin(2, 1).sentInOnePhase(new Branch.OnePhase(0, 1, 1))).isTrue();
        nowNanos += TimeUnit.SECONDS.toNanos(5);
        assertThat(branches.claimOverdue()).isEmpty();
    }

    @Test
    void shouldClaimARollbackOnceEachTimeThatItCouldNotBeSaid() throws XAException {
        Branch branch = begin(1, 0);
        begin(2, 0);
        branch.markSentToPrepare();
        assertThat(branches.claimUnsaidRollback()).isEmpty();
        branch.markRollbackUnsaid();
        assertThat(branches.claimUnsaidRollback()).contains(branch);
        assertThat(branches.claimUnsaidRollback()).isEmpty();
        branch.markRollbackUnsaid();
        assertThat(branches.claimUnsaidRollback()).contains(branch);
    }

    @Test
    void shouldForgetTheOldestWhenManyWerePreparedAndOthersEndedThem() throws XAException {
        Branch working = begin(0, 0);
        for (int i = 1; i <= 5 * Branches.BRANCHES_MAX; i++) {
            Branch branch = begin(i, 0);
            branch.markSentToPrepare();
            branch.markPrepared();
            branches.takeDispensable();
        }
        assertThat(branches.get(id(0))).isSameAs(working);
        assertThat(branches.get(id(1))).isNull();
        assertThat(branches.get(id(5 * Branches.BRANCHES_MAX))).isNotNull();
    }

    @Test
    void shouldKeepInMindWhatItHasToRollBackByItselfWhenManyWerePrepared() throws XAException {
        Branch unsaid = begin(0, 0);
        unsaid.markSentToPrepare();
        unsaid.markRollbackUnsaid();
        for (int i = 1; i <= Branches.BRANCHES_MAX; i++) {
            Branch branch = begin(i, 0);
            branch.markSentToPrepare();
            branch.markPrepared();
            branches.takeDispensable();
        }
        assertThat(branches.get(id(0))).isSameAs(unsaid);
        assertThat(branches.get(id(1))).isNull();
        assertThat(branches.claimUnsaidRollback()).contains(unsaid);
    }

    @Test
    void shouldRefuseMoreWhenNoneIsEverEnded() throws XAException {
        for (int i = 0; i < Branches.BRANCHES_MAX; i++) {
            begin(i, 0);
        }
        assertThat(branches.takeDispensable()).isEmpty();
        assertThatThrownBy(() -> begin(-1, 0))
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMERR))
                .hasMessageContaining("timeout");
        branches.forget(branches.get(id(5)));
        begin(-1, 0);
    }
}
