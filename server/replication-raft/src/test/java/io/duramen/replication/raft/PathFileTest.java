package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One thread. */
class PathFileTest {
    @TempDir
    private Path directory;

    private Path path;
    private Path spare;
    private PathFile file;

    @BeforeEach
    void make() {
        path = directory.resolve("raft.vote");
        spare = directory.resolve("raft.vote.spare");
        file = new PathFile(path);
    }

    private static ByteBuffer content(int length, int with) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            bytes.put((byte) with);
        }
        return bytes.flip();
    }

    private void replaceAndRead(int length, int with) throws IOException {
        ByteBuffer content = content(length, with);
        file.replace(content);
        assertThat(content.remaining()).as("it is left as it was").isEqualTo(length);
        assertThat(file.read()).contains(content);
    }

    @Test
    void shouldReadWhatWasWrittenLastWhenItIsLongerOrShorterThanBefore() throws Exception {
        assertThat(file.read()).isEmpty();
        replaceAndRead(30, 1);
        replaceAndRead(5_000, 2);
        replaceAndRead(7, 3);
        replaceAndRead(8, 4);
    }

    /** A file is the same one as long as its key is: nothing was made that would need room. */
    @Test
    void shouldWriteIntoTheRoomOfTheFileBeforeWhenItIsReplaced() throws Exception {
        replaceAndRead(30, 1);
        replaceAndRead(30, 2);
        Object first = key(path);
        Object second = key(spare);
        replaceAndRead(31, 3);
        assertThat(key(path)).isEqualTo(second);
        assertThat(key(spare)).isEqualTo(first);
        replaceAndRead(32, 4);
        assertThat(key(path)).isEqualTo(first);
        assertThat(Files.size(spare)).as("room for the next").isGreaterThan(4096);
        try (Stream<Path> all = Files.list(directory)) {
            assertThat(all).containsExactlyInAnyOrder(path, spare);
        }
    }

    @Test
    void shouldGoOnWhenACrashHasLeftAnything() throws Exception {
        replaceAndRead(30, 1);
        Files.write(spare, content(9_000, 9).array());
        Files.createLink(directory.resolve("raft.vote.before"), path);
        assertThat(file.read()).contains(content(30, 1));
        replaceAndRead(30, 2);
        Files.delete(spare);
        replaceAndRead(30, 3);
    }

    private static Object key(Path of) throws IOException {
        return Files.readAttributes(of, java.nio.file.attribute.BasicFileAttributes.class)
                .fileKey();
    }
}
