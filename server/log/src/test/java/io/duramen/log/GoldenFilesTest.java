package io.duramen.log;

import static io.duramen.log.LogFixture.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files of every version as they were once written: whatever comes later reads them. */
class GoldenFilesTest {
    private static final List<String> SEGMENTS =
            List.of("0000000000000001.log", "0000000000000001.index", "0000000000000002.log");
    private static final String SECRET = "log.secret";

    private static final int VERSION = 2;

    @Test
    void shouldReadFilesOfEveryVersion() throws Exception {
        for (int version = 1; version <= VERSION; version++) {
            shouldRead(version);
        }
    }

    private static void shouldRead(int version) throws IOException {
        MemoryDisk disk = new MemoryDisk();
        for (String name : SEGMENTS) {
            disk.files.put(name, golden(version, name));
        }
        if (version > 1) {
            disk.files.put(SECRET, golden(version, SECRET));
        }
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);

        assertThat(fixture.replay(1)).hasSize(40).startsWith(1L).endsWith(40L);
        fixture.requirePartition(1, 0, 40, 1000);
        fixture.requirePartition(2, 0, 40, 1000);
        assertThat(fixture.log.lastEpoch()).isEqualTo(1);
    }

    @Test
    void shouldWriteTheSameBytesToday() throws Exception {
        MemoryDisk disk = written();
        for (String name : SEGMENTS) {
            assertThat(cut(disk.files.get(name))).as(name).isEqualTo(cut(golden(VERSION, name)));
        }
        assertThat(disk.files.get(SECRET)).isEqualTo(golden(VERSION, SECRET));
    }

    private static MemoryDisk written() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        for (int i = 0; i < 40; i++) {
            fixture.clock.nanos = i * 1_000_000_000L;
            fixture.append(1 + i % 2, 2, 200, i % 4 == 0);
            fixture.settle();
        }
        fixture.settle();
        return disk;
    }

    private static byte[] golden(int version, String name) throws IOException {
        try (InputStream in = GoldenFilesTest.class.getResourceAsStream("golden-" + version + "/" + name)) {
            return in.readAllBytes();
        }
    }

    /** Without the zeros at the end. */
    private static byte[] cut(byte[] content) {
        int end = content.length;
        while (end > 0 && content[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(content, end);
    }

    /** Writes them, into the directory given; for a new version. */
    public static void main(String[] arguments) throws IOException {
        MemoryDisk disk = written();
        for (String name : SEGMENTS) {
            Files.write(Path.of(arguments[0], name), disk.files.get(name));
        }
        Files.write(Path.of(arguments[0], SECRET), disk.files.get(SECRET));
    }
}
