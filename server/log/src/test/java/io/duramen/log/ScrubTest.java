package io.duramen.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.runtime.settings.Bytes;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Full segments are read through in the background, and what is not intact there is told. */
class ScrubTest {
    private static final int BODY = 400;
    private static final int LENGTH = LogFixture.entryLength(BODY);
    private static final int PER_SEGMENT = (8192 - SegmentHeader.LENGTH) / LENGTH;
    private static final int SEGMENTS = 4;
    private static final long INTERVAL = TimeUnit.MINUTES.toNanos(30);
    private static final LogConfig CONFIG = LogFixture.SMALL.withScrubInterval(Duration.ofNanos(INTERVAL));

    private final MemoryDisk disk = new MemoryDisk();
    private LogFixture fixture;

    private void filled(LogConfig config) throws IOException {
        fixture = LogFixture.open(disk, config, 0);
        append(SEGMENTS * PER_SEGMENT + 1);
        disk.operations.clear();
    }

    private void append(int entries) {
        for (int i = 0; i < entries; i++) {
            fixture.append(1, 1, BODY, true);
        }
        fixture.settle();
    }

    /** What is due at this time is done. */
    private void poll() {
        for (int idle = 0; idle < 2; ) {
            idle = fixture.poll() == 0 ? idle + 1 : 0;
        }
    }

    /** Time goes by until nothing is left of a round. */
    private void round() {
        fixture.clock.nanos += INTERVAL;
        poll();
        while (fixture.log.deadlineNanos() - fixture.clock.nanos < INTERVAL) {
            fixture.clock.nanos = Math.max(fixture.clock.nanos, fixture.log.deadlineNanos());
            poll();
        }
    }

    private long read(int segment) {
        return disk.operations.stream()
                .filter(("read " + SegmentName.log(segment))::equals)
                .count();
    }

    private void flip(int segment, int position) {
        disk.files.get(SegmentName.log(segment))[position] ^= 1;
    }

    private static int positionOf(int entryOfSegment) {
        return SegmentHeader.LENGTH + entryOfSegment * LENGTH;
    }

    @Test
    void shouldFindDamageAtOnceWhenAsked() throws IOException {
        filled(CONFIG.withScrubInterval(Duration.ZERO));
        assertThat(fixture.log.scrubAtOnce(() -> false)).isEmpty();
        flip(3, positionOf(2) + LENGTH / 2);
        assertThat(fixture.log.scrubAtOnce(() -> true)).as("given up").isEmpty();
        assertThat(fixture.log.scrubAtOnce(() -> false))
                .hasValueSatisfying(damage -> assertThat(damage.file()).isEqualTo(SegmentName.log(3)));
    }

    @Test
    void shouldReadEachFullSegmentOnceWhenTheIntervalIsOver() throws IOException {
        filled(CONFIG);
        fixture.clock.nanos += INTERVAL - 1;
        poll();
        assertThat(disk.operations).isEmpty();

        fixture.clock.nanos++;
        round();

        for (int segment = 1; segment <= SEGMENTS; segment++) {
            assertThat(read(segment)).as("segment %d", segment).isEqualTo(1);
        }
        assertThat(read(SEGMENTS + 1)).as("the one that is being filled").isZero();
        assertThat(fixture.log.damage()).isEmpty();
        assertThat(fixture.log.deadlineNanos()).isEqualTo(fixture.clock.nanos + INTERVAL);
    }

    @Test
    void shouldTellFileAndPositionOfAnyByteThatChangedAndGoOn() throws IOException {
        int[] inEntry = {0, 4, 8, 20, EntryHeader.LENGTH, LENGTH - 1};
        for (int at : inEntry) {
            disk.files.clear();
            filled(CONFIG);
            flip(2, positionOf(3) + at);

            round();

            assertThat(fixture.log.damage()).as("byte %d", at).hasValueSatisfying(damage -> {
                assertThat(damage.file()).isEqualTo(SegmentName.log(2));
                assertThat(damage.position()).isEqualTo(positionOf(3));
                assertThat(damage.fromIndex()).isEqualTo(PER_SEGMENT + 4);
            });
            assertThat(read(4)).isEqualTo(1);
            append(1);
            assertThat(fixture.log.failure()).isEmpty();
        }
    }

    @Test
    void shouldTellOfAHeaderThatChanged() throws IOException {
        filled(CONFIG);
        flip(3, 30);
        round();
        assertThat(fixture.log.damage()).hasValueSatisfying(damage -> {
            assertThat(damage.file()).isEqualTo(SegmentName.log(3));
            assertThat(damage.position()).isZero();
        });
    }

    @Test
    void shouldTellOfAFileThatCannotBeRead() throws IOException {
        filled(CONFIG);
        disk.failing(operation -> operation.equals("read " + SegmentName.log(2)));
        round();
        assertThat(fixture.log.damage())
                .map(Damage::what)
                .hasValue("it cannot be read: injected: read " + SegmentName.log(2));
    }

    @Test
    void shouldForgetDamageOnceTheFileIsIntactOrGone() throws IOException {
        filled(CONFIG);
        flip(2, positionOf(1) + 60);
        round();
        assertThat(fixture.log.damage()).isPresent();
        flip(2, positionOf(1) + 60);
        round();
        assertThat(fixture.log.damage()).isEmpty();

        flip(2, positionOf(1) + 60);
        round();
        assertThat(fixture.log.damage()).isPresent();
        fixture.log.release(2L * PER_SEGMENT, partition -> Long.MAX_VALUE);
        assertThat(fixture.log.damage()).isEmpty();
    }

    /** Goal: the disk is others' too, and an entry may be longer than what is read at a time. */
    @Test
    void shouldReadSmallSlicesAtABoundedPaceWhateverTheLengthOfAnEntry() throws IOException {
        fixture = LogFixture.open(disk, CONFIG, 0);
        fixture.append(1, 1, 3 * Scrub.SLICE_BYTES, true);
        append(1);
        int length = LogFixture.entryLength(3 * Scrub.SLICE_BYTES) + SegmentHeader.LENGTH;
        int number = numberOfFileOf(length);
        disk.operations.clear();
        disk.largestRead = 0;

        fixture.clock.nanos += INTERVAL;
        poll();
        assertThat(read(number)).isEqualTo(1);
        long pause = TimeUnit.SECONDS.toNanos(Scrub.SLICE_BYTES) / Scrub.BYTES_PER_SECOND;
        assertThat(fixture.log.deadlineNanos()).isEqualTo(fixture.clock.nanos + pause);
        fixture.clock.nanos += pause - 1;
        poll();
        assertThat(read(number)).isEqualTo(1);
        round();

        assertThat(read(number)).isEqualTo(length / Scrub.SLICE_BYTES + 1);
        assertThat(disk.largestRead).isEqualTo(Scrub.SLICE_BYTES);
        assertThat(fixture.log.damage()).isEmpty();
        flip(number, length - 1);
        round();
        assertThat(fixture.log.damage()).isPresent();
    }

    private int numberOfFileOf(int length) {
        return (int) disk.files.entrySet().stream()
                .filter(file -> file.getValue().length >= length)
                .mapToLong(file -> SegmentName.number(file.getKey()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldReadNothingWhenItIsOffUnlessAskedTo() throws IOException {
        filled(CONFIG.withScrubInterval(Duration.ZERO));
        assertThat(fixture.log.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        fixture.clock.nanos += 100 * INTERVAL;
        poll();
        assertThat(disk.operations).isEmpty();

        flip(1, positionOf(0) + 50);
        fixture.log.scrub();
        poll();
        assertThat(fixture.log.damage()).isPresent();
    }

    @Test
    void shouldTakeNothingForDamageWhenEntriesAreTakenBackMeanwhile() throws IOException {
        fixture = LogFixture.open(disk, CONFIG, 0);
        for (int i = 0; i < SEGMENTS * PER_SEGMENT + 1; i++) {
            fixture.append(1, 1, BODY, true);
        }
        while (!fixture.log.isIdle()) {
            disk.poll();
            fixture.log.poll();
        }
        fixture.clock.nanos += INTERVAL;
        disk.holding(operation -> operation.startsWith("read "));
        fixture.log.poll();
        fixture.log.truncateSuffix(2);
        disk.letGo();
        disk.holding(operation -> false);
        round();
        assertThat(fixture.log.damage()).isEmpty();
        append(3 * PER_SEGMENT);
        round();
        assertThat(fixture.log.damage()).isEmpty();
    }

    /** Goal: whoever meets damage first tells of it. */
    @Test
    void shouldTellOfDamageThatAReaderMeets() throws IOException {
        filled(CONFIG.withCacheSize(new Bytes(2048)));
        flip(1, positionOf(2) + LENGTH - 2);
        boolean[] ready = new boolean[1];
        fixture.log.read(1, 2, 100, () -> ready[0] = true);
        fixture.await(() -> ready[0]);
        assertThat(fixture.log.damage()).map(Damage::file).hasValue(SegmentName.log(1));
    }
}
