package io.duramen.broker.transaction;

import io.duramen.protocol.frame.BranchId;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * That a transaction concerns other shards, too, where its parts stand prepared under a name of the node's own. Immutable.
 *
 * @param inner that name: of one attempt, never given again
 * @param shards the others
 * @param settlesOnly whether its messages are repeats, by their dedup ids: it settles what it accepts, and no more
 */
public record Spread(BranchId inner, List<Participant> shards, boolean settlesOnly) {
    /** Format of the names that the node gives itself ("DRMN"), which managers may not use. */
    public static final int FORMAT = 0x44524D4E;

    public record Participant(int shard) {}

    public static Spread over(BranchId inner, List<Integer> shards) {
        return new Spread(inner, shards.stream().map(Participant::new).toList(), false);
    }

    /** The same, that settles and no more. */
    public Spread settlingOnly() {
        return new Spread(inner, shards, true);
    }

    public List<Integer> others() {
        return shards.stream().map(Participant::shard).toList();
    }

    /**
     * The name of an attempt.
     *
     * @param coordinator shard that decides
     * @param epoch of its leadership
     * @param number of the attempt in that
     */
    public static BranchId name(int coordinator, long epoch, long number) {
        ByteBuffer name = ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES);
        name.putInt(coordinator).putLong(epoch).putLong(number).flip();
        return new BranchId(FORMAT, name, ByteBuffer.allocate(0));
    }

    /** Whether it is such a name. */
    public static boolean isInner(BranchId id) {
        return id.formatId() == FORMAT;
    }

    /** Of the leadership in which the attempt was made. */
    public static long epoch(BranchId inner) {
        ByteBuffer name = inner.globalId();
        name.getInt();
        return name.getLong();
    }

    /** The shard that decides. */
    public static int coordinator(BranchId inner) {
        return inner.globalId().getInt();
    }
}
