package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of every frame, as committed: what was released once is written and read the same by all later code. */
class GoldenFramesTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/frames-v1.txt");
    private static final long CORRELATION = 0x1122334455667788L;

    @Test
    void shouldWriteTheCommittedBytes() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Frames.Role role : Frames.roles()) {
            lines.add(name(role) + " " + hex(Frames.bytes(role.of(CORRELATION, Frames.sample(role.type())), 1)));
        }
        lines.add("RecordBatch " + hex(aBatch()));
        CommittedLines.assertUnchanged(GOLDEN, lines);
    }

    @Test
    void shouldReadTheCommittedBytes() throws IOException {
        List<String> lines = Files.readAllLines(GOLDEN);
        for (Frames.Role role : Frames.roles()) {
            String prefix = name(role) + " ";
            String line =
                    lines.stream().filter(l -> l.startsWith(prefix)).findFirst().orElseThrow();
            ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(line.substring(prefix.length())));
            Frame frame = Frame.read(1, bytes.position(Frame.LENGTH_FIELD_LENGTH));
            assertThat(name(new Frames.Role(frame.api(), frame.kind()))).isEqualTo(name(role));
            assertThat(Frames.bytes(frame, 1)).isEqualTo(bytes.rewind());
        }
    }

    @Test
    void shouldAcceptTheCommittedBatch() throws IOException {
        String line = Files.readAllLines(GOLDEN).stream()
                .filter(l -> l.startsWith("RecordBatch "))
                .findFirst()
                .orElseThrow();
        ByteBuffer batch = ByteBuffer.wrap(HexFormat.of().parseHex(line.substring("RecordBatch ".length())));
        RecordBatch.check(batch);
        assertThat(RecordBatch.count(batch)).isEqualTo(2);
        assertThat(RecordBatch.isPersistent(batch)).isTrue();
        assertThat(RecordBatch.producerId(batch)).isEqualTo(0x0102030405060708L);
        assertThat(RecordBatch.producerEpoch(batch)).isEqualTo(9);
        assertThat(RecordBatch.baseSequence(batch)).isEqualTo(41);
    }

    private static ByteBuffer aBatch() {
        ByteBuffer batch = Records.batchOf(Records.aRecord(3, 5, 10), Records.aRecord(0, 0, 0));
        RecordBatch.seal(batch, true, 0x0102030405060708L, 9, 41, 2);
        return batch;
    }

    private static String name(Frames.Role role) {
        return role.api() + "." + role.kind();
    }

    private static String hex(ByteBuffer bytes) {
        return HexFormat.of().formatHex(bytes.array(), 0, bytes.limit());
    }
}
