package io.duramen.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What tells whether sessions have enough to do for another to join. */
class WorkTimeTest {
    /** As a system's, it may be anything, also negative. */
    private final AtomicLong clock = new AtomicLong(-50);

    private final WorkTime one = new WorkTime(clock::get);
    private final WorkTime other = new WorkTime(clock::get);

    private WorkTime.Total total() {
        return WorkTime.Total.of(List.of(one, other), clock.get());
    }

    @Test
    void shouldAddUpDeliveriesAndTheOneInHand() {
        assertThat(one.isAtWork()).isFalse();
        one.begin();
        assertThat(one.isAtWork()).isTrue();
        clock.addAndGet(30);
        one.end();
        clock.addAndGet(1_000);
        assertThat(total().workedNanos()).isEqualTo(30);
        one.begin();
        clock.addAndGet(5);
        assertThat(total().workedNanos()).as("while in hand").isEqualTo(35);
        one.end();
        assertThat(total().workedNanos()).isEqualTo(35);
        assertThat(one.isAtWork()).isFalse();
    }

    @Test
    void shouldBeAtWorkFromTheFirstMomentOn() {
        one.begin();
        assertThat(one.isAtWork()).isTrue();
        one.end();
        assertThat(one.isAtWork()).isFalse();
        assertThat(total().workedNanos()).isZero();
    }

    /** Goal: that all are at work when it begins and when it ends says nothing of the time between. */
    @Test
    void shouldNotTakeTwoMomentsForATime() {
        one.begin();
        other.begin();
        WorkTime.Total before = total();
        clock.addAndGet(10);
        other.end();
        clock.addAndGet(80);
        other.begin();
        clock.addAndGet(10);
        assertThat(total().isBusySince(before, 2, 0.75)).isFalse();
        assertThat(total().isBusySince(before, 2, 0.6)).as("120 of 200").isTrue();
    }

    @Test
    void shouldTakeDeliveriesThatFollowEachOtherForATime() {
        WorkTime.Total before = total();
        for (int i = 0; i < 10; i++) {
            one.begin();
            other.begin();
            clock.addAndGet(8);
            one.end();
            other.end();
            clock.addAndGet(2);
        }
        assertThat(total().isBusySince(before, 2, 0.75)).isTrue();
        assertThat(total().isBusySince(before, 2, 0.9)).isFalse();
    }
}
