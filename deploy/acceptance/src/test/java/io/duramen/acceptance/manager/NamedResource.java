package io.duramen.acceptance.manager;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jboss.tm.XAResourceWrapper;

/**
 * A resource under the name by which the manager knows it again: where it cannot find a branch that its log has, the name
 * tells it whether the resource manager was there to be asked. Tells the steps of a transaction as they come by.
 */
final class NamedResource implements XAResourceWrapper {
    private final String name;
    private final XAResource resource;
    private final Steps.Progress progress;

    /** @param progress of the transaction that it is enlisted in */
    NamedResource(String name, XAResource resource, Steps.Progress progress) {
        this.name = name;
        this.resource = resource;
        this.progress = progress;
    }

    @Override
    public XAResource getResource() {
        return resource;
    }

    @Override
    public String getProductName() {
        return name;
    }

    @Override
    public String getProductVersion() {
        return "1";
    }

    @Override
    public String getJndiName() {
        return name;
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        resource.start(xid, flags);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        resource.end(xid, flags);
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        progress.prepares();
        int vote = resource.prepare(xid);
        progress.prepared();
        return vote;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        progress.commits();
        resource.commit(xid, onePhase);
        progress.committed();
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        resource.rollback(xid);
        progress.rolledBack();
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
    public boolean isSameRM(XAResource other) throws XAException {
        return resource.isSameRM(other instanceof NamedResource named ? named.resource : other);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return resource.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return resource.setTransactionTimeout(seconds);
    }

    @Override
    public String toString() {
        return name;
    }
}
