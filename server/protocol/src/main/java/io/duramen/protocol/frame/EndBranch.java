package io.duramen.protocol.frame;

/**
 * Commits or rolls back a prepared branch: all of it, in whichever shards. To be asked of the shard to which it was
 * prepared. Answered when that is as durable as {@link Publish.Acks#ALL} asks for, and a rollback once its deliveries are back
 * in all of them. Open to the user who prepared it and to an admin.
 */
public interface EndBranch {
    /** @param commit whether its messages and settlements happen; else its deliveries come again, counted */
    record Request(int shard, BranchId branch, boolean commit) implements ForShard {}

    record Response() {}
}
