package io.duramen.broker.subscription;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Messages of groups that a lane may hand to one consumer and no other, who has no credit just now, or to nobody before
 * their group is free. Soft state of the leader; confined to the shard's agent.
 */
final class SetAside {
    private static final class Parked {
        final ReadyOffsets offsets = new ReadyOffsets();
        long progress;
        long sinceMillis;
    }

    private final Map<Consumer, Parked> parked = new LinkedHashMap<>();
    private final ReadyOffsets blocked = new ReadyOffsets();
    private int size;

    int size() {
        return size;
    }

    /** Messages that wait for one consumer. */
    int parked() {
        return size - blocked.size();
    }

    /** Those that wait for this consumer; null where there are none. */
    ReadyOffsets of(Consumer owner) {
        Parked own = parked.get(owner);
        return own == null ? null : own.offsets;
    }

    int parked(Consumer owner) {
        Parked own = parked.get(owner);
        return own == null ? 0 : own.offsets.size();
    }

    /** Whether the first of {@code from} waits already: for this consumer, or, where that is null, for its group. */
    boolean holds(ReadyOffsets from, Consumer owner) {
        if (owner == null) {
            return blocked.containsFirstOf(from);
        }
        Parked own = parked.get(owner);
        return own != null && own.offsets.containsFirstOf(from);
    }

    /** The first of {@code from} waits for this consumer. */
    void park(ReadyOffsets from, Consumer owner, long nowMillis) {
        Parked own = parked.get(owner);
        if (own == null) {
            own = new Parked();
            own.progress = owner.progress();
            own.sinceMillis = nowMillis;
            parked.put(owner, own);
        }
        move(from, own.offsets);
    }

    /** The first of {@code from} waits for its group. */
    void block(ReadyOffsets from) {
        move(from, blocked);
    }

    private void move(ReadyOffsets from, ReadyOffsets to) {
        int before = to.size();
        from.moveFirst(to);
        size += to.size() - before;
    }

    /** One that waited was taken. */
    void taken() {
        size--;
    }

    /** What waits for this consumer is anyone's again. */
    void offer(Consumer owner, ReadyOffsets to) {
        Parked own = parked.remove(owner);
        if (own != null) {
            size -= own.offsets.size();
            to.addAll(own.offsets);
        }
    }

    /** What waits for its group is anyone's again. */
    void unblock(ReadyOffsets to) {
        size -= blocked.size();
        to.addAll(blocked);
    }

    /** The first consumer for whom messages have waited so long without its taking or settling any; null for none. */
    Consumer stalled(long nowMillis, long stallMillis) {
        Iterator<Map.Entry<Consumer, Parked>> all = parked.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Consumer, Parked> entry = all.next();
            Parked own = entry.getValue();
            if (own.offsets.isEmpty()) {
                all.remove();
            } else if (own.progress != entry.getKey().progress()) {
                own.progress = entry.getKey().progress();
                own.sinceMillis = nowMillis;
            } else if (nowMillis - own.sinceMillis >= stallMillis) {
                return entry.getKey();
            }
        }
        return null;
    }

    void clear() {
        parked.clear();
        blocked.clear();
        size = 0;
    }
}
