package io.duramen.broker.dedup;

import io.duramen.metadata.DedupBlock;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.protocol.record.DedupKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The dedup keys that were stored in a partition lately, in their order; some 30 bytes each. Hard state, changed by replay
 * alone and by nothing but log time; confined to the shard's agent.
 *
 * <p>Keys are numbered from 0 as they are stored, and stand in blocks of {@link DedupBlock#IDS}. A full block never changes
 * again: it is kept in a file of its own, and its bytes are shared with who writes that. What is expired goes from the
 * front, a few keys whenever others come, so that no step is long.
 */
final class DedupWindow {
    private static final int ID_LENGTH = DedupBlock.ID_LENGTH;
    private static final int SMALLEST_IDS = 16;

    /** Keys whose places are brought nearer at once. */
    private static final int TOUCHED = 64;

    /** Places in the index are numbers modulo this, plus 1. */
    private static final int PLACES = Integer.MAX_VALUE - 1;

    private final int partition;
    private DedupIds.Limits limits;
    private final KeyHash hash;
    private final List<ByteBuffer> blocks = new ArrayList<>();
    private KeyIndex index;

    /** Number of the oldest that is still there. */
    private long first;

    /** It modulo {@link #PLACES}. */
    private int firstPlace;

    /** Number that the next gets. */
    private long end;

    private long leftOut;

    /**
     * As far as was looked, none is over by its age before this second of log time, which never goes back, is past: the
     * oldest are in no cache any more, and need not be looked at whenever a key comes.
     */
    private long youngUntilSeconds = -1;

    /** Number of the first full block that is not known to be in a file. */
    private long keptBlocks;

    DedupWindow(int partition, DedupIds.Limits limits, KeyHash hash) {
        this.partition = partition;
        this.limits = limits;
        this.hash = hash;
        this.index = new KeyIndex(this);
    }

    /** Has other bounds from now on. */
    void limit(DedupIds.Limits to) {
        limits = to;
        youngUntilSeconds = -1;
    }

    int idsMax() {
        return limits.idsMax();
    }

    int partition() {
        return partition;
    }

    long size() {
        return end - first;
    }

    private long firstBlock() {
        return first / DedupBlock.IDS;
    }

    private ByteBuffer block(long id) {
        return blocks.get((int) (id / DedupBlock.IDS - firstBlock()));
    }

    private static int at(long id) {
        return (int) (id % DedupBlock.IDS) * ID_LENGTH;
    }

    private static int place(long id) {
        return (int) (id % PLACES) + 1;
    }

    /** Behind the last where it is none any more. */
    private long id(int place) {
        return first + ahead(place, firstPlace);
    }

    /** How far a place is ahead of the first: less than {@link #size} where it is there. */
    static int ahead(int place, int firstPlace) {
        int ahead = place - 1 - firstPlace;
        return ahead < 0 ? ahead + PLACES : ahead;
    }

    int firstPlace() {
        return firstPlace;
    }

    /** Whether that is a place of one that is there. */
    boolean isThere(int place) {
        return id(place) < end;
    }

    boolean isAt(int place, HashedKey key) {
        long id = id(place);
        if (id >= end) {
            return false;
        }
        ByteBuffer block = block(id);
        int at = at(id);
        return block.getLong(at + Long.BYTES) == key.low() && block.getLong(at) == key.high();
    }

    /** Of one that is there. */
    long hashAt(int place) {
        return hashOf(id(place));
    }

    private long hashOf(long id) {
        ByteBuffer block = block(id);
        int at = at(id);
        return hash.of(block.getLong(at), block.getLong(at + Long.BYTES));
    }

    private long seconds(long id) {
        return block(id).getInt(at(id) + DedupKey.LENGTH) & 0xFFFF_FFFFL;
    }

    private boolean isOver(long id, long nowMillis) {
        return nowMillis / 1000 - seconds(id) > limits.windowSeconds() || end - id > limits.idsMax();
    }

    /** The first keys of these hashes are about to be looked for. */
    void touchToFind(long[] hashes, int count) {
        index.touchToFind(hashes, count);
    }

    /** Keys of these hashes are about to be added. */
    void touchToAdd(long[] hashes, int from, int to) {
        index.touchToAdd(hashes, from, to);
    }

    /** @return when a message with the key was stored, in milliseconds, to the second; -1 where the window has none */
    long storedMillis(HashedKey key, long nowMillis) {
        int place = index.find(key);
        if (place == 0) {
            return -1;
        }
        long id = id(place);
        return isOver(id, nowMillis) ? -1 : seconds(id) * 1000;
    }

    /** Replays that a message with the key was stored. */
    void add(HashedKey key, long millis) {
        if (end % DedupBlock.IDS == 0) {
            blocks.add(ByteBuffer.allocate(SMALLEST_IDS * ID_LENGTH));
        }
        int last = blocks.size() - 1;
        int at = at(end);
        if (at == blocks.get(last).capacity()) {
            int longer = Math.min(2 * at, DedupBlock.IDS * ID_LENGTH);
            blocks.set(last, ByteBuffer.allocate(longer).put(blocks.get(last).clear()));
        }
        blocks.get(last)
                .putLong(at, key.high())
                .putLong(at + Long.BYTES, key.low())
                .putInt(at + DedupKey.LENGTH, (int) (millis / 1000));
        long id = end++;
        index.put(key, place(id));
    }

    private void first(long id) {
        first = id;
        firstPlace = (int) (id % PLACES);
    }

    /**
     * Forgets the oldest while they are over, or too many.
     *
     * @param most how many at most
     * @param excess so many go even though they are not over
     * @return how many were forgotten
     */
    int forget(long nowMillis, int most, long excess) {
        if (first < end && isOldestTooOld(nowMillis) && isOver(end - 1, nowMillis)) {
            return forgetAll();
        }
        int forgotten = 0;
        while (forgotten < most && (forgotten < excess && first < end || isOldestOver(nowMillis))) {
            first(first + 1);
            forgotten++;
            if (first % DedupBlock.IDS == 0) {
                blocks.remove(0);
            }
        }
        return forgotten;
    }

    private int forgetAll() {
        int forgotten = (int) Math.min(size(), Integer.MAX_VALUE);
        first(end);
        ByteBuffer tail = end % DedupBlock.IDS == 0 ? null : blocks.get(blocks.size() - 1);
        blocks.clear();
        if (tail != null) {
            blocks.add(tail);
        }
        index = new KeyIndex(this);
        return forgotten;
    }

    boolean isOldestOver(long nowMillis) {
        return first < end && (size() > limits.idsMax() || isOldestTooOld(nowMillis));
    }

    /** Where there is one. */
    private boolean isOldestTooOld(long nowMillis) {
        long now = nowMillis / 1000;
        if (now <= youngUntilSeconds) {
            return false;
        }
        youngUntilSeconds = seconds(first) + limits.windowSeconds();
        return now > youngUntilSeconds;
    }

    /** Replays that messages were left out because their keys are here. */
    void leftOut(int messages) {
        leftOut += messages;
    }

    long leftOut() {
        return leftOut;
    }

    DedupRow toRow() {
        int length = at(end);
        ByteBuffer tail = ByteBuffer.allocate(length);
        if (length > 0) {
            tail.put(blocks.get(blocks.size() - 1).slice(0, length)).flip();
        }
        return new DedupRow(partition, first, end, leftOut, tail);
    }

    /** Adds the full blocks that are not known to be in files. */
    void unkept(List<DedupBlock> to) {
        for (long number = Math.max(keptBlocks, firstBlock()); number < end / DedupBlock.IDS; number++) {
            to.add(new DedupBlock(partition, number, block(number * DedupBlock.IDS)));
        }
    }

    /** The block is in a file, and so are those before it. */
    void kept(long block) {
        keptBlocks = Math.max(keptBlocks, block + 1);
    }

    /** Loads what {@link #toRow} gave into a new window. */
    void load(DedupRow row, DedupBlock.Reader blocksOf) {
        first(row.first());
        end = row.first();
        leftOut = row.leftOut();
        keptBlocks = row.end() / DedupBlock.IDS;
        for (long number = firstBlock(); number < keptBlocks; number++) {
            blocks.add(blocksOf.read(partition, number));
        }
        ByteBuffer rest = row.tail();
        if (rest.hasRemaining()) {
            blocks.add(ByteBuffer.allocate(rest.remaining()).put(rest));
        }
        index = KeyIndex.of(this, row.end() - row.first());
        long[] hashes = new long[TOUCHED];
        while (end < row.end()) {
            int count = (int) Math.min(TOUCHED, row.end() - end);
            for (int i = 0; i < count; i++) {
                hashes[i] = hashOf(end + i);
            }
            index.touchToAdd(hashes, 0, count);
            for (int i = 0; i < count; i++) {
                ByteBuffer block = block(end);
                int at = at(end);
                HashedKey key = new HashedKey(block.getLong(at), block.getLong(at + Long.BYTES), hashes[i]);
                index.put(key, place(end++));
            }
        }
    }
}
