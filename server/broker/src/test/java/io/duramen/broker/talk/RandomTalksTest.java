package io.duramen.broker.talk;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.ManualClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Shards that change their leaders, some of whom do not know it yet, over a link that loses, repeats and reorders. What one hears
 * between meeting another and losing it are the first words that this one said between two such moments, in order; never words
 * of one that it has heard a successor of. Once the link is whole, everybody is met and hears everything.
 */
class RandomTalksTest {
    private static final int RUNS = 400;
    private static final int SHARDS = 3;
    private static final int STEPS = 300;

    private record Frame(int to, ByteBuffer bytes) {}

    /** Who says it, in which of its meetings, and which word in that. */
    private record Said(long leader, long meeting, long number) {
        Word toWord() {
            return new Word(
                    (byte) 1,
                    ByteBuffer.allocate(24)
                            .putLong(leader)
                            .putLong(meeting)
                            .putLong(number)
                            .flip());
        }

        static Said of(Word word) {
            ByteBuffer body = word.body().duplicate();
            return new Said(body.getLong(), body.getLong(), body.getLong());
        }
    }

    private final class Leader implements Talks.Listener {
        private final int shard;
        private final long epoch;
        private final Talks talks;
        private final long[] said = new long[SHARDS];
        private final boolean[] met = new boolean[SHARDS];
        private final Said[] last = new Said[SHARDS];
        private final boolean[] fresh = new boolean[SHARDS];
        private int told;
        private int waited;

        Leader(int shard, long epoch) {
            this.shard = shard;
            this.epoch = epoch;
            talks = new Talks(shard, SHARDS, clock, (to, frame) -> link.add(new Frame(to, frame)));
            talks.begin(epoch, this);
        }

        @Override
        public void met(int other) {
            assertThat(met[other]).isFalse();
            met[other] = true;
            fresh[other] = true;
            said[other] = 0;
            says(other);
        }

        @Override
        public void lost(int other) {
            assertThat(met[other]).isTrue();
            met[other] = false;
        }

        @Override
        public void heard(int other, Word word) {
            Said now = Said.of(word);
            assertThat(met[other]).as("heard %s", now).isTrue();
            if (fresh[other]) {
                assertThat(now.number).as("first of %s", now).isEqualTo(1);
                if (last[other] != null) {
                    assertThat(isLater(now, last[other]))
                            .as("%s after %s", now, last[other])
                            .isTrue();
                }
            } else {
                assertThat(now).isEqualTo(new Said(last[other].leader, last[other].meeting, last[other].number + 1));
            }
            fresh[other] = false;
            last[other] = now;
            heard.add(List.of((long) shard, (long) other, now.leader, now.meeting, now.number));
        }

        private boolean isLater(Said now, Said before) {
            return now.leader > before.leader || now.leader == before.leader && now.meeting > before.meeting;
        }

        void says() {
            says(another());
        }

        void isConnectedAgain() {
            talks.sendAgain(another());
        }

        private int another() {
            return (shard + 1 + random.nextInt(SHARDS - 1)) % SHARDS;
        }

        private void says(int other) {
            if (talks.isMet(other)) {
                Said one = new Said(epoch, talks.meetings(other), ++said[other]);
                talks.say(other, one.toWord());
                waited++;
                talks.whenHeard(other, () -> {
                    told++;
                    assertThat(talks.meetings(other) > one.meeting
                                    || heard.contains(
                                            List.of((long) other, (long) shard, one.leader, one.meeting, one.number)))
                            .as("%s to %d", one, other)
                            .isTrue();
                });
            }
        }
    }

    private final ManualClock clock = new ManualClock();
    private final List<Frame> link = new ArrayList<>();
    private final Set<List<Long>> heard = new HashSet<>();
    private final List<Leader> alive = new ArrayList<>();
    private final Leader[] leaders = new Leader[SHARDS];
    private long lastEpoch;
    private SplittableRandom random;

    private void lead(int shard) {
        leaders[shard] = new Leader(shard, ++lastEpoch);
        alive.add(leaders[shard]);
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> anyone().talks.doWork();
            case 4, 5, 6 -> anyone().says();
            case 7, 8, 9 -> faultyLink();
            case 10 -> clock.advance(Duration.ofMillis(random.nextInt(400)));
            default -> rarely();
        }
    }

    private void rarely() {
        switch (random.nextInt(6)) {
            case 0 -> lead(random.nextInt(SHARDS));
            case 1 -> alive.removeIf(one -> leaders[one.shard] != one && random.nextBoolean());
            case 2 -> link.clear();
            case 3 -> anyone().isConnectedAgain();
            default -> clock.advance(Duration.ofSeconds(1));
        }
    }

    private Leader anyone() {
        return alive.get(random.nextInt(alive.size()));
    }

    private void faultyLink() {
        if (link.isEmpty()) {
            return;
        }
        Frame frame = link.get(random.nextInt(link.size()));
        if (random.nextInt(4) > 0) {
            link.remove(frame);
        }
        if (random.nextInt(6) > 0) {
            List<Leader> there =
                    alive.stream().filter(one -> one.shard == frame.to).toList();
            there.get(random.nextInt(there.size())).talks.hear(frame.bytes.duplicate());
        }
    }

    private void mend() {
        alive.removeIf(one -> leaders[one.shard] != one);
        for (int round = 0; round < 40; round++) {
            clock.advance(Duration.ofSeconds(2));
            alive.forEach(one -> one.talks.doWork());
            while (!link.isEmpty()) {
                Frame frame = link.remove(0);
                leaders[frame.to].talks.hear(frame.bytes);
            }
        }
    }

    private void run(long seed) {
        random = new SplittableRandom(seed);
        for (int shard = 0; shard < SHARDS; shard++) {
            lead(shard);
        }
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        mend();
        for (Leader leader : leaders) {
            for (int shard = 0; shard < SHARDS; shard++) {
                if (shard != leader.shard) {
                    assertThat(leader.talks.isMet(shard)).isTrue();
                    leader.says(shard);
                }
            }
        }
        mend();
        for (Leader leader : leaders) {
            assertThat(leader.told).isEqualTo(leader.waited);
            assertThat(leader.talks.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void shouldHearTheFirstWordsOfEachTalkInOrderWhenLeadersChangeAndFramesAreLost() {
        for (long seed = 1; seed <= RUNS; seed++) {
            try {
                new RandomTalksTest().run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
