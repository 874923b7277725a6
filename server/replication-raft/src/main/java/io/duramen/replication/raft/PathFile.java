package io.duramen.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link SmallFile} of the file system. Beside it lies another of its size and a little more, with its room on the disk: the next content is
 * written into that, which then takes the first one's place, and the first one's room is for the content after it. So a node whose disk
 * is full still stores its vote: it need not leave its group for that.
 */
final class PathFile implements SmallFile {
    private static final Logger LOG = LoggerFactory.getLogger(PathFile.class);
    private static final int LENGTH_MAX = 1 << 20;

    /** By so much the next content may be longer: a block of most file systems. */
    private static final int LONGER_BYTES = 4096;

    private final Path path;

    /** Has the room for the next content. What stands in it means nothing. */
    private final Path spare;

    /** What was in place before, until it is the spare one. */
    private final Path before;

    PathFile(Path path) {
        this.path = path;
        this.spare = path.resolveSibling(path.getFileName() + ".spare");
        this.before = path.resolveSibling(path.getFileName() + ".before");
    }

    @Override
    public Optional<ByteBuffer> read() throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            if (channel.size() > LENGTH_MAX) {
                throw new IOException(path + " has " + channel.size() + " bytes, more than it ever gets");
            }
            ByteBuffer content = ByteBuffer.allocate((int) channel.size());
            while (content.hasRemaining() && channel.read(content) >= 0) {
                // Reads on until it is full.
            }
            return Optional.of(content.flip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public void replace(ByteBuffer content) throws IOException {
        try (FileChannel channel = FileChannel.open(spare, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            writeAll(channel, content.duplicate());
            channel.truncate(content.remaining());
            channel.force(true);
        }
        boolean kept = keepsBefore();
        Files.move(spare, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        ReplicaFiles.sync(path.toAbsolutePath().getParent());
        makeSpare(kept, content.remaining() + LONGER_BYTES);
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Gives what is in place a second name, so that its room is still there once it is replaced. */
    private boolean keepsBefore() {
        try {
            Files.deleteIfExists(before);
            Files.createLink(before, path);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("{} gives up its room when it is replaced", path, e);
            return false;
        }
    }

    /** Where it cannot be made, the next content needs room of its own. */
    private void makeSpare(boolean kept, int lengthBytes) {
        try {
            if (kept) {
                Files.move(before, spare, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            try (FileChannel channel = FileChannel.open(spare, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.position(channel.size());
                writeAll(channel, ByteBuffer.allocate((int) Math.max(0, lengthBytes - channel.size())));
            }
        } catch (IOException e) {
            LOG.debug("There is no room for the next content of {}, which may find some", path, e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
