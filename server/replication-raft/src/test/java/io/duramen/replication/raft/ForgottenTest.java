package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long entries stay that the engine was told to read no more. */
class ForgottenTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Forgotten forgotten = new Forgotten(Duration.ofSeconds(5), 0);

    @Test
    void shouldLetGoOfEachOnlyWhenItsOwnTimeIsOver() {
        forgotten.told(10, 0);
        forgotten.told(30, 2 * SECOND);

        assertThat(forgotten.index(5 * SECOND - 1)).isZero();
        assertThat(forgotten.index(5 * SECOND)).isEqualTo(10);
        assertThat(forgotten.index(7 * SECOND - 1)).isEqualTo(10);
        assertThat(forgotten.index(7 * SECOND)).isEqualTo(30);
    }

    /** Goal: who is told the same again and again does not begin to wait anew, nor goes back. */
    @Test
    void shouldCountFromTheFirstTimeItWasTold() {
        forgotten.told(10, 0);
        forgotten.told(10, 4 * SECOND);
        forgotten.told(5, 4 * SECOND);

        assertThat(forgotten.index(5 * SECOND)).isEqualTo(10);
        assertThat(forgotten.index(100 * SECOND)).isEqualTo(10);
    }

    @Test
    void shouldLetGoOfNothingThatWasNeverTold() {
        assertThat(forgotten.index(100 * SECOND)).isZero();
    }

    @Test
    void shouldLetGoAtOnceOfWhatWasNeverRead() {
        Forgotten anew = new Forgotten(Duration.ofSeconds(5), 20);
        anew.told(20, 0);
        anew.told(30, 0);

        assertThat(anew.index(0)).isEqualTo(20);
        assertThat(anew.index(5 * SECOND)).isEqualTo(30);
    }
}
