package io.duramen.jms.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongBuffersTest {
    private static final int LENGTH = 1_000_000;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    @Test
    void shouldUseABufferAgainOnceItIsReleased() {
        for (int i = 0; i < 100; i++) {
            ByteBuf buffer = LongBuffers.take(allocator, LENGTH + i);
            assertThat(buffer.readableBytes()).isZero();
            buffer.writeZero(LENGTH).release();
        }
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(2 * LENGTH);
    }

    @Test
    void shouldNeverGiveABufferTwiceAndKeepFewWhenManyAreInUse() {
        List<ByteBuf> taken = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            taken.add(LongBuffers.take(allocator, LENGTH).writeInt(i));
        }
        for (int i = 0; i < taken.size(); i++) {
            assertThat(taken.get(i).getInt(0)).isEqualTo(i);
            taken.get(i).release();
        }
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(5L * (LENGTH + 64 * 1024));
    }

    @Test
    void shouldKeepNoneThatIsVeryLong() {
        LongBuffers.take(allocator, 5 << 20).release();
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(5 << 20);
    }
}
