package io.duramen.jms.branch;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.TransactionOutcome;
import jakarta.jms.JMSException;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * Start and end by the thread that uses the session; the rest by any, one at a time for a branch, as XA has it. The
 * XAResource of a session. It stays of use once its session and connection are closed: branches are then ended and listed
 * over a connection of their own.
 *
 * <p>Codes are those of the XA specification (X/Open CAE C193, chapter 3). A branch of which the node does not know rolls
 * back whenever it cannot be prepared; one that said that it is prepared is never given up: XAER_RMFAIL tells the manager
 * to come again. One whose prepare failed so can only be rolled back, which its manager need not come again for.
 */
public final class BranchResource implements XAResource {
    private final Enlistment enlistment;
    private final Branches branches;
    private final Rollbacks rollbacks;
    private volatile int timeoutSeconds;

    public BranchResource(Enlistment enlistment) {
        this.enlistment = enlistment;
        this.branches = enlistment.branches();
        this.rollbacks = branches.rollbacks();
    }

    /** Joining is possible for sessions of one connection. */
    @Override
    public boolean isSameRM(XAResource other) {
        return other instanceof BranchResource resource && resource.branches == branches;
    }

    @Override
    public int getTransactionTimeout() {
        return timeoutSeconds;
    }

    /** Branches that take longer until they are prepared are rolled back then; 0 for no limit. */
    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        if (seconds < 0) {
            throw XaErrors.error(XAException.XAER_INVAL, "a timeout of " + seconds + " s");
        }
        timeoutSeconds = seconds;
        return true;
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        BranchId id = XaErrors.branch(xid);
        switch (flags) {
            case TMNOFLAGS -> {
                tidy();
                enlistment.begin(id, timeoutSeconds);
            }
            case TMJOIN -> enlistment.join(id);
            case TMRESUME -> enlistment.resume(id);
            default -> throw XaErrors.error(XAException.XAER_INVAL, "start does not take the flags " + flags);
        }
    }

    /** Sees to one branch that its manager has left behind: so many as are begun are seen to in the end. */
    private void tidy() {
        branches.claimOverdue().ifPresent(rollbacks::giveBackContent);
        branches.takeDispensable().ifPresent(oldest -> {
            if (oldest.isPrepared()) {
                branches.done(oldest);
            } else {
                rollbacks.giveBackContent(oldest); // the node takes no notice where it has it after all
            }
        });
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        BranchId id = XaErrors.branch(xid);
        switch (flags) {
            case TMSUCCESS -> enlistment.end(id, false);
            case TMFAIL -> enlistment.end(id, true);
            case TMSUSPEND -> enlistment.suspend(id);
            default -> throw XaErrors.error(XAException.XAER_INVAL, "end does not take the flags " + flags);
        }
    }

    /** @return the branch; null where it was not begun here */
    private Branch idle(BranchId id) throws XAException {
        Branch branch = branches.get(id);
        if (branch != null && branch.isBusy()) {
            throw XaErrors.error(XAException.XAER_PROTO, "a session has not ended its work for branch " + id);
        }
        return branch;
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        BranchId id = XaErrors.branch(xid);
        Branch branch = idle(id);
        if (branch == null) {
            throw XaErrors.error(XAException.XAER_NOTA, "branch " + id + " has not been started here");
        }
        if (branch.isSent()) {
            throw XaErrors.error(
                    XAException.XAER_PROTO, "branch " + id + " has been prepared, or committed in one phase");
        }
        requireNotDoomed(branch);
        if (branch.isEmpty()) {
            branches.forget(branch);
            return XA_RDONLY;
        }
        List<Commit.ShardPart> parts = branch.byShard();
        Commit.ShardPart first = parts.get(0);
        branches.home(id, first.shard());
        if (!branch.markSentToPrepare()) {
            throw overdue(branch);
        }
        try {
            branches.node()
                    .ask(link -> Call.ask(
                            link,
                            new Prepare.Request(first.shard(), id, first.batches(), first.settlements(), others(parts)),
                            Prepare.Response.class));
        } catch (JMSException e) {
            if (JmsErrors.OUTCOME_UNKNOWN.equals(e.getErrorCode())) {
                rollbacks.sayLater(branch); // no manager commits what has not said that it is prepared
                throw XaErrors.caused(XaErrors.error(XAException.XAER_RMFAIL, e.getMessage()), e);
            }
            rollbacks.giveBack(branch);
            throw XaErrors.rolledBack(e);
        }
        branch.markPrepared();
        return XA_OK;
    }

    /** Its time was over a moment ago, and what it held was given back. */
    private XAException overdue(Branch branch) {
        branches.forget(branch);
        return XaErrors.error(XAException.XA_RBTIMEOUT, "branch " + branch.id() + " was rolled back");
    }

    private void requireNotDoomed(Branch branch) throws XAException {
        if (branch.isTimedOut() || branch.isRollbackOnly()) {
            int code = branch.isTimedOut() ? XAException.XA_RBTIMEOUT : XAException.XA_RBROLLBACK;
            rollbacks.giveBack(branch);
            throw XaErrors.error(code, "branch " + branch.id() + " was rolled back");
        }
    }

    private static List<Commit.ShardPart> others(List<Commit.ShardPart> parts) {
        return parts.subList(1, parts.size());
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        BranchId id = XaErrors.branch(xid);
        Branch branch = idle(id);
        if (onePhase) {
            commitInOnePhase(id, branch);
        } else if (branch != null && !branch.isSentToPrepare()) {
            throw XaErrors.error(XAException.XAER_PROTO, "branch " + id + " has not been prepared");
        } else {
            endOnNode(id, true);
            if (branch != null) {
                branches.done(branch);
            }
        }
    }

    private void commitInOnePhase(BranchId id, Branch branch) throws XAException {
        if (branch == null) {
            throw XaErrors.error(XAException.XAER_NOTA, "branch " + id + " has not been started here");
        }
        if (branch.isSentToPrepare()) {
            throw XaErrors.error(XAException.XAER_PROTO, "branch " + id + " has been prepared: two phases are due");
        }
        Branch.OnePhase before = branch.onePhase();
        if (before != null) {
            requireCommitted(branch, before);
        } else {
            requireNotDoomed(branch);
            if (!branch.isEmpty()) {
                synchronized (enlistment) {
                    commitNow(branch, branch.byShard());
                }
            }
        }
        branches.done(branch);
    }

    /** Under the lock of the session, so that sequences ascend on the wire. */
    private void commitNow(Branch branch, List<Commit.ShardPart> parts) throws XAException {
        Commit.ShardPart first = parts.get(0);
        Branch.OnePhase sent =
                new Branch.OnePhase(first.shard(), enlistment.identity().producerId(), enlistment.nextSequence());
        if (!branch.sentInOnePhase(sent)) {
            throw overdue(branch);
        }
        try {
            branches.node()
                    .ask(link -> Call.ask(
                            link,
                            new Commit.Request(
                                    first.shard(),
                                    sent.producerId(),
                                    0,
                                    sent.sequence(),
                                    first.batches(),
                                    first.settlements(),
                                    "",
                                    others(parts)),
                            Commit.Response.class));
        } catch (JMSException e) {
            if (JmsErrors.OUTCOME_UNKNOWN.equals(e.getErrorCode()) && hasCommitted(sent)) {
                return;
            }
            rollbacks.giveBack(branch);
            throw XaErrors.rolledBack(e);
        }
    }

    /** For a commit whose outcome could not be learned before: it is never sent a second time. */
    private void requireCommitted(Branch branch, Branch.OnePhase sent) throws XAException {
        if (!hasCommitted(sent)) {
            rollbacks.giveBack(branch);
            throw XaErrors.error(XAException.XA_RBCOMMFAIL, "branch " + branch.id() + " has not committed");
        }
    }

    /**
     * Whether it has; if not, it never will. A transaction that the node has forgotten was stored: those that it passed over
     * it remembers.
     *
     * @throws XAException XAER_RMFAIL where that cannot be known now
     */
    private boolean hasCommitted(Branch.OnePhase sent) throws XAException {
        try {
            TransactionOutcome.Request question =
                    new TransactionOutcome.Request(sent.shard(), sent.producerId(), 0, sent.sequence());
            return branches.node()
                            .ask(link -> Call.ask(link, question, TransactionOutcome.Response.class))
                            .verdict()
                    != TransactionOutcome.Verdict.NOT_COMMITTED;
        } catch (JMSException e) {
            throw XaErrors.caused(XaErrors.error(XAException.XAER_RMFAIL, e.getMessage()), e);
        }
    }

    private void endOnNode(BranchId id, boolean commit) throws XAException {
        try {
            branches.node().ask(link -> {
                Call.remove(
                        link, new EndBranch.Request(branches.home(id, link), id, commit), ErrorCode.BRANCH_NOT_FOUND);
                return null;
            });
        } catch (JMSException e) {
            throw XaErrors.notEnded(e);
        }
    }

    /**
     * What the branch has received is refused, not given back, if it is rolled back before it was sent to prepare: it goes to
     * the dead letters of its destination. Nothing happens where this client does not know of the branch.
     *
     * @param reason for whoever reads it there; cut after 512 characters
     * @throws XAException XAER_INVAL for an xid that is none
     */
    public void refuseOnRollback(Xid xid, String reason) throws XAException {
        Branch branch = branches.get(XaErrors.branch(xid));
        if (branch != null) {
            branch.refuseOnRollback(reason);
        }
    }

    /**
     * What the branch has received goes back uncounted, since the application has not seen it, if it is rolled back before it
     * was sent to prepare. Nothing happens where this client does not know of the branch.
     *
     * @throws XAException XAER_INVAL for an xid that is none
     */
    public void releaseOnRollback(Xid xid) throws XAException {
        Branch branch = branches.get(XaErrors.branch(xid));
        if (branch != null) {
            branch.releaseOnRollback();
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        BranchId id = XaErrors.branch(xid);
        Branch branch = branches.get(id);
        if (branch == null) {
            endOnNode(id, false);
        } else if (branch.isSentToPrepare()) {
            rollbacks.sayNow(branch);
        } else if (branch.isBusy()) {
            throw XaErrors.error(XAException.XAER_PROTO, "a session has not ended its work for branch " + id);
        } else {
            rollBackUnprepared(branch);
        }
    }

    /** @throws XAException XA_HEURCOM where its commit in one phase, of which the answer did not come, has happened */
    private void rollBackUnprepared(Branch branch) throws XAException {
        Branch.OnePhase sent = branch.onePhase();
        if (sent != null && hasCommitted(sent)) {
            branches.done(branch);
            throw XaErrors.error(XAException.XA_HEURCOM, "branch " + branch.id() + " has committed in one phase");
        }
        rollbacks.giveBack(branch);
    }

    /** @throws XAException XAER_NOTA, always: nothing is decided here against the manager's word */
    @Override
    public void forget(Xid xid) throws XAException {
        throw XaErrors.error(XAException.XAER_NOTA, "branch " + XaErrors.branch(xid) + " was not ended by itself");
    }

    /** All that are prepared on the node, by whichever client, with the first call of a scan. */
    @Override
    public Xid[] recover(int flags) throws XAException {
        if ((flags & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw XaErrors.error(XAException.XAER_INVAL, "recover does not take the flags " + flags);
        }
        if ((flags & TMSTARTRSCAN) == 0) {
            return new Xid[0];
        }
        try {
            return branches.node().ask(branches::prepared).stream()
                    .map(XaErrors::xid)
                    .toArray(Xid[]::new);
        } catch (JMSException e) {
            throw XaErrors.caused(XaErrors.error(XAException.XAER_RMFAIL, e.getMessage()), e);
        }
    }
}
