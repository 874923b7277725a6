package io.duramen.metadata.h2;

import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import io.duramen.metadata.StateLostException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.h2.api.ErrorCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database with what guards it: it is opened when first needed, closed after a failure and opened anew, and set aside,
 * for an empty one, where it is damaged. Confined to one thread.
 */
final class MetadataDatabase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataDatabase.class);

    private final DatabaseFiles files;
    private final String password;
    private final Map<Integer, ShardTables> shards = new HashMap<>();

    /** Null while closed. */
    private H2Database database;

    MetadataDatabase(Path directory, String password) {
        this.files = new DatabaseFiles(directory);
        this.password = password;
    }

    /** Opens it, unless it is open. Where it is damaged, an empty one is there afterwards, and the reason in the log. */
    void open() throws IOException {
        if (database != null) {
            return;
        }
        files.begin().ifPresent(this::tellSetAside);
        if (!files.exists()) {
            LOG.info("A new metadata store is made in {}", files.database());
        }
        try {
            database = H2Database.open(files, password);
        } catch (RuntimeException | SQLException e) {
            files.opened();
            if (!files.exists() || isInUse(e)) {
                throw new IOException("the metadata store cannot be opened: " + reason(e), e);
            }
            setAside(reason(e));
            openEmpty();
        }
    }

    private void openEmpty() throws IOException {
        try {
            database = H2Database.open(files, password);
        } catch (RuntimeException | SQLException e) {
            throw new IOException("a new metadata store cannot be made: " + reason(e), e);
        }
    }

    private void setAside(String why) throws IOException {
        closeDatabase();
        files.setAside();
        tellSetAside(why);
    }

    private void tellSetAside(String why) {
        LOG.warn(
                "The metadata store {} is damaged and set aside; it is rebuilt from the log: {}",
                files.database(),
                why);
    }

    /**
     * The state of a shard, after all of it was checked.
     *
     * @return empty where it was never stored, or was damaged, which is in the log then
     * @throws IOException where the database cannot be opened or read, though it may be whole
     */
    Optional<ShardImage> load(int shard) throws IOException {
        open();
        try {
            Optional<ShardImage> image = read(shard);
            files.opened();
            return image;
        } catch (DamagedRowsException e) {
            setAside(e.getMessage());
            openEmpty();
            return read(shard);
        }
    }

    /** @throws DamagedRowsException where rows are not those that were stored, or cannot be read */
    private Optional<ShardImage> read(int shard) {
        ShardReading reading;
        try {
            reading = database.read(shard);
        } catch (DamagedRowsException e) {
            throw e;
        } catch (RuntimeException | SQLException e) {
            throw new DamagedRowsException("it cannot be read: " + reason(e));
        }
        shards.put(shard, reading.tables());
        return reading.image();
    }

    /**
     * Reads a shard's state and checks all of it.
     *
     * @throws StateLostException where it is damaged; an empty one is in its place then
     */
    ShardImage stateOf(int shard) throws IOException {
        return load(shard)
                .orElseThrow(() -> new StateLostException("the metadata store has no state of shard " + shard));
    }

    /** Stores changes in one transaction. */
    void store(ShardChanges changes) throws IOException {
        int shard = changes.head().shard();
        open();
        if (!shards.containsKey(shard)) {
            load(shard);
        }
        ShardTables tables = shards.get(shard);
        tables.requireFollowedBy(changes);
        try {
            database.write(session -> tables.apply(changes, session));
        } catch (RuntimeException | Error e) {
            closeDatabase(); // what it has of these changes is not known here any more
            throw new IOException(reason(e), e);
        }
    }

    private void closeDatabase() {
        shards.clear();
        if (database != null) {
            H2Database closing = database;
            database = null;
            try {
                closing.close();
            } catch (RuntimeException e) {
                LOG.warn("The metadata store did not close well: {}", reason(e));
            }
        }
    }

    @Override
    public void close() {
        boolean wasOpen = database != null;
        closeDatabase();
        try {
            if (wasOpen) {
                files.opened();
                files.closed();
            }
        } catch (IOException e) {
            LOG.warn("The metadata store could not be sealed: {}", e.toString());
        }
    }

    private static boolean isInUse(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException e && e.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1) {
                return true;
            }
        }
        return false;
    }

    /** What the innermost cause says: the libraries above it only say that something failed. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
