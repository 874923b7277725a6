package io.duramen.broker.dedup;

import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import java.nio.ByteBuffer;

/**
 * The dedup keys of a checked batch with their hashes, some hundred at a time. Confined to the shard's agent.
 *
 * <p>It keeps the last: a batch that is looked through again has its keys here, and a key is known by its numbers, so that
 * it does not matter whether it is the same batch.
 */
final class BatchKeys {
    /** Keys that are brought nearer at once. */
    static final int MAX = 512;

    private final KeyHash hash;
    private final long[] highs = new long[MAX];
    private final long[] lows = new long[MAX];
    private final long[] hashes = new long[MAX];

    /** Of which there is a hash. */
    private int hashed;

    /** Which message of the batch has each. */
    private final int[] indexes = new int[MAX];

    /** Of those that were read. */
    private int count;

    private ByteBuffer batch;
    private int position;
    private int index;

    BatchKeys(KeyHash hash) {
        this.hash = hash;
    }

    /** Begins with a batch. */
    void begin(ByteBuffer from) {
        boolean without = (RecordBatch.traits(from) & RecordBatch.ATTRIBUTE_DEDUP) == 0;
        batch = from;
        index = without ? RecordBatch.count(from) : 0;
        position = from.position() + RecordBatch.HEADER_LENGTH;
    }

    /** Reads the next keys. @return how many; 0 at the end of the batch */
    int read() {
        int messages = RecordBatch.count(batch);
        count = 0;
        while (index < messages && count < MAX) {
            if (DedupKey.isIn(batch, position)) {
                put(DedupKey.highAt(batch, position), DedupKey.lowAt(batch, position));
            }
            position += batch.getInt(position + MessageRecord.LENGTH_AT) + Integer.BYTES;
            index++;
        }
        if (count == 0) {
            batch = null;
        }
        return count;
    }

    private void put(long high, long low) {
        int at = count++;
        if (at >= hashed || highs[at] != high || lows[at] != low) {
            highs[at] = high;
            lows[at] = low;
            hashes[at] = hash.of(high, low);
            hashed = Math.max(hashed, count);
        }
        indexes[at] = index;
    }

    HashedKey key(int at) {
        return new HashedKey(highs[at], lows[at], hashes[at]);
    }

    /** Of those that were read, and others behind them. */
    long[] hashes() {
        return hashes;
    }

    /** Copies those that were read behind others. */
    void copyTo(KeyList list) {
        list.add(highs, lows, hashes, count);
    }

    int index(int at) {
        return indexes[at];
    }
}
