package io.duramen.node.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who leads which shard, as the nodes that do tell all others, whether these have a replica of it or not. From any thread. As bytes, big-endian:
 *
 * <pre>
 *   i32 count, and each: i32 shard  i64 epoch  i32 length, and so many bytes: names of the nodes that decide in it, commas between
 * </pre>
 */
final class KnownLeaders {
    private static final String BETWEEN = ",";

    private final int shards;
    private final long patienceNanos;
    private final Map<Integer, Known> known = new ConcurrentHashMap<>();

    private record Known(String node, long heardNanos, Led led) {}

    /**
     * What a node leads.
     *
     * @param voters names of the nodes that decide in it
     */
    record Led(int shard, long epoch, List<String> voters) {}

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

    /** Names of the nodes that decide in a shard's group, as its leader has said last; empty where none ever has. */
    List<String> voters(int shard) {
        Known last = known.get(shard);
        return last == null ? List.of() : last.led.voters;
    }

    static byte[] encode(List<Led> all) {
        List<byte[]> voters = all.stream()
                .map(led -> String.join(BETWEEN, led.voters).getBytes(StandardCharsets.UTF_8))
                .toList();
        int length = Integer.BYTES + all.size() * (2 * Integer.BYTES + Long.BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(
                length + voters.stream().mapToInt(names -> names.length).sum());
        bytes.putInt(all.size());
        for (int i = 0; i < all.size(); i++) {
            bytes.putInt(all.get(i).shard).putLong(all.get(i).epoch);
            bytes.putInt(voters.get(i).length).put(voters.get(i));
        }
        return bytes.array();
    }

    /**
     * What a node has said.
     *
     * @throws IllegalArgumentException where that is not what {@link #encode} wrote, or there is no such shard: nothing is taken then
     * @throws java.nio.BufferUnderflowException where it ends early
     */
    void heard(String node, ByteBuffer bytes, long nowNanos) {
        int count = bytes.getInt();
        List<Led> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Led(shard(node, bytes.getInt()), bytes.getLong(), voters(node, bytes)));
        }
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException(
                    "node " + node + " says what it leads, and " + bytes.remaining() + " bytes behind that");
        }
        for (Led led : all) {
            known.merge(
                    led.shard,
                    new Known(node, nowNanos, led),
                    (before, now) -> now.led.epoch < before.led.epoch ? before : now);
        }
    }

    private int shard(String node, int shard) {
        if (shard < 0 || shard >= shards) {
            throw new IllegalArgumentException("node " + node + " says that it leads shard " + shard);
        }
        return shard;
    }

    private static List<String> voters(String node, ByteBuffer bytes) {
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new IllegalArgumentException(
                    "node " + node + " says names of " + length + " bytes, with " + bytes.remaining() + " left");
        }
        byte[] names = new byte[length];
        bytes.get(names);
        return List.of(new String(names, StandardCharsets.UTF_8).split(BETWEEN));
    }
}
