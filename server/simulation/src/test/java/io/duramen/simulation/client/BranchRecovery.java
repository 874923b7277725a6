package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.ListBranches;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a transaction manager does from time to time: it rolls back what a Prepare has left that came late, on a connection
 * that was lost, when the branch had ended already. Confined to the simulation.
 */
final class BranchRecovery {
    private final SimulatedClient client;
    private final Predicate<BranchId> own;
    private int lists;

    /** @param own whether a branch is of this manager, which knows of no more branches when it asks */
    BranchRecovery(SimulatedClient client, Predicate<BranchId> own) {
        this.client = client;
        this.own = own;
    }

    void lost() {
        lists = 0;
    }

    /** Asks these shards, unless they have not answered yet. */
    void ask(Set<Integer> shards) {
        if (lists > 0) {
            return;
        }
        for (int shard : shards) {
            lists++;
            client.ask(new ListBranches.Request(shard), new SimulatedClient.Answer() {
                @Override
                public void answered(Record response) {
                    lists--;
                    ((ListBranches.Response) response).branches().forEach(found -> rollBack(shard, found.branch()));
                }

                @Override
                public void refused(ErrorCode code, String detail) {
                    client.retryLater(code);
                }
            });
        }
    }

    private void rollBack(int shard, BranchId id) {
        if (own.test(id)) {
            client.tell(new EndBranch.Request(shard, id, false));
        }
    }
}
