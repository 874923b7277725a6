package io.duramen.node.shard;

import io.duramen.broker.MetadataConfig;
import io.duramen.broker.shard.ShardAgent;
import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.Projection;
import io.duramen.metadata.snapshot.ProjectedMetadataStore;
import io.duramen.metadata.snapshot.SnapshotMetadataStore;
import io.duramen.node.security.OwnerOnlyFile;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Where the state of a shard is kept beside its log: the image file and, unless settings say otherwise, the database that
 * all shards of the node share, see {@link StateStores}. It belongs to the shard's agent.
 */
public final class StateStore implements AutoCloseable {
    private static final int PASSWORD_BYTES = 24;
    private static final String PASSWORD = "secret";

    private final MetadataConfig config;
    private final FileDisk images;
    private final Optional<Projection> database;
    private final MetadataStore store;
    private boolean closed;

    private StateStore(MetadataConfig config, FileDisk images, Optional<Projection> database) {
        this.config = config;
        this.images = images;
        this.database = database;
        this.store = database.<MetadataStore>map(projection -> new ProjectedMetadataStore(projection, images))
                .orElseGet(() -> new SnapshotMetadataStore(images));
    }

    static StateStore on(MetadataConfig config, FileDisk images, Optional<? extends Projection> database) {
        return new StateStore(config, images, database.map(Projection.class::cast));
    }

    /**
     * The password of the database, which no person needs: made at random where there is none yet.
     *
     * @throws IOException where it can be neither read nor made
     */
    public static String password(Path metadata) throws IOException {
        Path file = metadata.resolve(PASSWORD);
        if (!Files.exists(file)) {
            OwnerOnlyFile.createDirectory(metadata);
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            OwnerOnlyFile.replace(file, HexFormat.of().formatHex(random));
        }
        return Files.readString(file).strip();
    }

    ShardAgent.Metadata metadata() {
        return new ShardAgent.Metadata(store, config);
    }

    void onDue(Runnable wake) {
        images.onDue(wake);
        database.ifPresent(projection -> projection.onDue(wake));
    }

    int poll() {
        return images.poll() + (database.isPresent() ? database.get().poll() : 0);
    }

    /** Waits for what is on its way; any number of times. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            database.ifPresent(Projection::close);
            images.close();
        }
    }
}
