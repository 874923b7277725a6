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

/** A {@link SmallFile} of the file system. */
final class PathFile implements SmallFile {
    private static final int LENGTH_MAX = 1 << 20;

    private final Path path;
    private final Path unfinished;

    PathFile(Path path) {
        this.path = path;
        this.unfinished = path.resolveSibling(path.getFileName() + ".unfinished");
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
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            ByteBuffer rest = content.duplicate();
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
