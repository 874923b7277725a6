package io.duramen.broker.shard;

import io.duramen.broker.transaction.Facts;
import io.duramen.broker.transaction.ProducerIdentities.Changed;
import io.duramen.protocol.FormatLevel;
import java.util.function.BiConsumer;

/** In which level the shard's log is written from the last entry on, see {@link FormatLevel}. Hard state; confined to the agent. */
final class DecidedFormat implements Facts<DecidedFormat.Level> {
    private static final int KIND = 15;
    private static final String KEY = "level";

    private final int newest;
    private final Changed changed;
    private int level = FormatLevel.OLDEST;

    record Level(int level) {}

    /** @param newest that this software reads */
    DecidedFormat(int newest, Changed changed) {
        this.newest = newest;
        this.changed = changed;
    }

    int level() {
        return level;
    }

    int newest() {
        return newest;
    }

    /**
     * Replays the decision.
     *
     * @throws IllegalStateException where this software cannot read what follows
     */
    void decided(int decided) {
        take(decided);
        changed.fact(KIND, KEY, get(KEY));
    }

    private void take(int decided) {
        if (decided > newest) {
            throw new IllegalStateException(
                    "format level " + decided + " was decided, and this software reads levels up to " + newest
                            + ": start the version that wrote it, or a later one");
        }
        level = Math.max(level, decided);
    }

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public Class<Level> type() {
        return Level.class;
    }

    @Override
    public Level get(String key) {
        return level == FormatLevel.OLDEST ? null : new Level(level);
    }

    @Override
    public void forEach(BiConsumer<String, Level> action) {
        if (level > FormatLevel.OLDEST) {
            action.accept(KEY, get(KEY));
        }
    }

    @Override
    public void load(Level fact) {
        take(fact.level());
    }
}
