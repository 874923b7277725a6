package io.duramen.log;

import static io.duramen.log.LogFixture.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Segments that are filled anew, over what they held before. */
class SpareSegmentsTest {
    private static final int BODY = 400;
    private static final int LENGTH = LogFixture.entryLength(BODY);
    private static final int IN_SEGMENT = (8192 - SegmentHeader.LENGTH) / LENGTH;

    @Test
    void shouldFillReleasedSegmentsAnewAndAllocateNone() throws IOException {
        Reusing log = new Reusing();
        long allocated = log.count("allocate");
        for (int i = 0; i < 20; i++) {
            log.appendSegment();
            log.releaseAll();
        }

        assertThat(log.count("allocate")).isEqualTo(allocated);
        assertThat(log.count("reuse")).isGreaterThan(15);
        log.requireAll();
        log.reopen(log.disk.copy());
        log.requireAll();
    }

    @Test
    void shouldKeepNoMoreThanAsked() throws IOException {
        for (int kept = 0; kept <= 3; kept++) {
            MemoryDisk disk = new MemoryDisk();
            LogFixture fixture = LogFixture.open(disk, SMALL.withSpareSegments(kept), 0);
            for (int i = 0; i < 8 * IN_SEGMENT; i++) {
                fixture.append(1, 1, BODY, true);
            }
            fixture.settle();
            fixture.log.release(fixture.log.lastIndex(), partition -> Long.MAX_VALUE);
            fixture.await(() -> disk.poll() == 0);
            assertThat(spares(disk)).as("of " + kept).isEqualTo(kept);
            MemoryDisk found = disk.copy();
            LogFixture fewer = LogFixture.open(found, SMALL.withSpareSegments(1), 8 * IN_SEGMENT);
            fewer.await(() -> found.poll() == 0);
            assertThat(spares(found)).isLessThanOrEqualTo(1);
        }
    }

    private static long spares(MemoryDisk disk) {
        return disk.files.keySet().stream()
                .filter(name -> name.endsWith(".spare"))
                .count();
    }

    /** The old entries stand just where the new ones are due: same lengths, same places, in the order of the log. */
    @Test
    void shouldEndBehindTheLastWholeEntryWhenCutAnywhereInFrontOfOldOnes() throws IOException {
        Reusing log = new Reusing();
        log.turnOver(3);
        MemoryDisk before = log.disk.copy();
        long entries = log.log().lastIndex();
        int from = SegmentHeader.LENGTH + log.inActive(before) * LENGTH;
        log.append();
        log.append();
        MemoryDisk after = log.disk.copy();
        String name = log.active(after);
        byte[] old = before.files.get(name);
        byte[] whole = after.files.get(name);
        for (int cut = from; cut <= from + 2 * LENGTH; cut++) {
            MemoryDisk torn = after.copy();
            byte[] content = Arrays.copyOf(whole, whole.length);
            System.arraycopy(old, cut, content, cut, from + 2 * LENGTH - cut);
            torn.files.put(name, content);
            log.requireEnd(torn, entries + (cut - from) / LENGTH, "cut " + cut);
        }
    }

    /** The first write into a file that is filled anew brings its header, too. */
    @Test
    void shouldLoseNothingWhenTheFirstWriteIntoAnOldFileIsTornAnywhere() throws IOException {
        Reusing log = new Reusing();
        log.turnOver(3);
        while (log.inActive(log.disk) < IN_SEGMENT) {
            log.append();
        }
        MemoryDisk before = log.disk.copy();
        long entries = log.log().lastIndex();
        log.append();
        MemoryDisk after = log.disk.copy();
        String name = log.active(after);
        byte[] old = before.files.get(name);
        byte[] whole = after.files.get(name);
        assertThat(old).as("what the prepared file held").isNotEqualTo(new byte[old.length]);
        int end = SegmentHeader.LENGTH + LENGTH;
        for (int cut = 0; cut <= end; cut++) {
            for (boolean front : new boolean[] {true, false}) {
                byte[] content = Arrays.copyOf(old, old.length);
                int at = front ? 0 : cut;
                int length = front ? cut : end - cut;
                System.arraycopy(whole, at, content, at, length);
                MemoryDisk torn = after.copy();
                torn.files.put(name, content);
                boolean all = length == end || Arrays.equals(content, whole);
                log.requireEnd(torn, entries + (all ? 1 : 0), (front ? "to " : "from ") + cut);
            }
        }
    }

    @Test
    void shouldRefuseWhenAHoleInAFileFilledAnewWasSyncedOnce() throws IOException {
        Reusing log = new Reusing();
        log.turnOver(3);
        while (log.inActive(log.disk) < 5) {
            log.append();
        }
        MemoryDisk disk = log.disk.copy();
        disk.files.get(log.active(disk))[SegmentHeader.LENGTH + LENGTH + 100] ^= 1;

        assertThatThrownBy(() -> LogFixture.open(disk, SMALL, log.applied()))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("was on disk when entry");
    }

    @Test
    void shouldRefuseWhenTheHeaderOfAFileFilledAnewIsThatOfASpareAgain() throws IOException {
        Reusing log = new Reusing();
        log.turnOver(3);
        log.appendSegment();
        while (log.inActive(log.disk) < 5) {
            log.append();
        }
        MemoryDisk disk = log.disk.copy();
        String name = log.active(disk);
        SpareHeader.toBytes(SegmentName.number(name)).get(disk.files.get(name), 0, SpareHeader.LENGTH);

        assertThatThrownBy(() -> LogFixture.open(disk, SMALL, log.applied()))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining(name);
    }

    @Test
    void shouldMakeTheIndexOfAFileFilledAnewAnewAndSeeWhereItsEndIsMissing() throws IOException {
        Reusing log = new Reusing();
        log.turnOver(3);
        while (log.inActive(log.disk) < IN_SEGMENT) {
            log.append();
        }
        String sealed = log.active(log.disk);
        log.append();
        MemoryDisk disk = log.disk.copy();
        disk.files.remove(sealed.replace(".log", ".index"));
        log.requireEnd(disk.copy(), log.log().lastIndex(), "no index");
        int last = SegmentHeader.LENGTH + (IN_SEGMENT - 1) * LENGTH;
        for (int at : new int[] {0, 5, 9, 20, 44, 100, LENGTH - 1}) {
            MemoryDisk damaged = disk.copy();
            damaged.files.get(sealed)[last + at] ^= 1;
            assertThatThrownBy(() -> LogFixture.open(damaged, SMALL, log.applied()))
                    .as("at " + at)
                    .isInstanceOf(DamagedLogException.class)
                    .hasMessageContaining("entry " + (log.log().lastIndex() - 1));
        }
    }

    /** Everything that a crash can leave of the steps by which a file becomes spare and is made ready. */
    @Test
    void shouldLoseNothingWhenKilledAtEachStep() throws IOException {
        for (int step = 1; step <= 60; step++) {
            Reusing log = new Reusing();
            log.turnOver(1);
            int limit = log.disk.operations.size() + step;
            log.disk.failing(operation -> log.disk.operations.size() > limit);
            Optional<IOException> failure = Optional.empty();
            for (int i = 0; i < 3 * IN_SEGMENT && failure.isEmpty(); i++) {
                log.append();
                log.releaseAll();
                failure = log.log().failure();
            }
            long durable = log.log().durableIndex();
            log.reopen(log.disk.copy());
            assertThat(log.log().lastIndex()).as("step " + step).isGreaterThanOrEqualTo(durable);
            log.requireAll();
        }
    }

    @Test
    void shouldTakeAFileThatWasMadeReadyAndNeverFilledUnderAnotherNumber() throws IOException {
        Reusing log = new Reusing();
        log.turnOver(3);
        MemoryDisk disk = log.disk.copy();
        String ready = disk.files.lowerKey(SegmentName.SECRET);
        assertThat(ready).endsWith(".log");
        assertThat(ready).isGreaterThan(log.active(disk));
        LogFixture again = LogFixture.open(disk, SMALL, log.applied());
        again.await(() -> disk.poll() == 0);

        assertThat(disk.files).doesNotContainKey(ready);
        assertThat(disk.operations).contains("rename " + ready);
    }

    /** A log on which segments are released as soon as they are sealed, so that new ones are old files. */
    private static final class Reusing {
        MemoryDisk disk = new MemoryDisk();
        private LogFixture fixture;
        private long released;

        Reusing() throws IOException {
            fixture = LogFixture.open(disk, SMALL, 0);
            for (int i = 0; i < 4; i++) {
                appendSegment();
            }
            releaseAll();
        }

        ShardLog log() {
            return fixture.log;
        }

        long applied() {
            return released;
        }

        void append() {
            fixture.append(1, 1, BODY, true);
            fixture.settle();
        }

        void appendSegment() {
            for (int i = 0; i < IN_SEGMENT; i++) {
                append();
            }
        }

        void releaseAll() {
            released = fixture.log.durableIndex();
            fixture.log.release(released, partition -> released);
            for (int quiet = 0; quiet < 3; quiet++) {
                quiet = fixture.poll() == 0 ? quiet : 0;
            }
        }

        /** All files in use have been used before, and the one being filled has some entries. */
        void turnOver(int entries) {
            for (int i = 0; i < 8; i++) {
                appendSegment();
                releaseAll();
            }
            while (inActive(disk) != entries) {
                append();
            }
            releaseAll();
        }

        long count(String operation) {
            return disk.operations.stream().filter(o -> o.startsWith(operation)).count();
        }

        String active(MemoryDisk of) {
            Map<String, byte[]> logs = new TreeMap<>(of.files);
            String active = null;
            for (Map.Entry<String, byte[]> file : logs.entrySet()) {
                if (file.getKey().endsWith(".log")
                        && SegmentHeader.read(java.nio.ByteBuffer.wrap(file.getValue()))
                                .isPresent()) {
                    active = file.getKey();
                }
            }
            return active;
        }

        int inActive(MemoryDisk of) {
            long base = SegmentHeader.read(java.nio.ByteBuffer.wrap(of.files.get(active(of))))
                    .orElseThrow()
                    .baseIndex();
            return (int) (fixture.log.lastIndex() - base + 1);
        }

        void reopen(MemoryDisk found) throws IOException {
            disk = found;
            fixture = LogFixture.open(found, SMALL, released);
            fixture.goOnAt(1, fixture.log.lastIndex());
        }

        void requireAll() {
            fixture.requirePartition(1, fixture.log.firstIndex() - 1, fixture.log.lastIndex(), 1000);
        }

        /** Recovers, goes on over the end, and recovers again. */
        void requireEnd(MemoryDisk found, long entries, String what) throws IOException {
            LogFixture opened = LogFixture.open(found, SMALL, Math.min(released, entries));
            assertThat(opened.log.lastIndex()).as(what).isEqualTo(entries);
            opened.goOnAt(1, entries);
            opened.requirePartition(1, opened.log.firstIndex() - 1, entries, 1000);
            for (int i = 0; i < 3; i++) {
                opened.append(1, 1, BODY, false);
            }
            opened.settle();
            LogFixture again = LogFixture.open(found.copy(), SMALL, Math.min(released, entries));
            assertThat(again.log.lastIndex()).as(what).isEqualTo(entries + 3);
            again.requirePartition(1, again.log.firstIndex() - 1, entries + 3, 1000);
        }
    }
}
