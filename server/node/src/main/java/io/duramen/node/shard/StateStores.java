package io.duramen.node.shard;

import io.duramen.broker.MetadataConfig;
import io.duramen.metadata.h2.H2Projection;
import io.duramen.node.directory.DataDirectory;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.util.Optional;

/**
 * The states of a node's shards: each its own, and the database, which begins to open when this is made, shared by all until this is
 * closed. From any thread.
 */
public final class StateStores implements AutoCloseable {
    private final DataDirectory directory;
    private final MetadataConfig config;
    private final int shards;
    private final Optional<H2Projection> database;
    private boolean closed;

    private StateStores(DataDirectory directory, MetadataConfig config, int shards, Optional<H2Projection> database) {
        this.directory = directory;
        this.config = config;
        this.shards = shards;
        this.database = database;
    }

    /** @throws IOException where a directory cannot be made */
    public static StateStores open(DataDirectory directory, MetadataConfig config, int shards) throws IOException {
        Optional<H2Projection> database = Optional.empty();
        if (config.store() == MetadataConfig.Store.H2) {
            database = Optional.of(new H2Projection(directory.metadata(), StateStore.password(directory.metadata())));
        }
        return new StateStores(directory, config, shards, database);
    }

    int shards() {
        return shards;
    }

    /**
     * The state of a shard, as it stands there now; only while no other of that shard is open.
     *
     * @throws IOException where a directory cannot be made, or this is closed
     */
    synchronized StateStore of(int shard) throws IOException {
        if (closed) {
            throw new IOException("the node ends");
        }
        FileDisk images = new FileDisk(directory.image(shard));
        return StateStore.on(config, images, database.map(H2Projection::another));
    }

    /** Once those of the shards are; any number of times. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            database.ifPresent(H2Projection::close);
        }
    }
}
