package io.duramen.broker.subscription;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Messages of one partition that consumers gave back unseen because they were asked to, see {@link Recalls}. Each goes to
 * a consumer of the same kind that has had nothing behind it, or back to where it came from, so that every consumer meets
 * the partition's messages in their order as if nobody had been asked. Whoever may have one gets it before anything else.
 * Soft state of the leader; confined to the shard's agent.
 */
final class Reclaimed {
    private final int partition;

    /** The leases under which they were held, by who held them and by offset. None is empty. */
    private final Map<Consumer, TreeMap<Long, Lease>> byOrigin = new HashMap<>();

    private int size;

    /** @param partition its index in the destination */
    Reclaimed(int partition) {
        this.partition = partition;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(long offset, Lease lease) {
        byOrigin.computeIfAbsent(lease.consumer, origin -> new TreeMap<>()).put(offset, lease);
        size++;
    }

    /** @return null where it is not there */
    Lease remove(long offset) {
        for (Map.Entry<Consumer, TreeMap<Long, Lease>> entry : byOrigin.entrySet()) {
            Lease lease = entry.getValue().remove(offset);
            if (lease != null) {
                size--;
                if (entry.getValue().isEmpty()) {
                    byOrigin.remove(entry.getKey());
                }
                return lease;
            }
        }
        return null;
    }

    /** The first that this consumer may have; -1 where there is none. */
    long firstFor(Consumer consumer) {
        long first = Long.MAX_VALUE;
        for (Map.Entry<Consumer, TreeMap<Long, Lease>> entry : byOrigin.entrySet()) {
            TreeMap<Long, Lease> leases = entry.getValue();
            if (entry.getKey() == consumer) {
                first = Math.min(first, leases.firstKey());
            } else if (entry.getKey().audience() == consumer.audience()) {
                Long higher = leases.higherKey(consumer.highest(partition));
                first = Math.min(first, higher == null ? Long.MAX_VALUE : higher);
            }
        }
        return first == Long.MAX_VALUE ? -1 : first;
    }

    /** Whether a consumer of this kind that could be handed something may have one. */
    boolean isWanted(Audience audience) {
        for (Consumer consumer : audience.consumers()) {
            if (consumer.mayTake() && firstFor(consumer) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Offsets of those that came from a consumer, ascending. */
    List<Long> from(Consumer origin) {
        TreeMap<Long, Lease> leases = byOrigin.get(origin);
        return leases == null ? List.of() : List.copyOf(leases.keySet());
    }
}
