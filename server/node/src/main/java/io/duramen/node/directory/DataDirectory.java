package io.duramen.node.directory;

import io.duramen.node.security.OwnerOnlyFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The directory of one running node, locked for as long as this is open. Thread-safe once open.
 *
 * <pre>
 *   node.lock      locked by the node that runs; its content means nothing
 *   node.pid       see {@link PidFile}
 *   users, admin-secret
 *   shard-0/log/   segments of the shard's log
 *   shard-0/image/ image of the shard's state, from which the metadata store can be rebuilt
 *   metadata/      the metadata store: a database with the shards' state
 * </pre>
 */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK = "node.lock";

    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;

    private DataDirectory(Path path, FileChannel channel, FileLock lock) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Makes the directory where it is absent, and locks it.
     *
     * @throws DirectoryInUseException where another node has it
     * @throws IOException where it cannot be made or written
     */
    public static DataDirectory open(Path path) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        OwnerOnlyFile.createDirectory(absolute);
        FileChannel channel =
                FileChannel.open(absolute.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                throw new DirectoryInUseException(absolute);
            }
            return new DataDirectory(absolute, channel, lock);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Whether a node runs on the directory at the moment. */
    static boolean isInUse(Path path) throws IOException {
        Path file = path.resolve(LOCK);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                return true;
            }
            lock.release();
            return false;
        }
    }

    public Path path() {
        return path;
    }

    public Path log(int shard) {
        return path.resolve("shard-" + shard).resolve("log");
    }

    public Path image(int shard) {
        return path.resolve("shard-" + shard).resolve("image");
    }

    /** Of the database that shards' state is kept in. */
    public Path metadata() {
        return path.resolve("metadata");
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            lock.release();
        }
    }

    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // a node of this very JVM has it
        }
    }
}
