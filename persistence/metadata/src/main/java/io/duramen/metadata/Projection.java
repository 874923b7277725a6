package io.duramen.metadata;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A copy of shards' hard state in a database. It may lag behind, lose its latest changes with a crash, or vanish: what it
 * then lacks comes from a snapshot and the log behind it. What it may not do is to give a state that never was. Confined
 * to the shard's agent, whom its work never keeps waiting, but in {@link #load} and {@link #close}.
 */
public interface Projection extends AutoCloseable {
    /**
     * The state that was stored last, as far as it is still there; blocking, for start-up.
     *
     * @return empty where there is none; where what is there is damaged or cannot be read, it is set aside and the reason
     *     logged
     */
    Optional<ShardImage> load(int shard);

    /** As {@link MetadataStore#store}; changes are stored in the order given, also while others are on their way. */
    void store(ShardChanges changes, Consumer<Optional<IOException>> done);

    /**
     * Reads the state that was stored last, in the background.
     *
     * @param use makes something of it, on the projection's thread
     */
    <T> void read(int shard, Function<ShardImage, T> use, Reading<T> done);

    /** Runs the completions that are due; returns how many. */
    int poll();

    /** Sets what is called, from any thread, when a completion becomes due. */
    void onDue(Runnable wake);

    /** Waits for what was handed in, without running completions, and closes the database. */
    @Override
    void close();

    /** Called on the agent's thread, one of the two. */
    interface Reading<T> {
        void succeeded(T result);

        /** @param cause a {@link StateLostException} where the database is damaged, or has nothing */
        void failed(IOException cause);
    }
}
