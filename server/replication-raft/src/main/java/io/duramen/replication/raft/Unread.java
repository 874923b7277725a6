package io.duramen.replication.raft;

/**
 * Up to where the engine of a shard's replica was told to read no more, from one of the node's logs of that shard to the next: a log is made anew
 * after each leadership, and one that had to learn it again would let nothing go where leaders change more often than images are stored.
 * From any thread.
 *
 * <p>In memory only: after the process has ended it is told anew. Never beyond the image: the engine is told to leave what lies before one alone.
 */
public final class Unread {
    private volatile long index;

    /** Index of the last entry that nobody reads any more but who begins to copy; 0 for none. */
    long index() {
        return index;
    }

    /** The engine that was told so has ended: nothing that it had begun to read is being read. */
    void endedAt(long upToIndex) {
        index = upToIndex;
    }
}
