package io.duramen.jms.branch;

import java.util.Arrays;
import java.util.HexFormat;
import javax.transaction.xa.Xid;

/** Immutable. A name of a branch as the node gave it. Equal to others of this class with the same parts. */
final class NamedXid implements Xid {
    private final int formatId;
    private final byte[] globalId;
    private final byte[] qualifier;

    NamedXid(int formatId, byte[] globalId, byte[] qualifier) {
        this.formatId = formatId;
        this.globalId = globalId;
        this.qualifier = qualifier;
    }

    @Override
    public int getFormatId() {
        return formatId;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return globalId.clone();
    }

    @Override
    public byte[] getBranchQualifier() {
        return qualifier.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamedXid xid
                && formatId == xid.formatId
                && Arrays.equals(globalId, xid.globalId)
                && Arrays.equals(qualifier, xid.qualifier);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * formatId + Arrays.hashCode(globalId)) + Arrays.hashCode(qualifier);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return formatId + ":" + hex.formatHex(globalId) + ":" + hex.formatHex(qualifier);
    }
}
