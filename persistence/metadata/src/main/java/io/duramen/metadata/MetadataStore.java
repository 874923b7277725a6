package io.duramen.metadata;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps the image of a shard's hard state together with the log index up to which it is true. Confined to the shard's
 * agent.
 */
public interface MetadataStore {
    /**
     * The last image whose {@link #store} completed; blocking, for start-up.
     *
     * @return empty where none was ever stored, or where what is stored is damaged: the reason is logged and the state is
     *     rebuilt from the log
     * @throws IOException where the medium cannot be read at all
     */
    Optional<ShardImage> load(int shard) throws IOException;

    /**
     * Replaces the image, all of it or nothing, in the background. A crash before the completion leaves the old or the new
     * one.
     *
     * @param done called on the agent's thread with empty on success, else with the cause; the old image is then still
     *     there
     */
    void store(ShardImage image, Consumer<Optional<IOException>> done);
}
