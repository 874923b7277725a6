package io.duramen.node.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.SpareBuffers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameAssemblerTest implements FrameAssembler.Sink {
    private static final int LIMIT = 1 << 18;

    private final List<byte[]> frames = new ArrayList<>();
    private final List<Integer> tooLong = new ArrayList<>();
    private final FrameAssembler assembler = new FrameAssembler(this);

    @Test
    void shouldFindEveryFrameHoweverTheStreamIsCut() {
        Random random = new Random(3);
        ByteBuf stream = Unpooled.buffer();
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            byte[] body = new byte[random.nextInt(20) == 0 ? random.nextInt(LIMIT) : random.nextInt(40)];
            random.nextBytes(body);
            sent.add(body);
            stream.writeInt(body.length).writeBytes(body);
        }
        while (stream.isReadable()) {
            int piece = random.nextBoolean() ? 1 + random.nextInt(7) : 1 + random.nextInt(100_000);
            assembler.feed(stream.readSlice(Math.min(stream.readableBytes(), piece)));
        }
        assertThat(frames).hasSameSizeAs(sent);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(frames.get(i)).isEqualTo(sent.get(i));
        }
    }

    @Test
    void shouldStopAtALengthBeyondTheLimit() {
        assembler.feed(Unpooled.buffer().writeInt(LIMIT + 1).writeBytes(new byte[100]));
        assembler.feed(Unpooled.buffer().writeInt(1).writeByte(1));
        assertThat(tooLong).containsExactly(LIMIT + 1);
        assertThat(frames).isEmpty();
    }

    @Test
    void shouldAllocateLittleWhenMuchIsAnnouncedAndLittleSent() {
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        ByteBuf announcement = Unpooled.buffer().writeInt(LIMIT).writeByte(1);
        assembler.feed(announcement.duplicate());
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) {
            new FrameAssembler(this).feed(announcement.duplicate());
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100L * LIMIT / 2);
    }

    @Test
    void shouldAllocateALongFrameOnceWhenOneAsLongCameBefore() {
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        FrameAssembler feeding = new FrameAssembler(
                new FrameAssembler.Sink() {
                    @Override
                    public int frameLengthMax() {
                        return LIMIT;
                    }

                    @Override
                    public void onFrame(ByteBuffer frame) {
                        frames.add(null);
                    }

                    @Override
                    public void onTooLong(int length, ByteBuf start) {}
                },
                new SpareBuffers(0)); // none is kept: all is made on this thread's part of the heap
        ByteBuf stream = Unpooled.directBuffer().writeInt(LIMIT).writeBytes(new byte[LIMIT]);
        long[] allocated = new long[2];
        for (int i = 0; i < 2; i++) {
            ByteBuf again = stream.duplicate();
            long before = threads.getCurrentThreadAllocatedBytes();
            while (again.isReadable()) {
                feeding.feed(again.readSlice(Math.min(again.readableBytes(), 50_000)));
            }
            allocated[i] = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(frames).hasSize(2);
        assertThat(allocated[1]).isLessThan(LIMIT + LIMIT / 4).isLessThan(allocated[0]);
    }

    @Override
    public int frameLengthMax() {
        return LIMIT;
    }

    @Override
    public void onFrame(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        frames.add(bytes);
    }

    @Override
    public void onTooLong(int length, ByteBuf start) {
        tooLong.add(length);
    }

    /** The transport reads into what the assembler offers, or into a buffer of its own, as much as has come. */
    @Test
    void shouldFindEveryFrameWhenLongOnesAreReadToTheirPlaces() {
        Random random = new Random(5);
        ByteBuf stream = Unpooled.buffer();
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            byte[] body = new byte[random.nextInt(4) == 0 ? random.nextInt(20) : LIMIT - random.nextInt(80_000)];
            random.nextBytes(body);
            sent.add(body);
            stream.writeInt(body.length).writeBytes(body);
        }
        int inPlace = 0;
        while (stream.isReadable()) {
            int come = Math.min(stream.readableBytes(), random.nextInt(150_000));
            ByteBuf room = assembler.room(UnpooledByteBufAllocator.DEFAULT);
            ByteBuf into = room != null ? room : Unpooled.directBuffer(100, 8 * 1024);
            assertThat(assembler.room(UnpooledByteBufAllocator.DEFAULT)).isNull();
            into.writeBytes(stream, Math.min(come, into.maxWritableBytes()));
            if (into.isReadable()) {
                inPlace += room != null ? into.readableBytes() : 0;
                assembler.feed(into);
            }
            into.release();
        }
        assertThat(frames).hasSameSizeAs(sent);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(frames.get(i)).as("frame %d", i).isEqualTo(sent.get(i));
        }
        assertThat(inPlace).isGreaterThan(100 * LIMIT / 2);
    }

    @Test
    void shouldIgnoreWhatIsReadToItsPlaceWhenItHasStopped() {
        assembler.feed(Unpooled.buffer().writeInt(LIMIT).writeBytes(new byte[LIMIT]));
        assembler.feed(Unpooled.buffer().writeInt(LIMIT).writeBytes(new byte[10]));
        ByteBuf room = assembler.room(UnpooledByteBufAllocator.DEFAULT);
        assertThat(room.maxWritableBytes()).isEqualTo(LIMIT - 10);
        assembler.stop();
        assembler.feed(room.writeBytes(new byte[LIMIT - 10]));
        room.release();
        assertThat(frames).hasSize(1);
        assertThat(assembler.room(UnpooledByteBufAllocator.DEFAULT)).isNull();
    }
}
