package io.duramen.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.frame.OffsetRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class OffsetsTest {
    @Test
    void shouldMakeRangesWhenOffsetsFollowEachOther() {
        Offsets offsets = new Offsets();
        for (long offset : new long[] {1, 2, 3, 7, 5, 6}) {
            offsets.add(offset);
        }
        assertThat(offsets.toRanges()).containsExactly(new OffsetRange(1, 3), OffsetRange.of(7), new OffsetRange(5, 6));
    }

    @Test
    void shouldCountNoMoreThanALongHoldsWhenRangesAreHuge() {
        OffsetRange huge = new OffsetRange(0, Long.MAX_VALUE - 1);
        assertThat(Offsets.count(List.of(huge, huge, OffsetRange.of(3)))).isEqualTo(Long.MAX_VALUE);
        assertThat(Offsets.count(List.of(OffsetRange.of(3), new OffsetRange(0, 9))))
                .isEqualTo(11);
    }
}
