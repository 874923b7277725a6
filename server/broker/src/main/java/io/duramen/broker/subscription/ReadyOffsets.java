package io.duramen.broker.subscription;

import java.util.TreeSet;

/**
 * Offsets that may be handed out: the highest priority first, among the same priority the lowest offset. Adding one
 * again changes nothing. Confined to the shard's agent.
 */
final class ReadyOffsets {
    static final int PRIORITIES = 10;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final TreeSet<Long>[] levels = new TreeSet[PRIORITIES];

    private int size;
    /** No level above it holds anything. */
    private int highest = -1;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(int priority, long offset) {
        TreeSet<Long> level = levels[priority];
        if (level == null) {
            level = new TreeSet<>();
            levels[priority] = level;
        }
        if (level.add(offset)) {
            size++;
            highest = Math.max(highest, priority);
        }
    }

    void addAll(ReadyOffsets others) {
        for (int priority = 0; priority <= others.highest; priority++) {
            TreeSet<Long> level = others.levels[priority];
            if (level != null) {
                for (long offset : level) {
                    add(priority, offset);
                }
            }
        }
    }

    /** Priority of the first; -1 where there is none. */
    int firstPriority() {
        while (highest >= 0 && (levels[highest] == null || levels[highest].isEmpty())) {
            highest--;
        }
        return highest;
    }

    /** The offset that comes first; -1 where there is none. */
    long first() {
        int priority = firstPriority();
        return priority < 0 ? -1 : levels[priority].first();
    }

    void removeFirst() {
        levels[firstPriority()].pollFirst();
        size--;
    }

    /** Whether this first comes before the others' first. */
    boolean isBefore(ReadyOffsets others) {
        if (firstPriority() != others.firstPriority()) {
            return firstPriority() > others.firstPriority();
        }
        return !isEmpty() && first() < others.first();
    }

    /** Lowest priority of any; {@link #PRIORITIES} where there is none. */
    int lowestPriority() {
        for (int priority = 0; priority <= highest; priority++) {
            if (levels[priority] != null && !levels[priority].isEmpty()) {
                return priority;
            }
        }
        return PRIORITIES;
    }

    void removeAll(long first, long last) {
        for (int priority = 0; priority <= highest; priority++) {
            TreeSet<Long> level = levels[priority];
            if (level != null && !level.isEmpty()) {
                int before = level.size();
                level.subSet(first, true, last, true).clear();
                size -= before - level.size();
            }
        }
    }

    void clear() {
        for (TreeSet<Long> level : levels) {
            if (level != null) {
                level.clear();
            }
        }
        size = 0;
        highest = -1;
    }
}
