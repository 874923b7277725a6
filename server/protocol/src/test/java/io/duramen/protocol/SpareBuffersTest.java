package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

    /** What others of the process have outside the heap may leave no room; and one that was not made does not count for ever. */
    @Test
    void shouldTakeTheHeapWhileTheProcessMayHaveNoMoreOutside() {
        boolean[] exhausted = {true};
        SpareBuffers elsewhere = new SpareBuffers(LENGTH, length -> {
            if (exhausted[0]) {
                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
            }
            return ByteBuffer.allocateDirect(length);
        });
        for (int i = 0; i < 20; i++) {
            assertThat(elsewhere.takeDirect(LENGTH).isDirect()).as("take %d", i).isFalse();
        }
        exhausted[0] = false;
        ByteBuffer outside = elsewhere.takeDirect(LENGTH);
        assertThat(outside.isDirect()).isTrue();
        assertThat(outside.limit()).isEqualTo(LENGTH);
    }

    @Test
    void shouldGiveABufferOutsideTheHeapAgainOnceItWasGivenBack() {
        ByteBuffer first = spares.takeDirect(LENGTH);
        first.putInt(0, 7);
        assertThat(first.isDirect()).isTrue();
        spares.give(first.duplicate().position(100).limit(200));
        assertThat(spares.keptBytes()).isZero();
        assertThat(spares.keptDirectBytes()).isEqualTo(LENGTH);

        ByteBuffer second = spares.takeDirect(LENGTH - 10_000);

        assertThat(second.getInt(0)).isEqualTo(7);
        assertThat(second.position()).isZero();
        assertThat(second.limit()).isEqualTo(LENGTH - 10_000);
        assertThat(spares.takeDirect(LENGTH).getInt(0)).isZero();
    }

    @Test
    void shouldTakeBuffersOnTheHeapOnceThereAreAsManyOutsideAsThereMayBe() {
        List<ByteBuffer> held = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            held.add(spares.takeDirect(LENGTH));
        }
        assertThat(held).allMatch(ByteBuffer::isDirect);
        assertThat(spares.takeDirect(LENGTH).hasArray()).isTrue();
        assertThat(spares.takeDirect(1_000).hasArray()).isTrue();

        held.forEach(spares::give);

        assertThat(spares.keptDirectBytes()).isEqualTo(4 * LENGTH);
        assertThat(spares.takeDirect(LENGTH).isDirect()).isTrue();
    }

    @Test
    void shouldNotCountWhatSomebodyHoldsUntilItIsGivenBack() {
        List<ByteBuffer> held = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            held.add(spares.takeDirect(LENGTH));
            spares.hold(held.get(i));
        }
        assertThat(held).allMatch(ByteBuffer::isDirect);
        held.forEach(spares::giveHeld);
        assertThat(spares.keptDirectBytes()).isEqualTo(4 * LENGTH);
        for (int i = 0; i < 4; i++) {
            assertThat(spares.takeDirect(LENGTH).isDirect()).isTrue();
        }
    }

    @Test
    void shouldMakeOthersOutsideTheHeapOnceTheCollectorHasThoseThatNobodyGaveBack() {
        for (int i = 0; i < 16; i++) {
            assertThat(spares.takeDirect(LENGTH).isDirect()).isTrue();
        }
        boolean direct = false;
        for (int tries = 0; !direct && tries < 1_000; tries++) {
            System.gc();
            direct = spares.takeDirect(LENGTH).isDirect();
        }
        assertThat(direct).isTrue();
    }

    @Test
    void shouldNotKeepWhatMayOnlyBeRead() {
        spares.give(ByteBuffer.allocateDirect(LENGTH).asReadOnlyBuffer());
        spares.give(ByteBuffer.allocate(LENGTH).asReadOnlyBuffer());
        assertThat(spares.keptBytes() + spares.keptDirectBytes()).isZero();
    }
}
