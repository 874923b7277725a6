package io.duramen.jms.xa;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Any thread: holds nothing. The resource of a session that cannot be part of a distributed transaction: refuses to. */
final class NoBranches implements XAResource {
    private static XAException refused(int code, String what) {
        XAException refused =
                new XAException(what + ": distributed transactions are not available in this release of Duramen");
        refused.errorCode = code;
        return refused;
    }

    /** @throws XAException XAER_RMERR, always */
    @Override
    public void start(Xid branch, int flags) throws XAException {
        throw refused(XAException.XAER_RMERR, "start");
    }

    /** @throws XAException XAER_NOTA, always: no branch was ever started */
    @Override
    public void end(Xid branch, int flags) throws XAException {
        throw refused(XAException.XAER_NOTA, "end");
    }

    /** @throws XAException XAER_NOTA, always */
    @Override
    public int prepare(Xid branch) throws XAException {
        throw refused(XAException.XAER_NOTA, "prepare");
    }

    /** @throws XAException XAER_NOTA, always */
    @Override
    public void commit(Xid branch, boolean onePhase) throws XAException {
        throw refused(XAException.XAER_NOTA, "commit");
    }

    /** @throws XAException XAER_NOTA, always */
    @Override
    public void rollback(Xid branch) throws XAException {
        throw refused(XAException.XAER_NOTA, "rollback");
    }

    /** @throws XAException XAER_NOTA, always */
    @Override
    public void forget(Xid branch) throws XAException {
        throw refused(XAException.XAER_NOTA, "forget");
    }

    /** @return none: nothing is ever prepared */
    @Override
    public Xid[] recover(int flags) {
        return new Xid[0];
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return other == this;
    }
}
