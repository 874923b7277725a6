package io.duramen.metadata.h2;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The files of the database. Blocking; not thread-safe.
 *
 * <pre>
 *   metadata.mv.db          the database
 *   metadata.seal           its length and checksum, while it is closed and was closed well
 *   metadata.opening        there while it is being opened and read: one that is found tells that this ended the process
 *   metadata.mv.db.damaged  the last one that was set aside
 * </pre>
 */
final class DatabaseFiles {
    private static final String NAME = "metadata";

    private final Path directory;
    private final Path database;
    private final Path seal;
    private final Path opening;

    DatabaseFiles(Path directory) {
        this.directory = directory.toAbsolutePath();
        database = this.directory.resolve(NAME + ".mv.db");
        seal = this.directory.resolve(NAME + ".seal");
        opening = this.directory.resolve(NAME + ".opening");
    }

    /** For the URL; without the ending that H2 adds. */
    Path base() {
        return directory.resolve(NAME);
    }

    Path database() {
        return database;
    }

    boolean exists() {
        return Files.exists(database);
    }

    /**
     * Before the database is opened.
     *
     * @return why it must not be, if so; it is set aside then
     */
    Optional<String> begin() throws IOException {
        Files.createDirectories(directory);
        Optional<String> damage = damage();
        if (damage.isPresent()) {
            setAside();
        }
        Files.deleteIfExists(seal);
        if (exists()) {
            Files.write(opening, new byte[0]);
        }
        return damage;
    }

    /** What is known to be wrong with the database before it is opened. */
    Optional<String> damage() throws IOException {
        if (!exists()) {
            return Optional.empty();
        }
        if (Files.exists(opening)) {
            return Optional.of("the process ended while it was opened the last time");
        }
        if (Files.exists(seal) && !Files.readString(seal).equals(sum())) {
            return Optional.of("it is not as it was when it was closed");
        }
        return Optional.empty();
    }

    /** The database was opened and read, or could not be and the process lives. */
    void opened() throws IOException {
        Files.deleteIfExists(opening);
    }

    /** The database was closed well. */
    void closed() throws IOException {
        if (exists()) {
            Files.writeString(seal, sum());
        }
    }

    /** Moves the database out of the way; it must be closed. */
    void setAside() throws IOException {
        opened();
        if (exists()) {
            Files.move(
                    database,
                    directory.resolve(database.getFileName() + ".damaged"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private String sum() throws IOException {
        CRC32C crc = new CRC32C();
        byte[] part = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(database)) {
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                crc.update(part, 0, read);
            }
        }
        return Files.size(database) + " " + Long.toHexString(crc.getValue()) + "\n";
    }
}
