package io.duramen.broker.subscription;

import io.duramen.protocol.frame.OffsetRange;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/** What prepared branches accept of one partition: leases that have ended and await their outcome. Confined to the agent. */
public final class BranchLeases {
    private final PartitionDispatch dispatch;
    private final Long2ObjectHashMap<Lease> leases;

    BranchLeases(PartitionDispatch dispatch, Long2ObjectHashMap<Lease> leases) {
        this.dispatch = dispatch;
        this.leases = leases;
    }

    /** Replays that a prepared branch accepts them: nobody gets them until it is known what becomes of it. */
    public void withhold(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                Lease lease = leases.get(offset);
                if (lease == null || lease.consumer == null) {
                    dispatch.redeliveries().forget(offset); // as of the replay, it waited when the branch had it
                    if (dispatch.isUnsettled(offset)) {
                        dispatch.keepFromAll(offset);
                        leases.get(offset).withheld = true;
                    }
                }
            }
        }
    }

    /** Decides that what a prepared branch had accepted comes back: it stays where it is until it is given back. */
    public void endWithheld(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                Lease lease = leases.get(offset);
                if (lease != null && !lease.givingBack) {
                    lease.givingBack = true;
                    dispatch.returns();
                }
            }
        }
    }

    /**
     * What a branch accepted that never was is with its consumer again, or, where that is not known, anyone's; unless it came
     * back meanwhile, and waits for its next delivery or leaves.
     */
    public void unend(List<OffsetRange> ranges) {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                Lease lease = leases.get(offset);
                if (lease == null || lease.givingBack) {
                    continue;
                }
                if (lease.consumer != null) {
                    lease.ending = false;
                } else if (lease.withheld) {
                    dispatch.release(offset);
                }
            }
        }
    }
}
