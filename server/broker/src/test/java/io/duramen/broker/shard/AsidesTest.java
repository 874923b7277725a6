package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.ManualClock;
import io.duramen.broker.shard.ShardMessage.OutcomePending;
import io.duramen.broker.transaction.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AsidesTest {
    private static final Duration LINGER = Duration.ofMillis(5);
    private static final ShardMessage MESSAGE = new OutcomePending(Spread.name(0, 1, 1));

    private final List<String> done = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private boolean busy = true;

    private final Neighbours others = new Neighbours() {
        @Override
        public int shards() {
            return 4;
        }

        @Override
        public void leave(int shard, ShardMessage message) {
            done.add("left for " + shard);
        }

        @Override
        public void wake(int shard) {
            done.add("woke " + shard);
        }
    };

    private final Asides asides = new Asides(others, () -> busy, clock, LINGER);

    @Test
    void shouldWakeAtOnceWhereLittleIsToDo() {
        busy = false;
        asides.mention(1, MESSAGE);
        assertThat(done).containsExactly("left for 1", "woke 1");
        assertThat(asides.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldLeaveItAtOnceAndWakeEachOnceALittleLater() {
        long due = clock.nanos() + LINGER.toNanos();
        asides.mention(1, MESSAGE);
        clock.advance(LINGER.minusMillis(1));
        asides.mention(3, MESSAGE);
        asides.mention(1, MESSAGE);
        assertThat(asides.deadlineNanos()).isEqualTo(due);
        assertThat(asides.wakeDue()).isZero();
        assertThat(done).containsExactly("left for 1", "left for 3", "left for 1");

        clock.advance(Duration.ofMillis(1));
        assertThat(asides.wakeDue()).isEqualTo(1);
        assertThat(done.subList(3, done.size())).containsExactly("woke 1", "woke 3");
        assertThat(asides.wakeDue()).isZero();
        assertThat(asides.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldWakeNobodyAgainWhoWasToldSomethingMeanwhile() {
        asides.mention(1, MESSAGE);
        asides.mention(2, MESSAGE);
        asides.tell(1, MESSAGE);
        clock.advance(LINGER);
        asides.wakeDue();
        assertThat(done).containsExactly("left for 1", "left for 2", "left for 1", "woke 1", "woke 2");
    }
}
