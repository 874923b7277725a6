package io.duramen.broker.transaction;

import java.util.function.BiConsumer;

/**
 * Hard state that is kept as whole records, each under a name: one kind of it. Confined to the shard's agent.
 *
 * @param <R> immutable, with a wire form (see {@link io.duramen.protocol.Codec})
 */
public interface Facts<R extends Record> {
    /** Number of the kind, where the state is stored; never reused. */
    int kind();

    Class<R> type();

    /** @return null where there is none of this name */
    R get(String key);

    void forEach(BiConsumer<String, R> action);

    /** Loads what {@link #forEach} gave. */
    void load(R fact);
}
