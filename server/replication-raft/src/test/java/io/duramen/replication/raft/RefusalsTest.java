package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final Refusals refusals = new Refusals();

    @Test
    void shouldTellTheFirstOfManyAndLaterHowManyThereWere() {
        assertThat(refusals.mayTell("", 0)).isZero();
        for (int i = 0; i < 1000; i++) {
            assertThat(refusals.mayTell("", TimeUnit.SECONDS.toNanos(9))).isEqualTo(-1);
        }

        assertThat(refusals.mayTell("", TimeUnit.SECONDS.toNanos(10))).isEqualTo(1000);
        assertThat(refusals.mayTell("", TimeUnit.SECONDS.toNanos(20))).isZero();
    }

    @Test
    void shouldTellOfEachNodeByItself() {
        assertThat(refusals.mayTell("", 0)).isZero();

        assertThat(refusals.mayTell("one", 0)).isZero();
        assertThat(refusals.mayTell("two", 0)).isZero();
        assertThat(refusals.mayTell("one", 1)).isEqualTo(-1);
    }
}
