package io.duramen.broker.shard;

import io.duramen.broker.subscription.CameBack;
import io.duramen.broker.subscription.Consumer;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.transaction.PreparedBranch.BranchSettlement;
import io.duramen.protocol.frame.OffsetRange;
import java.util.List;

/**
 * Deliveries of one consumer on one partition that a branch accepts. Confined to the agent.
 *
 * @param ranges checked: the consumer may settle them
 */
record HeldForBranch(Consumer consumer, PartitionDispatch partition, List<OffsetRange> ranges) {
    Subscription subscription() {
        return consumer.subscription();
    }

    BranchSettlement toSettlement() {
        return new BranchSettlement(
                subscription().row().subscription(), partition.partition().id(), ranges);
    }

    /** From here on the consumer can do nothing with them. */
    void take() {
        for (OffsetRange range : ranges) {
            for (long offset = range.first(); offset <= range.last(); offset++) {
                partition.end(consumer, offset, false);
            }
        }
    }

    /** The branch never was: the consumer has them as before. */
    void restore() {
        partition.branchLeases().unend(ranges);
        subscription().markDirty();
    }

    /** Brings the branch's end about where nothing is durable. */
    void end(boolean commit, long nowMillis) {
        if (commit) {
            partition.settle(ranges);
        } else {
            partition.branchLeases().endWithheld(ranges);
            partition.giveBack(ranges, CameBack.at(nowMillis));
        }
        subscription().markDirty();
    }
}
