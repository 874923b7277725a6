package io.duramen.broker.transaction;

import io.duramen.broker.transaction.EndedHalf.End;
import io.duramen.broker.transaction.ProducerIdentities.Changed;
import io.duramen.protocol.frame.HalfId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** The half messages of a shard, and what is on its way with them. Confined to the shard's agent. */
public final class HalfMessages implements Facts<HalfMessage> {
    private static final int KIND = 2;

    /** How far a half message is, decided and maybe not yet committed to the log. */
    public enum Stage {
        /** Nobody knows of it, or it is over. */
        NONE,
        PREPARING,
        WAITING,
        ENDING
    }

    /** A moment at which something is to be done with a half. */
    private record Moment(long millis, HalfId id) implements Comparable<Moment> {
        private static final Comparator<Moment> ORDER =
                Comparator.comparingLong(Moment::millis).thenComparing(Moment::id);

        @Override
        public int compareTo(Moment other) {
            return ORDER.compare(this, other);
        }
    }

    private final CheckPolicy policy;
    private final Changed changed;

    // Hard: rebuilt by replay; in the order in which they were stored.
    private final LinkedHashMap<HalfId, HalfMessage> waiting = new LinkedHashMap<>();
    private long sizeBytes;

    /** When groups are due to be asked; only of halves that are not being asked or ended just now. */
    private final Map<HalfGroup, TreeSet<Moment>> asks = new HashMap<>();

    private final TreeSet<Moment> givingUp = new TreeSet<>();

    // Soft: appended, not yet committed.
    private final Map<HalfId, Long> preparing = new HashMap<>();
    private final Map<HalfId, End> ending = new HashMap<>();
    private final Set<HalfId> asking = new HashSet<>();

    public HalfMessages(CheckPolicy policy, Changed changed) {
        this.policy = policy;
        this.changed = changed;
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<HalfMessage> type() {
        return HalfMessage.class;
    }

    @Override
    public HalfMessage get(String key) {
        return waiting.get(HalfId.parse(key));
    }

    /** @return null where none of this id waits */
    public HalfMessage get(HalfId id) {
        return waiting.get(id);
    }

    /** In the order in which they were stored. */
    public Collection<HalfMessage> all() {
        return waiting.values();
    }

    public Stage stage(HalfId id) {
        if (ending.containsKey(id)) {
            return Stage.ENDING;
        }
        return preparing.containsKey(id) ? Stage.PREPARING : waiting.containsKey(id) ? Stage.WAITING : Stage.NONE;
    }

    /** How one that is {@link Stage#ENDING} will have ended. */
    public End ending(HalfId id) {
        return ending.get(id);
    }

    /** Memory of all that wait or are about to. */
    public long sizeBytes() {
        long bytes = sizeBytes;
        for (long one : preparing.values()) {
            bytes += one;
        }
        return bytes;
    }

    /** Decided: it will be {@link #prepared}. */
    public void preparing(HalfId id, long bytes) {
        preparing.put(id, bytes);
    }

    /** Decided: it will be {@link #asked}. */
    public void asking(HalfMessage half) {
        unschedule(half);
        asking.add(half.id());
    }

    /** Decided: it will be {@link #ended}. */
    public void ending(HalfId id, End end) {
        unschedule(waiting.get(id));
        ending.put(id, end);
    }

    /** Replays that it was stored. */
    public void prepared(HalfMessage half) {
        preparing.remove(half.id());
        load(half);
        changed.fact(KIND, half.id().toString(), half);
    }

    /** Replays that its group was asked. */
    public void asked(HalfId id, long millis) {
        asking.remove(id);
        HalfMessage half = waiting.get(id);
        if (half != null) {
            unschedule(half);
            HalfMessage now = half.asked(millis);
            waiting.put(id, now);
            schedule(now);
            changed.fact(KIND, id.toString(), now);
        }
    }

    /** Replays its end; returns what it was, null where none of this id waited. */
    public HalfMessage ended(HalfId id) {
        ending.remove(id);
        HalfMessage half = waiting.get(id);
        if (half != null) {
            unschedule(half);
            waiting.remove(id);
            sizeBytes -= half.sizeBytes();
            changed.fact(KIND, id.toString(), null);
        }
        return half;
    }

    private void schedule(HalfMessage half) {
        if (ending.containsKey(half.id()) || asking.contains(half.id())) {
            return;
        }
        long askAt = policy.askAtMillis(half);
        if (askAt != Long.MAX_VALUE) {
            asks.computeIfAbsent(half.group(), none -> new TreeSet<>()).add(new Moment(askAt, half.id()));
        }
        givingUp.add(new Moment(policy.giveUpAtMillis(half), half.id()));
    }

    private void unschedule(HalfMessage half) {
        TreeSet<Moment> ofGroup = asks.get(half.group());
        if (ofGroup != null) {
            ofGroup.remove(new Moment(policy.askAtMillis(half), half.id()));
            if (ofGroup.isEmpty()) {
                asks.remove(half.group());
            }
        }
        givingUp.remove(new Moment(policy.giveUpAtMillis(half), half.id()));
    }

    /** The half of the group that has been due to be asked for longest; null for none. */
    public HalfMessage due(HalfGroup group, long nowMillis) {
        TreeSet<Moment> ofGroup = asks.get(group);
        return ofGroup != null && ofGroup.first().millis <= nowMillis ? waiting.get(ofGroup.first().id) : null;
    }

    /** When the next of the group is due to be asked; {@link Long#MAX_VALUE} for never. */
    public long nextAskMillis(HalfGroup group) {
        TreeSet<Moment> ofGroup = asks.get(group);
        return ofGroup == null ? Long.MAX_VALUE : ofGroup.first().millis;
    }

    /** One that is to be given up; null for none. */
    public HalfMessage spent(long nowMillis) {
        return givingUp.isEmpty() || givingUp.first().millis > nowMillis ? null : waiting.get(givingUp.first().id);
    }

    /** When the next is to be given up; {@link Long#MAX_VALUE} for never. */
    public long nextGiveUpMillis() {
        return givingUp.isEmpty() ? Long.MAX_VALUE : givingUp.first().millis;
    }

    @Override
    public void forEach(BiConsumer<String, HalfMessage> action) {
        waiting.forEach((id, half) -> action.accept(id.toString(), half));
    }

    @Override
    public void load(HalfMessage half) {
        HalfMessage before = waiting.remove(half.id());
        if (before != null) {
            unschedule(before);
            sizeBytes -= before.sizeBytes();
        }
        waiting.put(half.id(), half);
        sizeBytes += half.sizeBytes();
        schedule(half);
    }
}
