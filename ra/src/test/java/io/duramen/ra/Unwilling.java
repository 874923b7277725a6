package io.duramen.ra;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Any thread: holds nothing. A resource that does not prepare. */
final class Unwilling implements XAResource {
    @Override
    public int prepare(Xid xid) throws XAException {
        throw new XAException(XAException.XA_RBINTEGRITY);
    }

    @Override
    public void start(Xid xid, int flags) {}

    @Override
    public void end(Xid xid, int flags) {}

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        throw new XAException(XAException.XA_RBINTEGRITY);
    }

    @Override
    public void rollback(Xid xid) {}

    @Override
    public void forget(Xid xid) {}

    @Override
    public Xid[] recover(int flags) {
        return new Xid[0];
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return other == this;
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }
}
