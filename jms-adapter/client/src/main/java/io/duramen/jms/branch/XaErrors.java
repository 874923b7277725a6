package io.duramen.jms.branch;

import io.duramen.jms.link.JmsErrors;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.BranchId;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.nio.ByteBuffer;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;

/** Any thread: holds nothing. Between the words of the XA interface (X/Open CAE C193) and ours. */
final class XaErrors {
    private XaErrors() {}

    /** @throws XAException XAER_INVAL where it is no name of a branch */
    static BranchId branch(Xid xid) throws XAException {
        if (xid == null) {
            throw error(XAException.XAER_INVAL, "no Xid");
        }
        try {
            return new BranchId(
                    xid.getFormatId(),
                    ByteBuffer.wrap(xid.getGlobalTransactionId()),
                    ByteBuffer.wrap(xid.getBranchQualifier()));
        } catch (IllegalArgumentException e) {
            throw caused(error(XAException.XAER_INVAL, e.getMessage()), e);
        }
    }

    static Xid xid(BranchId id) {
        return new NamedXid(id.formatId(), bytes(id.globalId()), bytes(id.qualifier()));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    static XAException error(int code, String reason) {
        XAException error = new XAException(reason);
        error.errorCode = code;
        return error;
    }

    static XAException caused(XAException error, Throwable cause) {
        error.initCause(cause);
        return error;
    }

    /** Whether the node's answer, if there was one, did not come: the manager has to ask again. */
    static boolean isLost(JMSException e) {
        return JmsErrors.OUTCOME_UNKNOWN.equals(e.getErrorCode()) || JmsErrors.LINK_LOST.equals(e.getErrorCode());
    }

    /** Why a branch that the node knows nothing of was rolled back instead. */
    static XAException rolledBack(JMSException e) {
        int code = isLost(e)
                ? XAException.XA_RBCOMMFAIL
                : e instanceof TransactionRolledBackException ? XAException.XA_RBTRANSIENT : XAException.XA_RBOTHER;
        return caused(error(code, "rolled back: " + e.getMessage()), e);
    }

    /** Why the node did not end a branch that it may have. */
    static XAException notEnded(JMSException e) {
        if (ErrorCode.BRANCH_NOT_FOUND.name().equals(e.getErrorCode())) {
            return caused(error(XAException.XAER_NOTA, e.getMessage()), e);
        }
        // Whatever else it is, a moment later it may go well: the manager tries again after this code.
        return caused(error(XAException.XAER_RMFAIL, e.getMessage()), e);
    }
}
