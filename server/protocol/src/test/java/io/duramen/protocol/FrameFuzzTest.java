package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Settle;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/**
 * Whatever bytes arrive, they are a frame or they are refused as malformed, and reading them allocates no more than
 * {@link #ALLOCATED_PER_BYTE_MAX} times their length.
 */
class FrameFuzzTest {
    /** The dearest list on the wire: 8 bytes make a record, a buffer, a boxed int and an array of components. */
    private static final int ALLOCATED_PER_BYTE_MAX = 24;

    /** The frame itself, or the exception with its message and its trace, which is deep under a property test. */
    private static final int ALLOCATED_ONCE_MAX = 32 * 1024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    record Mutation(int at, byte value) {}

    @Provide
    Arbitrary<Frame> frames() {
        return Frames.arbitrary();
    }

    @Provide
    Arbitrary<List<Mutation>> mutations() {
        Arbitrary<Byte> values = Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7F, (byte) 0x80, (byte) 0xFF);
        Arbitrary<Byte> any = Arbitraries.oneOf(values, Arbitraries.bytes());
        return Combinators.combine(Arbitraries.integers().between(0, 400), any)
                .as(Mutation::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    @Property(tries = 3000)
    void shouldBeAFrameOrMalformedWhenBytesAreArbitrary(@ForAll byte[] bytes) {
        readWithinBounds(ByteBuffer.wrap(bytes));
    }

    @Property(tries = 400)
    void shouldBeAFrameOrMalformedWhenThePayloadIsArbitrary(@ForAll byte[] payload) {
        for (Frames.Role role : Frames.roles()) {
            ByteBuffer bytes = ByteBuffer.allocate(Frame.HEADER_LENGTH - Frame.LENGTH_FIELD_LENGTH + payload.length);
            bytes.putShort((short) role.api().number()).put((byte) role.kind().ordinal());
            readWithinBounds(bytes.position(12).put(payload).flip());
        }
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void shouldBeAFrameOrMalformedWhenBytesAreMutated(
            @ForAll("frames") Frame frame, @ForAll("mutations") List<Mutation> mutations) {
        ByteBuffer bytes = Frames.bytes(frame);
        for (Mutation mutation : mutations) {
            bytes.put(mutation.at % bytes.limit(), mutation.value);
        }
        readWithinBounds(bytes.position(Frame.LENGTH_FIELD_LENGTH));
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void shouldBeAFrameOrMalformedWhenCutAnywhere(@ForAll("frames") Frame frame) {
        ByteBuffer bytes = Frames.bytes(frame);
        for (int length = Frame.LENGTH_FIELD_LENGTH; length < bytes.capacity(); length++) {
            ByteBuffer cut = bytes.duplicate().limit(length).position(Frame.LENGTH_FIELD_LENGTH);
            assertThatThrownBy(() -> Frame.read(Protocol.VERSION, cut)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void shouldStayWithinTheBoundWhenAFrameIsNothingButTheSmallestElements() {
        var batches = Collections.nCopies(100_000, new Commit.PartitionBatch(1, ByteBuffer.allocate(0)));
        readWithinBounds(Frames.bytes(Frame.request(1, new Commit.Request(0, 1, 0, 1, batches, List.of())))
                .position(4));
        var settlements = Collections.nCopies(100_000, new Commit.ConsumerSettlement(1_000, 1_000, List.of()));
        readWithinBounds(Frames.bytes(Frame.request(1, new Commit.Request(0, 1, 0, 1, List.of(), settlements)))
                .position(4));
    }

    /** Goal: nothing is allocated from a count before it was compared with the bytes that are there. */
    @Test
    void shouldAllocateNothingFromACountThatIsALie() {
        Frame frame = Frame.request(1, new Settle.Request(0, 1, 1, List.of(), Settle.Outcome.ACCEPTED, 0, true));
        for (int count : new int[] {1, 1 << 20, Integer.MAX_VALUE, -1}) {
            ByteBuffer bytes = Frames.bytes(frame).putInt(Frame.HEADER_LENGTH + 12, count);
            readWithinBounds(bytes.position(4));
        }
    }

    /** Takes the least of some reads: the first ones load classes and compile method handles on this thread. */
    private static void readWithinBounds(ByteBuffer bytes) {
        long bound = ALLOCATED_ONCE_MAX + (long) ALLOCATED_PER_BYTE_MAX * bytes.remaining();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5 && least > bound; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            read(bytes.duplicate());
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isLessThanOrEqualTo(bound);
    }

    private static void read(ByteBuffer bytes) {
        try {
            Frame.read(Protocol.VERSION, bytes);
        } catch (MalformedFrameException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_FRAME);
        }
    }
}
