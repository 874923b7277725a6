package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.Publish;
import java.nio.ByteBuffer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Every frame comes back as it was written. A failure prints the seed and the smallest frame found. */
class FrameRoundTripTest {
    @Provide
    Arbitrary<Frame> frames() {
        return Frames.arbitrary();
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void shouldReadBackWhatWasWritten(@ForAll("frames") Frame frame) {
        ByteBuffer bytes = Frames.bytes(frame);
        assertThat(bytes.limit()).isEqualTo(bytes.capacity());
        assertThat(bytes.getInt()).isEqualTo(bytes.capacity() - Frame.LENGTH_FIELD_LENGTH);
        assertThat(Frame.read(Protocol.VERSION, bytes)).isEqualTo(frame);
        assertThat(bytes.hasRemaining()).isFalse();
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void shouldReadTheSameFromADirectAndFromAReadOnlyBuffer(@ForAll("frames") Frame frame) {
        ByteBuffer bytes = Frames.bytes(frame);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.capacity()).put(bytes.duplicate());
        assertThat(Frame.read(Protocol.VERSION, direct.flip().position(4))).isEqualTo(frame);
        assertThat(Frame.read(Protocol.VERSION, bytes.asReadOnlyBuffer().position(4)))
                .isEqualTo(frame);
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void shouldIgnoreBytesBehindWhatItKnowsWhenANewerPeerSentThem(@ForAll("frames") Frame frame) {
        ByteBuffer bytes = Frames.bytes(frame);
        ByteBuffer longer = ByteBuffer.allocate(bytes.capacity() + 5).put(bytes);
        assertThat(Frame.read(Protocol.VERSION, longer.rewind().position(4))).isEqualTo(frame);
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void shouldBeTheSameWhereTheBytesItEndsWithArePutBehind(@ForAll("frames") Frame frame) {
        for (int version = Protocol.VERSION_MIN; version <= Protocol.VERSION; version++) {
            int size = frame.size(version);
            ByteBuffer whole = ByteBuffer.allocate(size);
            frame.write(version, size, whole);
            if (frame.lastBytes(version).isPresent()) {
                ByteBuffer last = frame.lastBytes(version).get();
                ByteBuffer pieces = ByteBuffer.allocate(size);
                frame.writeHead(version, size, pieces);
                assertThat(pieces.remaining()).isEqualTo(last.remaining());
                assertThat(pieces.put(last.duplicate()).flip()).isEqualTo(whole.flip());
            }
        }
    }

    @Test
    void shouldEndWithTheirBytesWhereThoseAreLong() {
        ByteBuffer bytes = ByteBuffer.allocate(10);
        Frame publish = Frame.request(1, new Publish.Request(0, 1, Publish.Acks.ALL, bytes));
        Frame deliver = Frame.push(new Deliver.Push(0, 1, 1, 1, bytes));
        assertThat(publish.lastBytes(Protocol.VERSION)).containsSame(bytes);
        assertThat(deliver.lastBytes(Protocol.VERSION)).containsSame(bytes);
        assertThat(Frame.push(new Drained.Push(0, 1)).lastBytes(Protocol.VERSION))
                .isEmpty();
    }

    @Test
    void shouldFindTheFrameOfEveryRequestAndPush() {
        for (Frames.Role role : Frames.roles()) {
            assertThat(Api.of(role.api().number())).isEqualTo(role.api());
            if (role.kind() == Frame.Kind.REQUEST || role.kind() == Frame.Kind.PUSH) {
                assertThat(Api.of(role.type())).isEqualTo(role.api());
            }
        }
    }
}
