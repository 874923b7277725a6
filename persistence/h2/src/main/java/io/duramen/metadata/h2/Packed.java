package io.duramen.metadata.h2;

import io.duramen.metadata.ShardImage.CountRow;
import io.duramen.metadata.ShardImage.GapRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.PinRow;
import io.duramen.metadata.ShardImage.RunRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Short lists in one column, big-endian. Read only from rows whose check is right. */
final class Packed {
    private static final int PIN_LENGTH = 3 * Long.BYTES + Integer.BYTES;
    private static final int COUNT_LENGTH = 2 * Long.BYTES + Integer.BYTES + Byte.BYTES;

    private Packed() {}

    static byte[] ids(List<PartitionRow> partitions) {
        ByteBuffer out = ByteBuffer.allocate(Integer.BYTES * partitions.size());
        partitions.forEach(row -> out.putInt(row.partition()));
        return out.array();
    }

    static int[] ids(byte[] packed) {
        int[] ids = new int[packed.length / Integer.BYTES];
        ByteBuffer.wrap(packed).asIntBuffer().get(ids);
        return ids;
    }

    static byte[] counts(List<CountRow> counts) {
        ByteBuffer out = ByteBuffer.allocate(COUNT_LENGTH * counts.size());
        counts.forEach(row -> out.putLong(row.offset())
                .putInt(row.deliveries())
                .putLong(row.lastMillis())
                .put((byte) (row.refused() ? 1 : 0)));
        return out.array();
    }

    static List<CountRow> counts(byte[] packed) {
        List<CountRow> counts = new ArrayList<>(packed.length / COUNT_LENGTH);
        ByteBuffer in = ByteBuffer.wrap(packed);
        while (in.hasRemaining()) {
            counts.add(new CountRow(in.getLong(), in.getInt(), in.getLong(), in.get() != 0));
        }
        return List.copyOf(counts);
    }

    static byte[] gaps(List<GapRow> gaps) {
        ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES * gaps.size());
        gaps.forEach(row -> out.putLong(row.first()).putLong(row.last()));
        return out.array();
    }

    static List<GapRow> gaps(byte[] packed) {
        List<GapRow> gaps = new ArrayList<>(packed.length / (2 * Long.BYTES));
        ByteBuffer in = ByteBuffer.wrap(packed);
        while (in.hasRemaining()) {
            gaps.add(new GapRow(in.getLong(), in.getLong()));
        }
        return List.copyOf(gaps);
    }

    static byte[] runs(List<RunRow> runs) {
        ByteBuffer out = ByteBuffer.allocate((Long.BYTES + Integer.BYTES) * runs.size());
        runs.forEach(row -> out.putLong(row.first()).putInt(row.count()));
        return out.array();
    }

    static List<RunRow> runs(byte[] packed) {
        List<RunRow> runs = new ArrayList<>(packed.length / (Long.BYTES + Integer.BYTES));
        ByteBuffer in = ByteBuffer.wrap(packed);
        while (in.hasRemaining()) {
            runs.add(new RunRow(in.getLong(), in.getInt()));
        }
        return List.copyOf(runs);
    }

    static byte[] pins(List<PinRow> pins) {
        ByteBuffer out = ByteBuffer.allocate(PIN_LENGTH * pins.size());
        for (PinRow pin : pins) {
            out.putLong(pin.firstPart()).putInt(pin.partition());
            out.putLong(pin.firstOffset()).putLong(pin.lastOffset());
        }
        return out.array();
    }

    static List<PinRow> pins(int home, byte[] packed) {
        List<PinRow> pins = new ArrayList<>(packed.length / PIN_LENGTH);
        ByteBuffer in = ByteBuffer.wrap(packed);
        while (in.hasRemaining()) {
            pins.add(new PinRow(home, in.getLong(), in.getInt(), in.getLong(), in.getLong()));
        }
        return List.copyOf(pins);
    }

    static byte[] copyOf(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }
}
