package io.duramen.replication.raft;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Up to where entries may go: the engine was told that it reads them no more, so long ago that it has done with what it had begun to
 * read. Confined to the agent.
 */
final class Forgotten {
    private final long patienceNanos;
    private final ArrayDeque<Told> told = new ArrayDeque<>();
    private long lastIndex;
    private long index;

    private record Told(long index, long atNanos) {}

    /**
     * @param patience after which nothing of what was read before is being read any more
     * @param unreadIndex of the last entry that this engine was never to read, which may go at once; 0 for none
     */
    Forgotten(Duration patience, long unreadIndex) {
        patienceNanos = patience.toNanos();
        lastIndex = unreadIndex;
        index = unreadIndex;
    }

    /** The engine was told that it reads nothing up to that entry. */
    void told(long upToIndex, long nowNanos) {
        if (upToIndex > lastIndex) {
            lastIndex = upToIndex;
            told.add(new Told(upToIndex, nowNanos));
        }
    }

    /** Index of the last entry that may go; 0 for none. */
    long index(long nowNanos) {
        while (!told.isEmpty() && nowNanos - told.peek().atNanos >= patienceNanos) {
            index = told.poll().index;
        }
        return index;
    }
}
