package io.duramen.broker.subscription;

import java.util.TreeSet;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Messages of one partition that consumers brought with them from before they lost their connection, of which it is to be
 * seen whether they belong to a group. Confined to the shard's agent.
 */
final class Adopted {
    private final PartitionDispatch dispatch;
    private final Long2ObjectHashMap<Lease> leases;
    private final TreeSet<Long> offsets = new TreeSet<>();

    Adopted(PartitionDispatch dispatch, Long2ObjectHashMap<Lease> leases) {
        this.dispatch = dispatch;
        this.leases = leases;
    }

    void add(long offset) {
        offsets.add(offset);
    }

    /** Whether the groups of all are known; false where bytes have to be fetched first. */
    boolean isResolved(RecordReader reader) {
        while (!offsets.isEmpty()) {
            long offset = offsets.first();
            Lease lease = leases.get(offset);
            if (lease != null && lease.number == 0 && lease.consumer != null) {
                if (!reader.seek(offset)) {
                    return false;
                }
                if (reader.group() != 0) {
                    lease.group = reader.group();
                    dispatch.groups().adopt(lease.group, lease.consumer);
                }
            }
            offsets.pollFirst();
        }
        return true;
    }
}
