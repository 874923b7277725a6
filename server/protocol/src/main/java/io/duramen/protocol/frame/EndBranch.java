package io.duramen.protocol.frame;

/**
 * Commits or rolls back a prepared branch: all of it, in one append. Answered when that append is as durable as
 * {@link Publish.Acks#ALL} asks for. Open to the user who prepared it and to an admin.
 */
public interface EndBranch {
    /** @param commit whether its messages and settlements happen; else its deliveries come again, counted */
    record Request(int shard, BranchId branch, boolean commit) {}

    record Response() {}
}
