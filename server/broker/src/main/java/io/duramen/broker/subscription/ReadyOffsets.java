package io.duramen.broker.subscription;

import java.util.Comparator;
import java.util.TreeSet;

/**
 * Messages that may be handed out: the highest priority first; among the same priority those that waited for a delivery
 * time, in the order of that, then the others in the order of their offsets. Adding one again changes nothing. Confined
 * to the shard's agent.
 */
final class ReadyOffsets {
    static final int PRIORITIES = 10;

    /** @param deliveryTime {@link Long#MAX_VALUE} for none */
    record Ready(long deliveryTime, long offset) {
        static final Comparator<Ready> ORDER =
                Comparator.comparingLong(Ready::deliveryTime).thenComparingLong(Ready::offset);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final TreeSet<Ready>[] levels = new TreeSet[PRIORITIES];

    private int size;
    /** No level above it holds anything. */
    private int highest = -1;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** @param deliveryTime 0 for none */
    void add(int priority, long deliveryTime, long offset) {
        add(priority, new Ready(deliveryTime == 0 ? Long.MAX_VALUE : deliveryTime, offset));
    }

    private void add(int priority, Ready ready) {
        TreeSet<Ready> level = levels[priority];
        if (level == null) {
            level = new TreeSet<>(Ready.ORDER);
            levels[priority] = level;
        }
        if (level.add(ready)) {
            size++;
            highest = Math.max(highest, priority);
        }
    }

    /** Takes all of the others, which are empty afterwards. */
    void addAll(ReadyOffsets others) {
        for (int priority = 0; priority <= others.highest; priority++) {
            TreeSet<Ready> level = others.levels[priority];
            if (level != null) {
                for (Ready ready : level) {
                    add(priority, ready);
                }
            }
        }
        others.clear();
    }

    /** Moves the first to the others. */
    void moveFirst(ReadyOffsets others) {
        int priority = firstPriority();
        others.add(priority, levels[priority].pollFirst());
        size--;
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
        return priority < 0 ? -1 : levels[priority].first().offset;
    }

    /** Whether the first one waited for a delivery time. */
    boolean isFirstTimed() {
        return levels[firstPriority()].first().deliveryTime != Long.MAX_VALUE;
    }

    void removeFirst() {
        levels[firstPriority()].pollFirst();
        size--;
    }

    /** Whether this first comes before the others' first. */
    boolean isBefore(ReadyOffsets others) {
        int priority = firstPriority();
        if (priority < 0 || priority != others.firstPriority()) {
            return priority > others.firstPriority();
        }
        return Ready.ORDER.compare(levels[priority].first(), others.levels[priority].first()) < 0;
    }

    /** Where a message stands in the order in which messages are handed out. */
    record Place(int priority, Ready ready) {}

    /** Of the first; there is one. */
    Place firstPlace() {
        int priority = firstPriority();
        return new Place(priority, levels[priority].first());
    }

    /** Whether the first of the others, which there is, is here too. */
    boolean containsFirstOf(ReadyOffsets others) {
        int priority = others.firstPriority();
        return levels[priority] != null && levels[priority].contains(others.levels[priority].first());
    }

    /** Whether the first, which there is, comes before that place. */
    boolean isFirstBefore(Place place) {
        int priority = firstPriority();
        return priority > place.priority
                || priority == place.priority && Ready.ORDER.compare(levels[priority].first(), place.ready) < 0;
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

    void clear() {
        for (TreeSet<Ready> level : levels) {
            if (level != null) {
                level.clear();
            }
        }
        size = 0;
        highest = -1;
    }
}
