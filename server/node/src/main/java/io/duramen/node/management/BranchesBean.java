package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.EndPrepared;
import io.duramen.broker.shard.OperatorRequest.ListPrepared;
import io.duramen.broker.shard.OperatorRequest.PreparedEntry;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.BranchRow;
import io.duramen.management.BranchesMXBean;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Thread-safe. */
final class BranchesBean implements BranchesMXBean {
    private final List<ShardCounters> counters;
    private final ShardQuestions shards;
    private final Audit audit;

    BranchesBean(List<ShardCounters> counters, ShardQuestions shards, Audit audit) {
        this.counters = counters;
        this.shards = shards;
        this.audit = audit;
    }

    @Override
    public long getCount() {
        return Counts.sum(counters, Counter.PREPARED_BRANCHES);
    }

    @Override
    public List<BranchRow> list() {
        return audit.look("list of prepared branches", () -> {
            long now = System.currentTimeMillis();
            List<List<PreparedEntry>> all = shards.askAll(new ListPrepared(), shards.deadline());
            List<BranchRow> rows = new ArrayList<>();
            for (int shard = 0; shard < all.size(); shard++) {
                for (PreparedEntry entry : all.get(shard)) {
                    rows.add(row(shard, entry, now));
                }
            }
            rows.sort(Comparator.comparingLong(BranchRow::preparedMillis));
            return rows;
        });
    }

    private static BranchRow row(int shard, PreparedEntry entry, long nowMillis) {
        return new BranchRow(
                entry.id().toString(),
                shard,
                entry.user(),
                entry.preparedMillis(),
                Math.max(0, nowMillis - entry.preparedMillis()),
                entry.messages(),
                entry.settles());
    }

    @Override
    public void commit(String id) {
        end(id, true);
    }

    @Override
    public void rollBack(String id) {
        end(id, false);
    }

    private void end(String id, boolean commit) {
        audit.change((commit ? "commit" : "rollback") + " by hand of branch " + id, () -> {
            BranchId branch = BranchId.parse(Text.orEmpty(id));
            Deadline deadline = shards.deadline();
            for (int shard = 0; shard < shards.shards(); shard++) {
                if (ended(shard, new EndPrepared(branch, commit), deadline)) {
                    return commit ? "it is committed" : "it is rolled back";
                }
            }
            throw new ProtocolException(ErrorCode.BRANCH_NOT_FOUND, "branch " + id + " is not prepared");
        });
    }

    /** Whether it was in this shard. */
    private boolean ended(int shard, EndPrepared request, Deadline deadline) {
        try {
            return shards.ask(shard, request, deadline);
        } catch (ProtocolException refusal) {
            if (refusal.code() == ErrorCode.BRANCH_NOT_FOUND) {
                return false;
            }
            throw refusal;
        }
    }
}
