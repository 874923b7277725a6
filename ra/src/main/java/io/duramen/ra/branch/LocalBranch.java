package io.duramen.ra.branch;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.LocalTransactionException;
import java.nio.ByteBuffer;
import java.util.UUID;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * One thread at a time, as the session. A transaction of the node alone: a branch that nobody else takes part in, and that
 * commits in one phase.
 */
public final class LocalBranch implements LocalTransaction {
    private static final int FORMAT = 0x4475726c; // "Durl"

    private final XAResource resource;
    private Xid current;

    public LocalBranch(XAResource resource) {
        this.resource = resource;
    }

    private record LocalXid(byte[] getGlobalTransactionId) implements Xid {
        @Override
        public int getFormatId() {
            return FORMAT;
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }

        static LocalXid random() {
            UUID id = UUID.randomUUID();
            return new LocalXid(ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array());
        }
    }

    @Override
    public void begin() throws ResourceException {
        if (current != null) {
            throw new LocalTransactionException("a local transaction has begun already");
        }
        Xid next = LocalXid.random();
        try {
            resource.start(next, XAResource.TMNOFLAGS);
            current = next;
        } catch (XAException e) {
            throw failed("begin", e);
        }
    }

    @Override
    public void commit() throws ResourceException {
        Xid ended = ended("commit");
        try {
            resource.end(ended, XAResource.TMSUCCESS);
            resource.commit(ended, true);
        } catch (XAException e) {
            throw failed("commit", e);
        }
    }

    @Override
    public void rollback() throws ResourceException {
        Xid ended = ended("roll back");
        try {
            resource.end(ended, XAResource.TMSUCCESS);
            resource.rollback(ended);
        } catch (XAException e) {
            throw failed("roll back", e);
        }
    }

    private Xid ended(String what) throws LocalTransactionException {
        Xid ended = current;
        if (ended == null) {
            throw new LocalTransactionException("there is no local transaction to " + what);
        }
        current = null;
        return ended;
    }

    private static LocalTransactionException failed(String what, XAException e) {
        LocalTransactionException told =
                new LocalTransactionException("the local transaction did not " + what + ": " + e.getMessage(), e);
        told.setErrorCode(String.valueOf(e.errorCode));
        return told;
    }
}
