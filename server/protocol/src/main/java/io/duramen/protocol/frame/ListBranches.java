package io.duramen.protocol.frame;

import java.util.List;

/**
 * Asks for the branches that were prepared to a shard and neither committed nor rolled back, by whichever client of this
 * user; an admin is told of all. One that concerns several shards is listed by one of them.
 */
public interface ListBranches {
    record Request(int shard) implements ForShard {}

    /** @param branches in the order in which they were prepared */
    record Response(List<Prepared> branches) {}

    /** @param preparedMillis the server's time when it was */
    record Prepared(BranchId branch, long preparedMillis) {}
}
