package io.duramen.broker.subscription;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a lane met of groups and cannot hand out: messages for one consumer and no other, who has no credit just now, those
 * for nobody before their group is free, and from where on a group's messages were passed over for want of room, to be
 * looked for again. That is this lane's affair alone: which messages it has passed over says nothing of the other lanes'.
 * Soft state of the leader; confined to the shard's agent.
 */
final class SetAside {
    private static final class Parked {
        final ReadyOffsets offsets = new ReadyOffsets();
        long progress;
        long sinceNanos;
    }

    private final Map<Consumer, Parked> parked = new LinkedHashMap<>();
    private final ReadyOffsets blocked = new ReadyOffsets();
    private final int groupsMax;

    /** Where the first of a group stands that was passed over: nothing of the group from there on is handed out. */
    private final Map<Integer, ReadyOffsets.Place> passedOver = new HashMap<>();

    /** The same of all groups that are not named; null where none of those was passed over. */
    private ReadyOffsets.Place othersFrom;

    private int size;

    /** @param groupsMax most groups that are named with what was passed over of them */
    SetAside(int groupsMax) {
        this.groupsMax = groupsMax;
    }

    // ---- passed over -----------------------------------------------------------------------------------------------

    /** The first of {@code from} is passed over. */
    void passOver(int group, ReadyOffsets from) {
        ReadyOffsets.Place before = passedOver.get(group);
        if (before == null && passedOver.size() >= groupsMax) {
            if (othersFrom == null || from.isFirstBefore(othersFrom)) {
                othersFrom = from.firstPlace();
            }
        } else if (before == null || from.isFirstBefore(before)) {
            passedOver.put(group, from.firstPlace());
        }
    }

    /** Whether the first of {@code from} has to wait for what was passed over. */
    boolean isPassedOver(int group, ReadyOffsets from) {
        ReadyOffsets.Place named = passedOver.get(group);
        return named != null && !from.isFirstBefore(named) || othersFrom != null && !from.isFirstBefore(othersFrom);
    }

    boolean hasPassedOver() {
        return !passedOver.isEmpty() || othersFrom != null;
    }

    // ---- kept ------------------------------------------------------------------------------------------------------

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
    void park(ReadyOffsets from, Consumer owner, long nowNanos) {
        Parked own = parked.get(owner);
        if (own == null) {
            own = new Parked();
            own.progress = owner.progress();
            own.sinceNanos = nowNanos;
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
    Consumer stalled(long nowNanos, long stallNanos) {
        Iterator<Map.Entry<Consumer, Parked>> all = parked.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Consumer, Parked> entry = all.next();
            Parked own = entry.getValue();
            if (own.offsets.isEmpty()) {
                all.remove();
            } else if (own.progress != entry.getKey().progress()) {
                own.progress = entry.getKey().progress();
                own.sinceNanos = nowNanos;
            } else if (nowNanos - own.sinceNanos >= stallNanos) {
                return entry.getKey();
            }
        }
        return null;
    }

    void clear() {
        parked.clear();
        blocked.clear();
        passedOver.clear();
        othersFrom = null;
        size = 0;
    }
}
