package io.duramen.replication.raft;

import io.duramen.log.LogFile;
import io.duramen.log.ShardLog;
import io.duramen.runtime.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Files of a replica that another copies, as they were when it asked. Read from any thread; ended by the agent before anything of
 * them changes, so that what was read before that is right.
 */
final class Loan {
    /** What is read at a time, at most: less than a peer may leave unread. */
    static final int CHUNK_BYTES = 128 << 10;

    private final long id;
    private final long firstIndex;
    private final long lastIndex;
    private final Map<String, Part> parts = new TreeMap<>();
    private final Clock clock;
    private volatile long usedNanos;
    private volatile boolean ended;

    private record Part(Path path, long length) {}

    /**
     * @param firstIndex of the oldest entry in the log's files behind which none is missing
     * @param lastIndex of the last
     */
    Loan(long id, long firstIndex, long lastIndex, Clock clock) {
        this.id = id;
        this.firstIndex = firstIndex;
        this.lastIndex = lastIndex;
        this.clock = clock;
        this.usedNanos = clock.nanos();
    }

    /**
     * What stands in a log and the image beside it at this moment, on the agent's thread.
     *
     * <p>The image first: files that belong to it go only after a newer one has been told to be in place, which is on this thread.
     *
     * @param written of the log
     */
    static Loan of(ReplicaFiles files, ShardLog log, List<LogFile> written, long id, Clock clock) throws IOException {
        Path directory = files.lent().resolve(Long.toHexString(id));
        Map<Path, String> links = new LinkedHashMap<>();
        for (Path image : imageFiles(files)) {
            link(directory, "image", image, links);
        }
        link(directory, "log", files.log().resolve(ReplicaFiles.MEMBERS), links);
        Loan loan = new Loan(id, log.firstWholeIndex(), log.writtenIndex(), clock);
        for (Map.Entry<Path, String> link : links.entrySet()) {
            loan.add(link.getValue(), link.getKey(), Files.size(link.getKey()));
        }
        for (LogFile file : written) {
            Path path = files.log().resolve(file.name());
            if (file.length() != LogFile.WHOLE) {
                loan.add("log/" + file.name(), path, file.length());
            } else if (Files.exists(path)) {
                loan.add("log/" + file.name(), path, Files.size(path));
            }
        }
        return loan;
    }

    private static List<Path> imageFiles(ReplicaFiles files) throws IOException {
        if (!Files.exists(files.image())) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(files.image())) {
            return all.filter(file -> file.getFileName().toString().matches("(image|ids)-[0-9-]+"))
                    .sorted(Comparator.comparing(Loan::isOfIds))
                    .toList();
        }
    }

    private static boolean isOfIds(Path file) {
        return file.getFileName().toString().startsWith("ids");
    }

    private static void link(Path directory, String kind, Path file, Map<Path, String> links) throws IOException {
        Path to = Files.createDirectories(directory.resolve(kind)).resolve(file.getFileName());
        Files.createLink(to, file);
        links.put(to, kind + "/" + file.getFileName());
    }

    private void add(String name, Path path, long length) {
        parts.put(name, new Part(path, length));
    }

    long id() {
        return id;
    }

    Listing listing() {
        List<Listing.Item> items = parts.entrySet().stream()
                .map(part -> new Listing.Item(part.getKey(), part.getValue().length))
                .toList();
        return new Listing(id, firstIndex, lastIndex, items);
    }

    /** When it was last read from. */
    long usedNanos() {
        return usedNanos;
    }

    /** Before anything of the files changes. */
    void end() {
        ended = true;
    }

    /**
     * A part of a file, blocking.
     *
     * @param count at most {@link #CHUNK_BYTES}
     * @throws IOException where it cannot be read, is not lent, or no more
     */
    ByteBuffer read(String name, long offset, long count) throws IOException {
        Part part = parts.get(name);
        if (part == null) {
            throw new IOException("a file that is not lent");
        }
        if (count < 1 || count > CHUNK_BYTES || offset < 0 || offset > part.length - count) {
            throw new IOException(count + " bytes at " + offset + " of a file of " + part.length);
        }
        usedNanos = clock.nanos();
        ByteBuffer bytes = ByteBuffer.allocate((int) count);
        try (FileChannel channel = FileChannel.open(part.path, StandardOpenOption.READ)) {
            while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
                // Reads on until it is full.
            }
        }
        if (ended || bytes.hasRemaining()) {
            throw new IOException("what was lent has changed since");
        }
        return bytes.flip();
    }
}
