package io.duramen.node.cluster;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who leads which shard, as the nodes that do tell all others, whether these have a replica of it or not. From any thread. As bytes, big-endian:
 *
 * <pre>
 *   i32 count, and each: i32 shard  i64 epoch  i32 nodes that decide in it
 * </pre>
 */
final class KnownLeaders {
    private static final int ROW_LENGTH = 16;

    private final int shards;
    private final long patienceNanos;
    private final Map<Integer, Known> known = new ConcurrentHashMap<>();

    private record Known(String node, long epoch, int voters, long heardNanos) {}

    /** What a node leads. */
    record Led(int shard, long epoch, int voters) {}

    /** @param patienceNanos that who was heard last is taken to lead */
    KnownLeaders(int shards, long patienceNanos) {
        this.shards = shards;
        this.patienceNanos = patienceNanos;
    }

    /** Name of who leads a shard; empty where nobody has said so lately. */
    Optional<String> leader(int shard, long nowNanos) {
        return Optional.ofNullable(known.get(shard))
                .filter(one -> nowNanos - one.heardNanos < patienceNanos)
                .map(Known::node);
    }

    /** How many nodes decide in a shard's group, as its leader has said last; empty where none ever has. */
    OptionalInt voters(int shard) {
        Known last = known.get(shard);
        return last == null ? OptionalInt.empty() : OptionalInt.of(last.voters);
    }

    static byte[] encode(List<Led> all) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Integer.BYTES + all.size() * ROW_LENGTH).putInt(all.size());
        all.forEach(led -> bytes.putInt(led.shard).putLong(led.epoch).putInt(led.voters));
        return bytes.array();
    }

    /**
     * What a node has said.
     *
     * @throws IllegalArgumentException where that is not what {@link #encode} wrote, or there is no such shard: nothing is taken then
     */
    void heard(String node, ByteBuffer bytes, long nowNanos) {
        int count = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
        if (count < 0 || count > shards || bytes.remaining() != count * ROW_LENGTH) {
            throw new IllegalArgumentException("node " + node + " says that it leads " + count + " of " + shards
                    + " shards, in " + bytes.remaining() + " bytes");
        }
        ByteBuffer checked = bytes.duplicate();
        for (int i = 0; i < count; i++) {
            int shard = checked.getInt();
            checked.position(checked.position() + ROW_LENGTH - Integer.BYTES);
            if (shard < 0 || shard >= shards) {
                throw new IllegalArgumentException("node " + node + " says that it leads shard " + shard);
            }
        }
        for (int i = 0; i < count; i++) {
            int shard = bytes.getInt();
            Known next = new Known(node, bytes.getLong(), bytes.getInt(), nowNanos);
            known.merge(shard, next, (before, now) -> now.epoch < before.epoch ? before : now);
        }
    }
}
