package io.duramen.log;

import static io.duramen.log.LogFixture.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Opens logs whose files were changed at random. {@code -Dduramen.fuzz.seeds} sets how many. */
class RecoveryFuzzTest {
    private static final long SEEDS = Long.getLong("duramen.fuzz.seeds", 3000);

    @Test
    void shouldNeverInventAnEntryWhenFilesWereChanged() {
        int opened = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                opened += run(new Random(seed)) ? 1 : 0;
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(opened).isBetween((int) SEEDS / 10, (int) SEEDS);
    }

    private static boolean run(Random random) throws IOException {
        MemoryDisk disk = new MemoryDisk();
        LogFixture fixture = LogFixture.open(disk, SMALL, 0);
        if (random.nextInt(3) == 0) {
            turnOver(fixture, random);
        }
        int entries = 1 + random.nextInt(80);
        for (int i = 0; i < entries; i++) {
            fixture.append(1 + random.nextInt(3), 1 + random.nextInt(3), random.nextInt(500), random.nextBoolean());
            if (random.nextBoolean()) {
                fixture.settle();
            }
        }
        fixture.settle();
        fixture.poll();
        Map<Long, Integer> original = contents(disk.copy(), fixture.log.firstIndex());
        MemoryDisk changed = disk.copy();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            change(changed, random);
        }
        long released = fixture.log.firstIndex() - 1;
        return look(changed, original, released, random);
    }

    /** Has the files that come be such as were full of other entries once. */
    private static void turnOver(LogFixture fixture, Random random) {
        int length = random.nextInt(500);
        for (int i = 0; i < 100; i++) {
            fixture.append(1, 1, random.nextBoolean() ? length : random.nextInt(500), true);
            fixture.settle();
            if (i % 10 == 0) {
                fixture.log.release(fixture.log.durableIndex(), partition -> Long.MAX_VALUE);
            }
        }
        fixture.log.release(fixture.log.durableIndex(), partition -> Long.MAX_VALUE);
        fixture.settle();
        fixture.poll();
    }

    private static void change(MemoryDisk disk, Random random) {
        List<String> names = new ArrayList<>(disk.files.keySet());
        if (names.isEmpty()) {
            return;
        }
        String name = names.get(random.nextInt(names.size()));
        byte[] content = disk.files.get(name);
        if (content.length == 0) {
            return;
        }
        int used = Math.min(content.length, 1 + lastNonZero(content) + 100);
        int at = random.nextInt(used);
        int length = Math.min(content.length - at, 1 + random.nextInt(300));
        switch (random.nextInt(7)) {
            case 0 -> content[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> Arrays.fill(content, at, at + length, (byte) 0);
            case 2 -> Arrays.fill(content, at, content.length, (byte) 0);
            case 3 -> disk.files.put(name, Arrays.copyOf(content, at));
            case 4 -> System.arraycopy(content, at, content, random.nextInt(content.length - length + 1), length);
            case 5 -> disk.files.remove(name);
            default -> {
                byte[] noise = new byte[length];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, content, at, length);
            }
        }
    }

    private static int lastNonZero(byte[] content) {
        int at = content.length - 1;
        while (at > 0 && content[at] == 0) {
            at--;
        }
        return at;
    }

    /** @return whether it opened */
    private static boolean look(MemoryDisk disk, Map<Long, Integer> original, long released, Random random)
            throws IOException {
        int longest = disk.files.values().stream()
                .mapToInt(content -> content.length)
                .max()
                .orElse(0);
        LogFixture fixture;
        try {
            fixture = LogFixture.open(disk, SMALL, released + (random.nextInt(3) == 0 ? 5 : 0));
        } catch (DamagedLogException | IOException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return false;
        }
        try {
            contents(disk.copy(), fixture.log.firstIndex())
                    .forEach((index, content) ->
                            assertThat(content).as("entry " + index).isEqualTo(original.get(index)));
        } catch (DamagedLogException | IOException e) {
            assertThat(e.getMessage()).contains(".log");
        }
        for (int partition = 1; partition <= 3; partition++) {
            try {
                fixture.requirePartition(partition, random.nextInt(20), 200, 2000);
            } catch (DamagedLogException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
        assertThat(disk.largestRead).isLessThanOrEqualTo(Math.max(longest, 8192));
        return true;
    }

    private static Map<Long, Integer> contents(MemoryDisk disk, long from) throws IOException {
        LogFixture fixture = LogFixture.open(disk, SMALL, from - 1);
        EntryReader reader = fixture.log.reader(from);
        Map<Long, Integer> contents = new HashMap<>();
        while (!reader.isDone() && reader.failure().isEmpty()) {
            disk.poll();
            reader.poll(entry -> contents.put(entry.index(), entry.records().hashCode()));
        }
        if (reader.failure().isPresent()) {
            throw reader.failure().get();
        }
        return contents;
    }
}
