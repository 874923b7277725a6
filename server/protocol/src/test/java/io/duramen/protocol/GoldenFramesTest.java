package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.frame.ResolveDestination;
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
    private static final long CORRELATION = 0x1122334455667788L;

    @Test
    void shouldWriteTheCommittedBytes() throws IOException {
        for (int version = Protocol.VERSION_MIN; version <= Protocol.VERSION; version++) {
            List<String> lines = new ArrayList<>();
            for (Frames.Role role : Frames.roles()) {
                Frame frame = role.of(CORRELATION, Frames.sample(role.type()));
                lines.add(name(role) + " " + hex(Frames.bytes(frame, version)));
            }
            if (version == Protocol.VERSION_MIN) {
                lines.add("RecordBatch " + hex(aBatch()));
            }
            CommittedLines.assertUnchanged(golden(version), lines);
        }
    }

    @Test
    void shouldReadTheCommittedBytes() throws IOException {
        for (int version = Protocol.VERSION_MIN; version <= Protocol.VERSION; version++) {
            List<String> lines = Files.readAllLines(golden(version));
            for (Frames.Role role : Frames.roles()) {
                ByteBuffer bytes = line(lines, name(role));
                Frame frame = Frame.read(version, bytes.position(Frame.LENGTH_FIELD_LENGTH));
                assertThat(name(new Frames.Role(frame.api(), frame.kind()))).isEqualTo(name(role));
                assertThat(Frames.bytes(frame, version)).isEqualTo(bytes.rewind());
            }
        }
    }

    /** What is read of a peer that does not know of replicas, and what is written to it. */
    @Test
    void shouldAskForNoReplicasInTheFirstVersion() throws IOException {
        Frame asked = Frame.request(CORRELATION, Frames.sample(ResolveDestination.Request.class));
        ByteBuffer first = line(Files.readAllLines(golden(1)), "RESOLVE_DESTINATION.REQUEST");
        ByteBuffer second = line(Files.readAllLines(golden(2)), "RESOLVE_DESTINATION.REQUEST");

        assertThat(second.remaining()).isEqualTo(first.remaining() + Integer.BYTES);
        ResolveDestination.Request sample = (ResolveDestination.Request) asked.payload();
        assertThat(Frame.read(2, second.position(Frame.LENGTH_FIELD_LENGTH))).isEqualTo(asked);
        assertThat(Frame.read(1, first.position(Frame.LENGTH_FIELD_LENGTH)).payload())
                .isEqualTo(new ResolveDestination.Request(sample.name(), sample.kind(), sample.create(), 0));
    }

    @Test
    void shouldAcceptTheCommittedBatch() throws IOException {
        ByteBuffer batch = line(Files.readAllLines(golden(1)), "RecordBatch");
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

    private static Path golden(int version) {
        return Path.of("src/test/resources/golden/frames-v" + version + ".txt");
    }

    private static ByteBuffer line(List<String> lines, String name) {
        String prefix = name + " ";
        String line =
                lines.stream().filter(l -> l.startsWith(prefix)).findFirst().orElseThrow();
        return ByteBuffer.wrap(HexFormat.of().parseHex(line.substring(prefix.length())));
    }

    private static String name(Frames.Role role) {
        return role.api() + "." + role.kind();
    }

    private static String hex(ByteBuffer bytes) {
        return HexFormat.of().formatHex(bytes.array(), 0, bytes.limit());
    }
}
