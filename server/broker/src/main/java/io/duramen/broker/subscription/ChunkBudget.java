package io.duramen.broker.subscription;

import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * Bounds the chunks of the log that the readers of a shard keep at a time, however many subscriptions have a backlog: the
 * one that got its chunk longest ago gives it up. Confined to the shard's agent.
 */
public final class ChunkBudget {
    static final int CHUNKS_MAX = 64;

    private final LinkedHashSet<RecordReader> readers = new LinkedHashSet<>();

    /** A reader took a chunk. */
    void taken(RecordReader reader) {
        readers.remove(reader);
        readers.add(reader);
        if (readers.size() > CHUNKS_MAX) {
            Iterator<RecordReader> eldest = readers.iterator();
            RecordReader evicted = eldest.next();
            eldest.remove();
            evicted.forget();
        }
    }

    /** A reader let go of its chunk. */
    void released(RecordReader reader) {
        readers.remove(reader);
    }

    int chunks() {
        return readers.size();
    }
}
