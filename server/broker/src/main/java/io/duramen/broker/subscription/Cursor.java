package io.duramen.broker.subscription;

import io.duramen.metadata.ShardImage.CountRow;
import io.duramen.runtime.Invariant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.roaringbitmap.RoaringBitmap;

/**
 * What a subscription has settled of one partition: everything below an offset, and the exact set beyond it, so that one
 * slow message never causes a replay of the others. Hard state; confined to the shard's agent.
 */
public final class Cursor {
    private static final long LOW_BITS = 0xFFFF_FFFFL;

    private long settledBelow;

    /** Bitmaps of the low 32 bits of offsets, by the high 32. Never holds an offset below settledBelow, nor it. */
    private final TreeMap<Integer, RoaringBitmap> settledBeyond = new TreeMap<>();

    /** Of unsettled messages that were delivered and given back. */
    private final TreeMap<Long, Count> deliveries = new TreeMap<>();

    /**
     * @param deliveries that were given back
     * @param lastMillis when the last of them was
     * @param refused whether that was for good
     */
    record Count(int deliveries, long lastMillis, boolean refused) {
        static final Count NONE = new Count(0, 0, false);
    }

    /** A cursor that has settled everything below an offset. */
    public Cursor(long settledBelow) {
        this.settledBelow = settledBelow;
    }

    public long settledBelow() {
        return settledBelow;
    }

    /** How many offsets beyond {@link #settledBelow} are settled. */
    public long settledBeyond() {
        long count = 0;
        for (RoaringBitmap bitmap : settledBeyond.values()) {
            count += bitmap.getLongCardinality();
        }
        return count;
    }

    /** How many offsets from one to before another are not settled. */
    public long unsettled(long first, long end) {
        long from = Math.max(first, settledBelow);
        if (from >= end) {
            return 0;
        }
        long count = end - from;
        if (settledBeyond.isEmpty()) {
            return count;
        }
        for (Map.Entry<Integer, RoaringBitmap> each :
                settledBeyond.subMap(high(from), true, high(end - 1), true).entrySet()) {
            long base = (long) each.getKey() << 32;
            long low = Math.max(from, base) - base;
            long high = Math.min(end - base, LOW_BITS + 1);
            count -= each.getValue().rangeCardinality(low, high);
        }
        return count;
    }

    public boolean isSettled(long offset) {
        if (offset < settledBelow) {
            return true;
        }
        if (settledBeyond.isEmpty()) {
            return false;
        }
        RoaringBitmap bitmap = settledBeyond.get(high(offset));
        return bitmap != null && bitmap.contains((int) offset);
    }

    /** The smallest unsettled offset at or beyond this one. */
    public long nextUnsettled(long offset) {
        long next = Math.max(offset, settledBelow);
        while (!settledBeyond.isEmpty()) {
            RoaringBitmap bitmap = settledBeyond.get(high(next));
            if (bitmap == null || !bitmap.contains((int) next)) {
                return next;
            }
            next = nextAbsent(bitmap, next);
        }
        return next;
    }

    /** Settles offsets, both ends included; those settled before stay so. */
    public void settle(long first, long last) {
        if (last < settledBelow) {
            return;
        }
        long from = Math.max(first, settledBelow);
        if (!deliveries.isEmpty()) {
            deliveries.subMap(from, true, last, true).clear();
        }
        if (from == settledBelow) {
            settledBelow = last + 1;
            absorb();
        } else {
            addBeyond(from, last);
        }
    }

    private void addBeyond(long first, long last) {
        for (long from = first; from <= last; from = (from | LOW_BITS) + 1) {
            long to = Math.min(last, from | LOW_BITS);
            settledBeyond
                    .computeIfAbsent(high(from), none -> new RoaringBitmap())
                    .add(from & LOW_BITS, (to & LOW_BITS) + 1);
        }
    }

    /** Drops what settledBelow has overtaken, and moves it on over what was settled just behind it. */
    private void absorb() {
        while (!settledBeyond.isEmpty()) {
            Map.Entry<Integer, RoaringBitmap> lowest = settledBeyond.firstEntry();
            RoaringBitmap bitmap = lowest.getValue();
            int high = high(settledBelow);
            if (lowest.getKey() < high) {
                settledBeyond.pollFirstEntry();
                continue;
            }
            if (lowest.getKey() > high) {
                return;
            }
            if (bitmap.contains((int) settledBelow)) {
                settledBelow = nextAbsent(bitmap, settledBelow);
            }
            if (high(settledBelow) == high) {
                bitmap.remove(0L, settledBelow & LOW_BITS);
                if (bitmap.isEmpty()) {
                    settledBeyond.pollFirstEntry();
                }
                return;
            }
        }
    }

    private static long nextAbsent(RoaringBitmap bitmap, long offset) {
        long low = bitmap.nextAbsentValue((int) offset);
        long base = offset & ~LOW_BITS;
        return base + (low < 0 ? LOW_BITS + 1 : low);
    }

    private static int high(long offset) {
        return (int) (offset >>> 32);
    }

    /** How often an unsettled message was delivered and given back. */
    public int deliveries(long offset) {
        return count(offset).deliveries;
    }

    Count count(long offset) {
        return deliveries.isEmpty() ? Count.NONE : deliveries.getOrDefault(offset, Count.NONE);
    }

    /**
     * Counts a delivery that was given back.
     *
     * @param refused whether for good
     */
    public void countDelivery(long offset, long atMillis, boolean refused) {
        if (!isSettled(offset)) {
            Count before = count(offset);
            deliveries.put(offset, new Count(before.deliveries + 1, atMillis, refused || before.refused));
        }
    }

    /** Takes all of them, by ascending offset. */
    void forEachCount(BiConsumer<Long, Count> action) {
        deliveries.forEach(action);
    }

    /** Sorted by offset. */
    public List<CountRow> deliveryRows() {
        return deliveries.entrySet().stream()
                .map(entry -> new CountRow(
                        entry.getKey(),
                        entry.getValue().deliveries,
                        entry.getValue().lastMillis,
                        entry.getValue().refused))
                .toList();
    }

    /** The portable serialized form of the set beyond: little-endian u64 count, then u32 high bits and a 32-bit bitmap each. */
    public ByteBuffer serializeBeyond() {
        if (settledBeyond.isEmpty()) {
            return ByteBuffer.allocate(0);
        }
        int size = Long.BYTES;
        for (RoaringBitmap bitmap : settledBeyond.values()) {
            bitmap.runOptimize();
            size += Integer.BYTES + bitmap.serializedSizeInBytes();
        }
        ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(settledBeyond.size());
        settledBeyond.forEach((high, bitmap) -> {
            out.putInt(high);
            bitmap.serialize(out);
        });
        return out.flip();
    }

    /** A cursor from what an image kept of it. */
    public static Cursor load(long settledBelow, ByteBuffer beyond, List<CountRow> deliveries) {
        Cursor cursor = new Cursor(settledBelow);
        deliveries.forEach(row ->
                cursor.deliveries.put(row.offset(), new Count(row.deliveries(), row.lastMillis(), row.refused())));
        if (!beyond.hasRemaining()) {
            return cursor;
        }
        ByteBuffer in = beyond.slice().order(ByteOrder.LITTLE_ENDIAN);
        long bitmaps = in.getLong();
        Invariant.hold(
                bitmaps >= 0 && bitmaps <= beyond.remaining(),
                "a cursor has %d bitmaps in %d bytes",
                bitmaps,
                beyond.remaining());
        for (long i = 0; i < bitmaps; i++) {
            int high = in.getInt();
            RoaringBitmap bitmap = new RoaringBitmap();
            try {
                bitmap.deserialize(in);
            } catch (IOException e) {
                throw new UncheckedIOException("the settled set of a cursor does not deserialize", e);
            }
            in.position(in.position() + bitmap.serializedSizeInBytes());
            cursor.settledBeyond.put(high, bitmap);
        }
        return cursor;
    }
}
