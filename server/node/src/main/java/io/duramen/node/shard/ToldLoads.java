package io.duramen.node.shard;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node tells the others of the shards that it leads: how much each does. Immutable. As bytes, big-endian:
 *
 * <pre>
 *   u16 count, and each: u16 shard, none twice  i64 load
 * </pre>
 *
 * @param loads by shard; see {@link LoadMeter}
 */
record ToldLoads(Map<Integer, Long> loads) {
    /** More than a node can do, and little enough that the sums of all shards are numbers. */
    static final long LOAD_MAX = 1L << 40;

    private static final int LOAD_LENGTH = Short.BYTES + Long.BYTES;

    ToldLoads {
        loads = Collections.unmodifiableMap(new TreeMap<>(loads));
    }

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(Short.BYTES + loads.size() * LOAD_LENGTH);
        bytes.putShort((short) loads.size());
        loads.forEach((shard, load) -> bytes.putShort(shard.shortValue()).putLong(load));
        return bytes.array();
    }

    /**
     * @param shards of the cluster
     * @throws IllegalArgumentException where that is not what {@link #encode} writes of some of them
     */
    static ToldLoads decode(ByteBuffer bytes, int shards) {
        if (bytes.remaining() < Short.BYTES) {
            throw new IllegalArgumentException("loads of " + bytes.remaining() + " bytes");
        }
        int count = Short.toUnsignedInt(bytes.getShort());
        if (count > shards || bytes.remaining() != count * LOAD_LENGTH) {
            throw new IllegalArgumentException(
                    "loads of " + count + " of " + shards + " shards in " + bytes.remaining() + " bytes");
        }
        Map<Integer, Long> loads = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int shard = Short.toUnsignedInt(bytes.getShort());
            long load = bytes.getLong();
            if (shard >= shards || load < 0 || load > LOAD_MAX || loads.put(shard, load) != null) {
                throw new IllegalArgumentException("shard " + shard + " of " + shards + " has a load of " + load
                        + ", or it is said twice what it has");
            }
        }
        return new ToldLoads(loads);
    }
}
