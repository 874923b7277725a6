package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SpareBuffersTest {
    private static final int LENGTH = 1 << 20;

    private final SpareBuffers spares = new SpareBuffers(4 * LENGTH);

    @Test
    void shouldGiveABufferAgainOnceItWasGivenBack() {
        ByteBuffer first = spares.take(LENGTH);
        first.putInt(7);
        spares.give(first);
        ByteBuffer second = spares.take(LENGTH - 10_000);

        assertThat(second.array()).isSameAs(first.array());
        assertThat(second.position()).isZero();
        assertThat(second.limit()).isEqualTo(LENGTH - 10_000);
        assertThat(spares.take(LENGTH).array()).isNotSameAs(first.array());
    }

    @Test
    void shouldKeepNoMoreThanItsBound() {
        for (int i = 0; i < 20; i++) {
            spares.give(ByteBuffer.allocate(LENGTH));
        }
        assertThat(spares.keptBytes()).isEqualTo(4 * LENGTH);
        spares.give(ByteBuffer.allocate(5 * LENGTH));
        spares.give(ByteBuffer.allocate(1_000));
        assertThat(spares.keptBytes()).isEqualTo(4 * LENGTH);
    }

    @Test
    void shouldNotWasteALongBufferOnWhatIsShort() {
        ByteBuffer given = ByteBuffer.allocate(4 * LENGTH);
        spares.give(given);
        assertThat(spares.take(LENGTH / 2).array()).isNotSameAs(given.array());
        assertThat(spares.take(2 * LENGTH).array()).isSameAs(given.array());
    }
}
