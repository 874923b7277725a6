package io.duramen.broker.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.protocol.record.DedupKey;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The keys of batches on their way: who appended them and who only replays them come to the same window. */
class AppendedKeysTest {
    private static final int PARTITIONS = 3;
    private static final int GONE = 2;
    private static final DedupIds.Limits LIMITS = new DedupIds.Limits(1_000, 3_000, 1_000_000);

    /** @param own appended with its keys, not found in the log alone */
    private record Stored(int partition, long place, boolean own, List<String> ids, ByteBuffer batch) {}

    private final DedupIds leader = new DedupIds(LIMITS, 1);
    private final DedupIds follower = new DedupIds(LIMITS, 2);
    private final long[] places = new long[PARTITIONS];
    private long lastId;

    private static boolean isStored(DedupIds ids, Stored stored, String id) {
        return ids.isStored(stored.partition, ids.hashed(DedupKey.of(id)), 0);
    }

    private Stored append(SplittableRandom random) {
        int partition = random.nextInt(PARTITIONS);
        int messages = random.nextInt(8) == 0 ? BatchKeys.MAX + random.nextInt(BatchKeys.MAX) : 1 + random.nextInt(20);
        List<String> ids = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        boolean without = random.nextInt(5) == 0;
        for (int i = 0; i < messages; i++) {
            boolean plain = without || random.nextInt(6) == 0;
            String id = "id " + ++lastId;
            texts.add(plain ? "m" : id + ":m");
            if (!plain) {
                ids.add(id);
            }
        }
        ByteBuffer batch =
                Batches.of(texts.toArray(String[]::new)).withDedupIds().batch();
        Stored stored = new Stored(partition, places[partition], random.nextInt(6) > 0, ids, batch);
        places[partition] += messages;
        if (stored.own) {
            leader.appended(partition, stored.place, batch);
        }
        return stored;
    }

    private void commit(Stored stored) {
        boolean there = stored.partition != GONE;
        leader.committed(stored.partition, stored.place, stored.batch, 1_000, there);
        follower.committed(stored.partition, stored.place, stored.batch, 1_000, there);
    }

    @Test
    void shouldTakeTheKeysOfWhatIsCommittedInThePlaceOfWhatWasAppended() {
        ByteBuffer own = Batches.of("own:m").withDedupIds().batch();
        ByteBuffer others = Batches.of("others:m").withDedupIds().batch();
        leader.appended(0, 7, own);
        leader.forgetAppended();
        leader.committed(0, 7, others, 1_000, true);
        assertThat(leader.isStored(0, leader.hashed(DedupKey.of("own")), 1_000)).isFalse();
        assertThat(leader.isStored(0, leader.hashed(DedupKey.of("others")), 1_000))
                .isTrue();
    }

    @Test
    void shouldKnowAsMuchAsWhoOnlyReplays() {
        for (long seed = 1; seed <= 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ArrayDeque<Stored> flying = new ArrayDeque<>();
            for (int step = 0; step < 60; step++) {
                flying.add(append(random));
                while (flying.size() > random.nextInt(6)) {
                    Stored stored = flying.poll();
                    for (String id : stored.ids) {
                        assertThat(isStored(leader, stored, id)).isEqualTo(stored.own);
                    }
                    commit(stored);
                    for (String id : stored.ids) {
                        assertThat(isStored(leader, stored, id))
                                .as("seed %d step %d", seed, step)
                                .isEqualTo(stored.partition != GONE);
                    }
                }
            }
            flying.forEach(this::commit);
            assertThat(leader.toRows()).as("seed %d", seed).isEqualTo(follower.toRows());
            assertThat(leader.size()).isEqualTo(follower.size()).isPositive();
        }
    }
}
