package io.duramen.node.directory;

import io.duramen.node.security.OwnerOnlyFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory of one running node, locked for as long as this is open. Thread-safe once open.
 *
 * <pre>
 *   node.lock      locked by the node that runs; its content means nothing
 *   node.pid       see {@link PidFile}
 *   users, admin-secret
 *   cluster        where the node is one of a cluster: which, and who it is
 *   shard-N/log/   segments of the shard's log
 *   shard-N/image/ image of the shard's state, from which the metadata store can be rebuilt
 *   metadata/      the metadata store: a database with the shards' state
 * </pre>
 */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK = "node.lock";
    private static final Pattern SHARD = Pattern.compile("shard-([0-9]{1,4})");

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

    /**
     * How many shards it holds: 0 where no node has run on it.
     *
     * @throws IOException where it cannot be read
     */
    public int shards() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> SHARD.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .mapToInt(name -> Integer.parseInt(name.group(1)) + 1)
                    .max()
                    .orElse(0);
        }
    }

    /**
     * Checks that a node with so many shards may run on it.
     *
     * @throws IOException where it holds more, or cannot be read
     */
    public void requireAtMost(int shards) throws IOException {
        int there = shards();
        if (there > shards) {
            throw new IOException("log.shards=" + shards + ", but " + path + " holds " + there
                    + " shards with messages of their own: set log.shards=" + there + " or more");
        }
    }

    /** File of a node that is one of a cluster. */
    public Path cluster() {
        return path.resolve("cluster");
    }

    /**
     * Checks that a node by itself may run on it.
     *
     * @throws IOException where it belongs to a node of a cluster
     */
    public void requireNoCluster() throws IOException {
        if (Files.exists(cluster())) {
            throw new IOException(path + " belongs to a node of a cluster, see " + cluster()
                    + ": what its log ends with may not be agreed on. Start it with cluster.id and cluster.nodes as they were;"
                    + " making a node by itself of it is not built yet");
        }
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
