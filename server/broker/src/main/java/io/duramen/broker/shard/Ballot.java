package io.duramen.broker.shard;

import java.util.concurrent.atomic.AtomicInteger;

/** Who is yet to say that its part of a transaction is prepared: the last to do so wakes the shard that decides. Any thread. */
final class Ballot {
    private final AtomicInteger unvoted;

    Ballot(int parts) {
        unvoted = new AtomicInteger(parts);
    }

    /** One has left its vote. Returns whether all have. */
    boolean isLast() {
        return unvoted.decrementAndGet() == 0;
    }
}
