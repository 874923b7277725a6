package io.duramen.protocol.frame;

import java.util.List;

/**
 * Asks for the branches that are prepared and neither committed nor rolled back, by whichever client of this user; an admin
 * is told of all.
 */
public interface ListBranches {
    record Request(int shard) {}

    /** @param branches in the order in which they were prepared */
    record Response(List<Prepared> branches) {}

    /** @param preparedMillis the server's time when it was */
    record Prepared(BranchId branch, long preparedMillis) {}
}
