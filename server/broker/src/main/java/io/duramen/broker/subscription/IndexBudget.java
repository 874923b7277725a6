package io.duramen.broker.subscription;

import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * Bounds the messages that all indexes of a shard remember together. One that nobody uses any more is kept for those who
 * come next, and is the first to go when room is needed. Confined to the shard's agent.
 */
public final class IndexBudget {
    private final int max;
    private final LinkedHashSet<EqualityIndex> idle = new LinkedHashSet<>();
    private int used;

    /** @param max 0 where there shall be no indexes */
    public IndexBudget(int max) {
        this.max = max;
    }

    boolean isNone() {
        return max == 0;
    }

    /** Takes room for one message; false where there is none. */
    boolean take() {
        while (used >= max && !idle.isEmpty()) {
            Iterator<EqualityIndex> eldest = idle.iterator();
            EqualityIndex evicted = eldest.next();
            eldest.remove();
            evicted.close();
        }
        if (used >= max) {
            return false;
        }
        used++;
        return true;
    }

    void give(int messages) {
        used -= messages;
    }

    void idle(EqualityIndex index) {
        idle.add(index);
    }

    void busy(EqualityIndex index) {
        idle.remove(index);
    }

    int used() {
        return used;
    }
}
