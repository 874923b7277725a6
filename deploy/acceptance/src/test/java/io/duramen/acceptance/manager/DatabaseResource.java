package io.duramen.acceptance.manager;

import java.sql.SQLException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.api.ErrorCode;

/**
 * H2's resource with the codes of the XA specification: H2 throws XAExceptions without one, which a manager can only take
 * for a heuristic outcome. One thread at a time.
 */
final class DatabaseResource implements XAResource {
    private final XAResource resource;
    private final boolean recovers;

    /** @param recovers whether it ends what other connections have prepared, or else only what its own does */
    DatabaseResource(XAResource resource, boolean recovers) {
        this.resource = resource;
        this.recovers = recovers;
    }

    @FunctionalInterface
    private interface Call<T> {
        T run() throws XAException;
    }

    private static <T> T coded(Call<T> call) throws XAException {
        try {
            return call.run();
        } catch (XAException e) {
            if (e.errorCode == 0) {
                boolean unknown = e.getCause() instanceof SQLException cause
                        && cause.getErrorCode() == ErrorCode.TRANSACTION_NOT_FOUND_1;
                e.errorCode = unknown ? XAException.XAER_NOTA : XAException.XAER_RMERR;
            }
            throw e;
        }
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        coded(() -> {
            resource.start(xid, flags);
            return null;
        });
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        coded(() -> {
            resource.end(xid, flags);
            return null;
        });
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        return coded(() -> resource.prepare(xid));
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        coded(() -> {
            resource.commit(xid, onePhase);
            return null;
        });
    }

    /** What another connection has prepared H2 rolls back on a connection that has just listed it, and one branch for each list. */
    @Override
    public void rollback(Xid xid) throws XAException {
        coded(() -> {
            if (recovers) {
                resource.recover(TMSTARTRSCAN);
            }
            resource.rollback(xid);
            return null;
        });
    }

    @Override
    public void forget(Xid xid) throws XAException {
        resource.forget(xid);
    }

    @Override
    public Xid[] recover(int flags) throws XAException {
        return (flags & TMSTARTRSCAN) == 0 ? new Xid[0] : resource.recover(flags);
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return resource.isSameRM(other instanceof DatabaseResource database ? database.resource : other);
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
