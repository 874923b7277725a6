package io.duramen.ra.branch;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** As the resource behind it. Tells an observer when its session works for a branch, and what became of that. */
public final class ObservedResource implements XAResource {
    /** Is told on the thread of the call, once the resource has done what it says. */
    public interface Observer {
        /** The session works for a branch from here on, or no longer does. */
        void onActive(boolean active);

        /** Whether what the session did for its branch has failed, so that it can only be rolled back, whatever its manager says. */
        default boolean hasFailed() {
            return false;
        }

        /** Its manager wants a branch prepared or committed, on the thread that does it. */
        default void beforeCommit(Xid xid) throws XAException {
            // Most have nothing to say.
        }

        /** A branch is about to be rolled back, on the thread that does it. */
        default void beforeRollback(Xid xid) throws XAException {
            // Most have nothing to say.
        }

        /** A branch has ended, for good where it committed. */
        void onOutcome(boolean committed);
    }

    private final XAResource resource;
    private final Observer observer;

    public ObservedResource(XAResource resource, Observer observer) {
        this.resource = resource;
        this.observer = observer;
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        resource.start(xid, flags);
        observer.onActive(true);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        try {
            resource.end(xid, flags == TMSUCCESS && observer.hasFailed() ? TMFAIL : flags);
        } finally {
            observer.onActive(false);
        }
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        observer.beforeCommit(xid);
        try {
            int vote = resource.prepare(xid);
            if (vote == XA_RDONLY) {
                observer.onOutcome(true);
            }
            return vote;
        } catch (XAException e) {
            tellIfRolledBack(e);
            throw e;
        }
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        observer.beforeCommit(xid);
        try {
            resource.commit(xid, onePhase);
            observer.onOutcome(true);
        } catch (XAException e) {
            tellIfRolledBack(e);
            throw e;
        }
    }

    private void tellIfRolledBack(XAException e) {
        if (e.errorCode >= XAException.XA_RBBASE && e.errorCode <= XAException.XA_RBEND) {
            observer.onOutcome(false);
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        observer.beforeRollback(xid);
        resource.rollback(xid);
        observer.onOutcome(false);
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return resource.isSameRM(other instanceof ObservedResource observed ? observed.resource : other);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        resource.forget(xid);
    }

    @Override
    public Xid[] recover(int flags) throws XAException {
        return resource.recover(flags);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return resource.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return resource.setTransactionTimeout(seconds);
    }
}
