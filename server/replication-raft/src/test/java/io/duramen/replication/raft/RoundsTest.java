package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final long MILLISECOND = Duration.ofMillis(1).toNanos();

    private final Rounds rounds = new Rounds();
    private long nowNanos = 1_000_000_000;
    private long lastIndex;
    private long committedIndex;

    @Test
    void shouldGoAtOnceWhenASenderIsAlone() {
        for (int i = 0; i < 20; i++) {
            add(100);
            assertThat(rounds.isDue(nowNanos)).as("message %s", i).isTrue();
            begin();
            pass(4);
            commit();
            pass(1);
        }
    }

    @Test
    void shouldHaveOneRoundAtATimeWhenLittleWaits() {
        add(100);
        begin();
        add(100);
        assertThat(rounds.isDue(nowNanos)).isFalse();
        assertThat(rounds.deadlineNanos()).as("time alone makes none due").isEqualTo(Long.MAX_VALUE);
        pass(60_000);
        assertThat(rounds.isDue(nowNanos)).isFalse();
        commit();
        pass(3);
        assertThat(rounds.isDue(nowNanos)).isTrue();
    }

    @Test
    void shouldBeginAnotherRoundWhenSoMuchWaitsThatItIsWorthOne() {
        add(100);
        begin();
        add(Rounds.BYTES - 1);
        assertThat(rounds.isDue(nowNanos)).isFalse();
        add(1);
        assertThat(rounds.isDue(nowNanos)).isTrue();
        begin();
        add(100);
        assertThat(rounds.isDue(nowNanos)).as("a third").isFalse();
    }

    @Test
    void shouldGatherWhoWasAnsweredWhenSeveralSendInTurns() {
        roundOf(16, 4);
        for (int i = 0; i < 13; i++) {
            add(100);
            assertThat(rounds.isDue(nowNanos)).as("with %s of 16", i + 1).isFalse();
        }
        add(100);
        assertThat(rounds.isDue(nowNanos)).as("with seven in eight of them").isTrue();
    }

    @Test
    void shouldWaitNoLongerThanAPartOfARoundWhenSendersDoNotComeBack() {
        for (int i = 0; i < 40; i++) {
            roundOf(16, 4); // so that the average is about 4 ms
        }
        add(100);
        assertThat(rounds.isDue(nowNanos)).isFalse();
        assertThat(rounds.deadlineNanos() - nowNanos).isBetween(1L, 2 * MILLISECOND);
        nowNanos = rounds.deadlineNanos();
        assertThat(rounds.isDue(nowNanos)).isTrue();
    }

    @Test
    void shouldWaitSeldomerWhenItHasWaitedInVain() {
        int waits = 0;
        roundOf(16, 4);
        for (int i = 0; i < 100; i++) {
            add(100);
            if (!rounds.isDue(nowNanos)) {
                waits++;
                nowNanos = rounds.deadlineNanos();
            }
            begin();
            add(1_500); // Another goes each time, and does not come back before the next.
            pass(4);
            commit();
            rounds.began(++lastIndex, 1_500, nowNanos);
            pass(4);
            commit();
        }
        assertThat(waits).isBetween(1, 20);
    }

    @Test
    void shouldWaitForOthersWhenNobodyAwaitsWhatWaits() {
        for (int i = 0; i < 40; i++) {
            roundOf(1, 4);
            pass(3);
        }
        nowNanos += 100 * MILLISECOND;
        rounds.began(lastIndex, 0, nowNanos); // ends the gathering
        rounds.committed(lastIndex, nowNanos);
        rounds.added(100, false, nowNanos);
        assertThat(rounds.isDue(nowNanos)).isFalse();
        assertThat(rounds.deadlineNanos()).isGreaterThan(nowNanos);
        rounds.added(100, true, nowNanos);
        assertThat(rounds.isDue(nowNanos)).isTrue();
    }

    @Test
    void shouldForgetWhatWaitedWhenItIsCleared() {
        add(100);
        begin();
        add(100);
        rounds.clear();
        assertThat(rounds.isDue(nowNanos)).isFalse();
        assertThat(rounds.waitingBytes()).isZero();
        assertThat(rounds.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        add(100);
        assertThat(rounds.isDue(nowNanos)).isTrue();
    }

    private void roundOf(int entries, int millis) {
        for (int i = 0; i < entries; i++) {
            add(100);
        }
        begin();
        pass(millis);
        commit();
    }

    private void add(int bytes) {
        rounds.added(bytes, true, nowNanos);
    }

    private void begin() {
        rounds.began(++lastIndex, (int) rounds.waitingBytes(), nowNanos);
    }

    private void commit() {
        committedIndex = lastIndex;
        rounds.committed(committedIndex, nowNanos);
    }

    private void pass(int millis) {
        nowNanos += millis * MILLISECOND;
    }
}
