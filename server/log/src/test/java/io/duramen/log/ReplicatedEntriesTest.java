package io.duramen.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries that a leader decided on, in the logs of several replicas. */
class ReplicatedEntriesTest {
    @TempDir
    Path directory;

    @Test
    void shouldHoldTheSameOnEveryReplicaWhateverTheirSecrets() throws IOException {
        LogFixture leader = open("leader", 1);
        LogFixture follower = open("follower", 2);
        leader.clock.nanos = 5_000_000_000L;
        for (int i = 0; i < 60; i++) {
            ByteBuffer payload = i % 10 == 3 ? configuration(i) : payload(leader, i % 3 + 1, 100 + i);
            long epoch = 1 + i / 20;
            assertThat(leader.log.append(payload, epoch)).isEqualTo(i + 1);
            assertThat(follower.log.append(payload.duplicate(), epoch)).isEqualTo(i + 1);
        }
        leader.settle();
        follower.settle();
        follower.requirePartition(1, 0, 18, 4096);
        leader.log.close();
        follower.log.close();

        List<String> expected = entries("leader");
        assertThat(expected).hasSize(60).anyMatch(entry -> entry.contains("configuration"));
        assertThat(entries("follower")).isEqualTo(expected);
    }

    /** Goal: what the engine wrote between messages is passed over, not taken for messages. */
    @Test
    void shouldReadMessagesFromTheDiskWhereConfigurationsStandBetween() throws IOException {
        LogFixture first = open("log", 1);
        for (int i = 0; i < 60; i++) {
            ByteBuffer payload = i % 4 == 3 ? configuration(i) : payload(first, 1, 100 + i);
            first.log.append(payload, 1 + i / 20);
        }
        first.settle();
        first.log.close();

        LogFixture again = LogFixture.open(new FileDisk(directory.resolve("log")), LogFixture.SMALL, 60);
        again.requirePartition(1, 0, 45, 4096);
        again.log.close();
    }

    @Test
    void shouldTakeBackWhatWasFoundOnlyWhereThatMayBe() throws IOException {
        LogFixture first = open("log", 1);
        for (int i = 0; i < 50; i++) {
            first.log.append(payload(first, 1, 400), 1);
        }
        first.settle();
        first.log.close();

        LogFixture second = LogFixture.open(new FileDisk(directory.resolve("log")), LogFixture.SMALL, 0);
        assertThatThrownBy(() -> second.log.truncateSuffix(20)).isInstanceOf(IllegalStateException.class);
        second.log.close();
        ShardLog third =
                new ShardLog(new FileDisk(directory.resolve("log")), new LogFixture.TestClock(), LogFixture.SMALL, 1);
        third.openUncommitted(10);
        assertThatThrownBy(() -> third.truncateSuffix(9)).isInstanceOf(IllegalStateException.class);
        third.truncateSuffix(20);

        assertThat(third.append(configuration(7), 2)).isEqualTo(21);
        third.close();
        assertThat(entries("log")).hasSize(21).last().asString().startsWith("21/2 configuration");
    }

    @Test
    void shouldKnowEveryEpochInMemoryAndOnTheDisk() throws IOException {
        LogFixture fixture = open("log", 1);
        for (int i = 1; i <= 100; i++) {
            fixture.log.append(payload(fixture, 1, 300), epochOf(i));
        }
        fixture.settle();
        requireEpochs(fixture.log, 1, 100);
        fixture.log.release(60, partition -> Long.MAX_VALUE);
        fixture.await(() -> fixture.log.firstIndex() > 1);
        long first = fixture.log.firstIndex();
        fixture.log.close();

        LogFixture again = LogFixture.open(new FileDisk(directory.resolve("log")), LogFixture.SMALL, first - 1);
        requireEpochs(again.log, first - 1, 100);
        assertThat(again.log.epochOf(first - 2)).isZero();
        assertThat(again.log.epochOf(101)).isZero();
        again.log.close();
    }

    private static void requireEpochs(ShardLog log, long from, long to) throws IOException {
        for (long index = from; index <= to; index++) {
            assertThat(log.epochOf(index)).as("entry %d", index).isEqualTo(epochOf(index));
        }
    }

    private static long epochOf(long index) {
        return 1 + index / 7;
    }

    /** Goal: whatever another node sends, it is an entry, or refused with nothing changed. */
    @Test
    void shouldAppendNothingWhenAPayloadIsNotSound() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        LogFixture fixture = open("log", 1);
        long last = 0;
        for (int i = 0; i < 3_000; i++) {
            EntryBuffer entry = fixture.log.newEntry();
            entry.addControl((byte) 9, ByteBuffer.allocate(random.nextInt(40)));
            entry.addControl((byte) 9, ByteBuffer.allocate(random.nextInt(40)));
            ByteBuffer payload = fixture.log.detach(entry, true);
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                payload.put(8 + random.nextInt(payload.limit() - 8), (byte) random.nextInt());
            }
            payload.limit(random.nextInt(4) == 0 ? random.nextInt(payload.limit() + 1) : payload.limit());
            try {
                last = fixture.log.append(payload, 1);
            } catch (DamagedLogException refused) {
                assertThat(fixture.log.lastIndex())
                        .as("seed %d, round %d", seed, i)
                        .isEqualTo(last);
            }
        }
        fixture.settle();
        fixture.log.close();

        assertThat(entries("log")).as("seed %d", seed).hasSize((int) last);
    }

    private LogFixture open(String name, int secret) throws IOException {
        Files.createDirectories(directory.resolve(name));
        return LogFixture.openWithSecret(new FileDisk(directory.resolve(name)), secret);
    }

    private static ByteBuffer payload(LogFixture fixture, int partition, int bodyLength) {
        EntryBuffer entry = fixture.log.newEntry();
        fixture.add(entry, partition, 1, bodyLength);
        return fixture.log.detach(entry, true);
    }

    private static ByteBuffer configuration(int length) {
        return EntryPayload.ofConfiguration(ByteBuffer.allocate(length));
    }

    private List<String> entries(String name) throws IOException {
        FileDisk disk = new FileDisk(directory.resolve(name));
        ShardLog log = new ShardLog(disk, new LogFixture.TestClock(), LogFixture.SMALL, 3);
        log.open(0);
        List<String> entries = new ArrayList<>();
        EntryReader reader = log.reader(1);
        while (!reader.isDone() && reader.failure().isEmpty()) {
            disk.poll();
            reader.poll(entry -> entries.add(entry.index() + "/" + entry.epoch()
                    + (entry.configuration() ? " configuration " : " records ") + entry.timestampMillis() + " "
                    + entry.baseOffset() + " " + entry.count() + " "
                    + entry.body().hashCode()));
        }
        assertThat(reader.failure()).isEmpty();
        log.close();
        return entries;
    }
}
