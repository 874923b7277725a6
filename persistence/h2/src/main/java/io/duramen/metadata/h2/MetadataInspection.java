package io.duramen.metadata.h2;

import io.duramen.metadata.ShardImage;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** Looks at a database that no node has open, without putting anything right. Blocking. */
public final class MetadataInspection {
    private final DatabaseFiles files;
    private final String password;

    public MetadataInspection(Path directory, String password) {
        this.files = new DatabaseFiles(directory);
        this.password = password;
    }

    public Path file() {
        return files.database();
    }

    /**
     * Reads a shard's state and checks all of it.
     *
     * @return empty where there is none
     * @throws IOException where it is damaged or cannot be read; the message says why
     */
    public Optional<ShardImage> read(int shard) throws IOException {
        if (!files.exists()) {
            return Optional.empty();
        }
        Optional<String> damage = files.damage();
        if (damage.isPresent()) {
            throw new IOException(damage.get());
        }
        Optional<ShardImage> image;
        try (H2Database database = H2Database.open(files, password)) {
            image = database.read(shard).image();
        } catch (RuntimeException | SQLException e) {
            throw new IOException(MetadataDatabase.reason(e), e);
        }
        files.closed();
        return image;
    }

    /** Moves the database out of the way; a node makes a new one. */
    public void setAside() throws IOException {
        files.setAside();
    }
}
