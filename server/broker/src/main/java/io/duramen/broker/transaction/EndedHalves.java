package io.duramen.broker.transaction;

import io.duramen.broker.transaction.ProducerIdentities.Changed;
import io.duramen.protocol.frame.HalfId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Half messages that are over, for a while. All of it is hard state. Confined to the shard's agent. */
public final class EndedHalves implements Facts<EndedHalf> {
    private static final int KIND = 3;

    private final int max;
    private final long rememberedMillis;
    private final Changed changed;
    private final Map<HalfId, EndedHalf> byId = new HashMap<>();
    private final TreeSet<EndedHalf> byTime =
            new TreeSet<>(Comparator.comparingLong(EndedHalf::endedMillis).thenComparing(EndedHalf::id));

    /** @param max how many are remembered; of more, the latest */
    public EndedHalves(int max, long rememberedMillis, Changed changed) {
        this.max = max;
        this.rememberedMillis = rememberedMillis;
        this.changed = changed;
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<EndedHalf> type() {
        return EndedHalf.class;
    }

    @Override
    public EndedHalf get(String key) {
        return byId.get(HalfId.parse(key));
    }

    /** @return null where none of this id is remembered */
    public EndedHalf get(HalfId id) {
        return byId.get(id);
    }

    /** In the order in which they ended. */
    public NavigableSet<EndedHalf> all() {
        return byTime;
    }

    /** Replays an end. */
    public void ended(EndedHalf half) {
        load(half);
        changed.fact(KIND, half.id().toString(), half);
        while (byTime.size() > max || byTime.first().endedMillis() < half.endedMillis() - rememberedMillis) {
            EndedHalf oldest = byTime.pollFirst();
            byId.remove(oldest.id());
            changed.fact(KIND, oldest.id().toString(), null);
        }
    }

    @Override
    public void forEach(BiConsumer<String, EndedHalf> action) {
        byId.forEach((id, half) -> action.accept(id.toString(), half));
    }

    @Override
    public void load(EndedHalf half) {
        EndedHalf before = byId.put(half.id(), half);
        if (before != null) {
            byTime.remove(before);
        }
        byTime.add(half);
    }
}
