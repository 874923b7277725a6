package io.duramen.jms.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.delivery.Flow.Settling;
import org.junit.jupiter.api.Test;

/** How much is sent ahead, by how fast the application is. */
class CreditWindowTest {
    private static final long MILLI = 1_000_000;
    private static final long AHEAD = 200 * MILLI;

    private long now;

    private CreditWindow window(int prefetch, long aheadNanos) {
        return new CreditWindow(new Flow(prefetch, 1_000_000, aheadNanos, 1, Settling.GATHERED), () -> now);
    }

    /** What is granted at first, then after so many messages that took so long each. */
    private int grantedAfter(CreditWindow window, int messages, long nanosEach) {
        int granted = window.grantMessages(0);
        window.received(granted, granted);
        int given = 0;
        int waiting = granted;
        for (; given < messages; given++) {
            if (waiting == 0) {
                int more = window.grantMessages(0);
                window.received(more, more);
                waiting = more;
            }
            window.gave();
            waiting--;
            now += nanosEach;
        }
        window.ranDry();
        return window.grantMessages(0);
    }

    @Test
    void shouldBeginWithLittleAndGrowToTheLimitWhenTheApplicationIsFast() {
        CreditWindow window = window(1000, AHEAD);
        assertThat(window.grantMessages(0)).isEqualTo(32);
        assertThat(grantedAfter(window(1000, AHEAD), 40, 1000)).isEqualTo(1000);
    }

    @Test
    void shouldGrantBytesWhenTheWindowHasShrunkBelowWhatTheNodeMaySend() {
        CreditWindow window = window(1000, AHEAD);
        assertThat(window.grantMessages(0)).isEqualTo(32);
        assertThat(window.grantBytes(0)).isEqualTo(1_000_000);
        for (int message = 1; message <= 100; message++) {
            window.received(1, 1_048_576);
            assertThat(window.isDue(1, 1_048_576))
                    .as("message %d waits here", message)
                    .isFalse();
            window.gave();
            now += 150 * MILLI;
            window.ranDry();
            assertThat(window.isDue(0, 0)).as("after message %d", message).isTrue();
            window.grantMessages(0);
            assertThat(window.grantBytes(0)).isGreaterThanOrEqualTo(1_000_000);
            assertThat(window.mayBeOut()).isTrue();
        }
    }

    @Test
    void shouldHoldOneWhenTheApplicationTakesLongerThanWhatIsSentAhead() {
        assertThat(grantedAfter(window(1000, AHEAD), 4, 5_000 * MILLI)).isEqualTo(1);
    }

    @Test
    void shouldHoldWhatGetsDoneInTheTimeWhenTheApplicationIsBetween() {
        assertThat(grantedAfter(window(1000, AHEAD), 100, 10 * MILLI)).isEqualTo(20);
    }

    @Test
    void shouldNotCountTheTimeInWhichNothingWasThere() {
        CreditWindow window = window(1000, AHEAD);
        for (int i = 0; i < 20; i++) {
            window.gave();
            now += MILLI;
            window.ranDry();
            now += 10_000 * MILLI;
        }
        assertThat(window.grantMessages(0)).isEqualTo(200);
    }

    @Test
    void shouldRecoverWhenTheApplicationWasSlowForAMoment() {
        CreditWindow window = window(1000, AHEAD);
        grantedAfter(window, 4, 1_000 * MILLI);
        window.lost();
        assertThat(grantedAfter(window, 2000, 1000)).isEqualTo(1000);
    }

    @Test
    void shouldAlwaysGrantTheLimitWhenItDoesNotAdapt() {
        assertThat(grantedAfter(window(50, 0), 3, 1_000 * MILLI)).isEqualTo(50);
    }

    @Test
    void shouldWaitForTheApplicationWhenOnDemandDrainedOrRecalled() {
        CreditWindow onDemand = window(0, AHEAD);
        assertThat(onDemand.isSuspended()).isTrue();
        onDemand.asked();
        assertThat(onDemand.grantMessages(0)).isEqualTo(1);
        onDemand.gave();
        assertThat(onDemand.isSuspended()).isTrue();
        CreditWindow window = window(10, AHEAD);
        window.grantMessages(0);
        window.recalled();
        assertThat(window.isSuspended()).isTrue();
        assertThat(window.mayBeOut())
                .as("credit that crossed the recall is void")
                .isFalse();
        window.gave();
        assertThat(window.isSuspended()).isFalse();
        window.drained();
        assertThat(window.isSuspended()).isTrue();
        assertThat(window.mayBeOut()).isFalse();
        window.asked();
        assertThat(window.isDue(0, 0)).isTrue();
    }

    @Test
    void shouldAskAnewAfterARecallForAnApplicationThatWaits() {
        CreditWindow window = window(10, AHEAD);
        window.asked();
        window.grantMessages(0);
        window.recalled();
        assertThat(window.isSuspended()).as("it waits").isFalse();
        assertThat(window.isDue(0, 0)).isTrue();
        window.askedEnough();
        window.recalled();
        assertThat(window.isSuspended()).as("it waits no more").isTrue();
    }
}
