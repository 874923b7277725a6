package io.duramen.node;

import java.nio.charset.StandardCharsets;
import javax.transaction.xa.Xid;

/** The name of a branch, as a transaction manager makes one. */
record TestXid(String name) implements Xid {
    @Override
    public int getFormatId() {
        return 4712;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] getBranchQualifier() {
        return new byte[] {1};
    }
}
