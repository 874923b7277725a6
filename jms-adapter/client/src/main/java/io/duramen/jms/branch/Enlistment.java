package io.duramen.jms.branch;

import io.duramen.jms.body.BodySender;
import io.duramen.jms.delivery.Owing;
import io.duramen.jms.link.Link;
import io.duramen.jms.publishing.Completions;
import io.duramen.jms.publishing.Outbox;
import io.duramen.jms.publishing.SessionIdentity;
import io.duramen.jms.publishing.TransactedOutbox;
import io.duramen.protocol.frame.BranchId;
import java.util.Collection;
import java.util.function.Supplier;
import javax.transaction.xa.XAException;

/**
 * Begun and left by the thread that uses the session, as JMS and XA have it; read by any. The branch that a session works
 * for at present.
 */
public final class Enlistment {
    private final Branches branches;
    private final Link link;
    private final SessionIdentity identity;
    private final Completions completions;
    private final BodySender bodies;
    private final Supplier<? extends Collection<? extends Owing>> owing;
    private volatile Branch branch;
    private volatile TransactedOutbox outbox;
    private long lastSequence;

    /** @param owing what the session was given and has not settled yet, wherever from */
    public Enlistment(
            Branches branches,
            Link link,
            SessionIdentity identity,
            Completions completions,
            BodySender bodies,
            Supplier<? extends Collection<? extends Owing>> owing) {
        this.branches = branches;
        this.link = link;
        this.identity = identity;
        this.completions = completions;
        this.bodies = bodies;
        this.owing = owing;
    }

    /** Whether the session works for a branch. */
    public boolean isActive() {
        return branch != null;
    }

    /** Where its messages go; only while {@link #isActive}. */
    public Outbox outbox() {
        return outbox;
    }

    Branches branches() {
        return branches;
    }

    SessionIdentity identity() {
        return identity;
    }

    /** Of the session's transactions that are committed in one phase; guarded by this object. */
    long nextSequence() {
        return ++lastSequence;
    }

    // ---- start and end ---------------------------------------------------------------------------------------------

    private void requireIdle() throws XAException {
        if (branch != null) {
            throw XaErrors.error(XAException.XAER_PROTO, "the session works for branch " + branch.id() + " already");
        }
    }

    private void join(Branch joined) {
        outbox = joined.join(this, new TransactedOutbox(link, completions, bodies));
        branch = joined;
    }

    void begin(BranchId id, int timeoutSeconds) throws XAException {
        requireIdle();
        join(branches.begin(id, timeoutSeconds));
    }

    void join(BranchId id) throws XAException {
        requireIdle();
        Branch joined = begun(id);
        if (joined.isRollbackOnly()) {
            throw XaErrors.error(XAException.XA_RBROLLBACK, "branch " + id + " can only be rolled back");
        }
        if (joined.isSuspendedBy(this) || joined.isSent()) {
            throw XaErrors.error(XAException.XAER_PROTO, "branch " + id + " cannot be joined at this stage");
        }
        join(joined);
    }

    void resume(BranchId id) throws XAException {
        requireIdle();
        Branch suspended = begun(id);
        if (!suspended.isSuspendedBy(this)) {
            throw XaErrors.error(XAException.XAER_PROTO, "the session has not suspended branch " + id);
        }
        join(suspended);
    }

    private Branch begun(BranchId id) throws XAException {
        Branch found = branches.get(id);
        if (found == null) {
            throw XaErrors.error(XAException.XAER_NOTA, "branch " + id + " has not been started");
        }
        return found;
    }

    void suspend(BranchId id) throws XAException {
        requireBranch(id);
        leave(true);
    }

    void end(BranchId id, boolean failed) throws XAException {
        Branch ended = branch;
        if (ended != null && ended.id().equals(id)) {
            leave(false);
        } else {
            ended = begun(id);
            if (!ended.isSuspendedBy(this)) {
                throw XaErrors.error(XAException.XAER_PROTO, "the session does not work for branch " + id);
            }
            ended.leave(this, false);
        }
        if (failed) {
            ended.markRollbackOnly();
        }
        if (ended.isTimedOut()) {
            ended.markRollbackOnly();
            throw XaErrors.error(XAException.XA_RBTIMEOUT, "branch " + id + " took longer than its timeout");
        }
    }

    private void requireBranch(BranchId id) throws XAException {
        if (branch == null || !branch.id().equals(id)) {
            begun(id);
            throw XaErrors.error(XAException.XAER_PROTO, "the session does not work for branch " + id);
        }
    }

    private void leave(boolean forTheMoment) {
        Branch left = branch;
        for (Owing one : owing.get()) {
            left.accept(one, one.enlistGiven());
        }
        left.leave(this, forTheMoment);
        branch = null;
        outbox = null;
    }

    /** The session is closed: what it was given meanwhile goes back with it. */
    public void close() {
        Branch left = branch;
        if (left != null) {
            left.markRollbackOnly();
            leave(false);
        }
    }
}
