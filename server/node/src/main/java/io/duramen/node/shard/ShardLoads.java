package io.duramen.node.shard;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much each shard of the cluster does, as this node knows it: what was said last by whoever leads it, this node or another. What was not said
 * again for some election timeouts is forgotten. From any thread.
 */
public final class ShardLoads {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLoads.class);

    /** What was not heard for so many election timeouts is not known. */
    static final int KNOWN_TIMEOUTS = 10;

    /** Tells another node; it may not arrive. Does not wait. */
    public interface Way {
        void tell(String node, byte[] content);
    }

    private record Said(long load, long atNanos) {}

    private final AtomicReferenceArray<Said> said;
    private final long knownNanos;
    private final Way way;

    /** @param way to the other nodes, which {@link #told} hears */
    public ShardLoads(int shards, Duration electionTimeout, Way way) {
        this.said = new AtomicReferenceArray<>(shards);
        this.knownNanos = KNOWN_TIMEOUTS * electionTimeout.toNanos();
        this.way = way;
    }

    /** What another node tells; does not wait. */
    public void told(String node, byte[] content, long nowNanos) {
        try {
            say(ToldLoads.decode(ByteBuffer.wrap(content), said.length()).loads(), nowNanos);
        } catch (IllegalArgumentException e) {
            LOG.error("Node {} tells what this one does not understand: {}", node, e.getMessage());
        }
    }

    /** Tells other nodes what the shards do that this one leads. */
    void tell(Map<Integer, Long> loads, Collection<String> nodes) {
        byte[] content = new ToldLoads(loads).encode();
        nodes.forEach(node -> way.tell(node, content));
    }

    /** So much is done by shards, says who leads them. */
    void say(Map<Integer, Long> loads, long nowNanos) {
        loads.forEach((shard, load) -> said.set(shard, new Said(load, nowNanos)));
    }

    /** Empty where it is not known. */
    OptionalLong of(int shard, long nowNanos) {
        Said last = said.get(shard);
        return last == null || nowNanos - last.atNanos >= knownNanos
                ? OptionalLong.empty()
                : OptionalLong.of(last.load);
    }

    /** Of all shards, by number. */
    List<OptionalLong> all(long nowNanos) {
        return IntStream.range(0, said.length())
                .mapToObj(shard -> of(shard, nowNanos))
                .toList();
    }
}
