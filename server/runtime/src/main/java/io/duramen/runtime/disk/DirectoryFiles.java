package io.duramen.runtime.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Blocking operations on a directory and the files in it. Stateless but for the path; used by one thread at a time. */
final class DirectoryFiles {
    static final String UNFINISHED_SUFFIX = ".unfinished";

    private static final int ZEROS_LENGTH = 1 << 20;

    private final Path directory;

    DirectoryFiles(Path directory) {
        this.directory = directory;
    }

    Path path(String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\\') >= 0 || name.startsWith(".")) {
            throw new IllegalArgumentException("'" + name + "' is not a plain file name");
        }
        return directory.resolve(name);
    }

    List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(UNFINISHED_SUFFIX))
                    .sorted()
                    .forEach(names::add);
        }
        return names;
    }

    /** Removes what a crash left of files that were being put in place. */
    void removeUnfinished() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.getFileName().toString().endsWith(UNFINISHED_SUFFIX)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    long totalBytes() throws IOException {
        long total = 0;
        for (String name : list()) {
            total += Files.size(path(name));
        }
        return total;
    }

    /** A new file of zeros, synced; where that fails, no file is left. */
    FileChannel allocate(String name, long length) throws IOException {
        Path path = path(name);
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            zeroFill(channel, 0, length);
            channel.force(true);
            syncDirectory();
            return channel;
        } catch (IOException e) {
            try (channel) {
                Files.deleteIfExists(path);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /**
     * Writes zeros and syncs them step by step: a sync of the log that falls between waits for one step at most, not for
     * a whole segment.
     */
    static void zeroFill(FileChannel channel, long from, long to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_LENGTH, Math.max(to - from, 0)));
        for (long at = from; at < to; ) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
            while (zeros.hasRemaining()) {
                at += channel.write(zeros, at);
            }
            channel.force(false);
        }
    }

    void replace(String name, ByteBuffer content) throws IOException {
        Path path = path(name);
        Path unfinished = directory.resolve(name + UNFINISHED_SUFFIX);
        try {
            try (FileChannel channel = FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                while (content.hasRemaining()) {
                    channel.write(content);
                }
                channel.force(true);
            }
            move(unfinished, path);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(unfinished);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
        syncDirectory();
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("the file system of " + to + " cannot rename atomically", e);
        }
    }

    void rename(String from, String to) throws IOException {
        if (Files.exists(path(to))) {
            throw new FileAlreadyExistsException(to);
        }
        move(path(from), path(to));
        syncDirectory();
    }

    /** Renames a file whose first bytes are written over and synced before. */
    FileChannel reuse(String from, String to, ByteBuffer head) throws IOException {
        FileChannel channel = FileChannel.open(path(from), StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            long at = 0;
            while (head.hasRemaining()) {
                at += channel.write(head, at);
            }
            channel.force(true);
            rename(from, to);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    void delete(String name) throws IOException {
        Files.deleteIfExists(path(name));
        syncDirectory();
    }

    /** All names as they are now are durable. */
    void syncDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
