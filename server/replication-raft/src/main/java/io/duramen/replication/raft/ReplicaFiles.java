package io.duramen.replication.raft;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directories of a replica, all in one: its log, the image of the state beside it, and what is copied from another replica. A
 * copy is made in {@link #arriving}, which gets the name {@link #arrived} once it is whole and on disk; {@link #settle} puts it in
 * place. So a crash leaves what there was before, or what {@link #settle} finishes. Immutable.
 *
 * @param log directory of the log
 */
public record ReplicaFiles(Path log) {
    /** Epoch and vote of this replica: never copied from another, and never lost with a log. */
    static final String VOTE = "raft.vote";

    static final String MEMBERS = "raft.members";

    Path image() {
        return log.resolveSibling("image");
    }

    Path arriving() {
        return log.resolveSibling("arriving");
    }

    Path arrived() {
        return log.resolveSibling("arrived");
    }

    /** Names for files that are lent to others, and may be replaced here meanwhile. */
    Path lent() {
        return log.resolveSibling("lent");
    }

    private Path before() {
        return log.resolveSibling("log-before");
    }

    /** Whether what this replica may have voted for is known: without that it must not take part. */
    public boolean haveVote() {
        return Files.exists(log.resolve(VOTE));
    }

    /** What is in {@link #arriving} is whole and synced: from here on it counts. Blocking. */
    void arrive() throws IOException {
        deleteAll(arrived());
        Files.move(arriving(), arrived(), StandardCopyOption.ATOMIC_MOVE);
        sync(log.toAbsolutePath().getParent());
    }

    /**
     * Puts in place what has arrived, and removes what is left of copies that came to nothing; blocking. Only while no replica runs on
     * these.
     *
     * @return whether log and image are others than before
     */
    public boolean settle() throws IOException {
        deleteAll(arriving());
        deleteAll(lent());
        boolean replaced = Files.exists(arrived());
        if (replaced) {
            replaceLog(arrived().resolve("log"));
            replaceImage(arrived().resolve("image"));
            deleteAll(arrived());
        }
        deleteAll(before());
        return replaced;
    }

    /**
     * Removes all but the vote, which a replica that comes back has to know; blocking. Only while no replica runs on these. After a crash in the
     * middle it is to be called again.
     */
    public void dropAllButVote() throws IOException {
        for (Path other : List.of(arriving(), arrived(), lent(), before(), image())) {
            deleteAll(other);
        }
        if (!Files.exists(log)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(log)) {
            files = all.filter(file -> !file.getFileName().toString().equals(VOTE))
                    .toList();
        }
        for (Path file : files) {
            deleteAll(file);
        }
        sync(log);
    }

    /** The vote first: a crash in the middle must not take it along. */
    private void replaceLog(Path with) throws IOException {
        if (!Files.exists(with)) {
            return; // That was done before a crash.
        }
        Path vote = log.resolve(VOTE);
        if (Files.exists(vote)) {
            new PathFile(with.resolve(VOTE)).replace(new PathFile(vote).read().orElseThrow());
        }
        deleteAll(before());
        if (Files.exists(log)) {
            Files.move(log, before(), StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(with, log, StandardCopyOption.ATOMIC_MOVE);
        sync(log.toAbsolutePath().getParent());
    }

    private void replaceImage(Path with) throws IOException {
        if (!Files.exists(with)) {
            return;
        }
        deleteAll(image());
        Files.move(with, image(), StandardCopyOption.ATOMIC_MOVE);
        sync(log.toAbsolutePath().getParent());
    }

    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static void deleteAll(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(directory)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }
}
