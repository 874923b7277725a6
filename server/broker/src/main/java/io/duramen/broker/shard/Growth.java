package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Placement;
import io.duramen.broker.shard.ControlRecord.PartitionsAdded;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives destinations further partitions: where {@code broker.partitions-of} asks for more than they have, when the shard with
 * the catalogue begins to lead, before any client is let in; and where an operator asks, at any time. Never fewer. Confined
 * to the agent.
 *
 * <p>They stand in shards that carry the destination already: who consumes it is attached to each of these.
 */
final class Growth {
    private static final Logger LOG = LoggerFactory.getLogger(Growth.class);

    private final Placement placement;
    private final Definitions definitions;
    private final Predicate<String> everywhere;
    private final ShardState state;
    private final Appender appender;
    private final Changes changes;

    /** Destinations that have further partitions in the log, and not yet in every shard that gets some. */
    private int growing;

    /** Partitions that are on their way, by shard. */
    private final int[] coming;

    Growth(
            DestinationDecisions.Places places,
            Predicate<String> everywhere,
            ShardState state,
            Appender appender,
            Changes changes) {
        this.placement = places.placement();
        this.definitions = places.definitions();
        this.everywhere = everywhere;
        this.state = state;
        this.appender = appender;
        this.changes = changes;
        this.coming = new int[places.here().shards()];
    }

    /**
     * Begins with all that is to grow. What has more than settings ask for keeps it: partitions are never taken away.
     *
     * @param rows makes partitions in shards
     */
    void begin(Function<List<Integer>, List<PartitionRow>> rows) {
        List<Destination> smaller = new ArrayList<>();
        for (Destination destination : state.catalogue.destinations()) {
            int there = destination.places().size();
            int wanted =
                    mayGrow(destination) ? placement.asked(destination.name()).orElse(there) : there;
            if (wanted > there) {
                smaller.add(destination);
            } else if (wanted < there) {
                LOG.warn(
                        "'{}' keeps its {} partitions, where broker.partitions-of asks for {}: none is ever taken away",
                        destination.name(),
                        there,
                        wanted);
            }
        }
        for (Destination destination : smaller) {
            int wanted = placement.asked(destination.name()).orElseThrow();
            try {
                grow(destination, wanted, rows, Appender.NOBODY);
            } catch (ProtocolException refusal) {
                LOG.error(
                        "'{}' stays with {} partitions until the next start, where broker.partitions-of asks for {}: {}",
                        destination.name(),
                        destination.places().size(),
                        wanted,
                        refusal.getMessage());
            }
        }
    }

    private boolean mayGrow(Destination destination) {
        return !destination.kind().isTemporary()
                && !everywhere.test(destination.name())
                && !placement.isDedicated(destination.name());
    }

    /**
     * Begins to give a destination further partitions, whether it is in use or not; no change of it is on its way.
     *
     * @param wanted how many it has then
     * @param after told once every shard that gets some has them; at once where it has so many already
     * @throws ProtocolException where it cannot have so many, or the disk has no room
     */
    void grow(
            Destination destination,
            int wanted,
            Function<List<Integer>, List<PartitionRow>> rows,
            Appender.Waiter after) {
        String name = destination.name();
        int there = destination.places().size();
        require(destination, wanted);
        if (wanted == there) {
            after.reached();
            return;
        }
        appender.requireRoomFor(0);
        Set<Integer> shards = new TreeSet<>();
        destination.places().stream().map(PartitionRef::shard).forEach(shards::add);
        List<PartitionRow> added = rows.apply(Placement.among(shards, wanted - there, load()));
        appender.addControl(new PartitionsAdded(name, added), Durability.SYNCED);
        count(added, 1);
        changes.begin(DestinationDecisions.key(name), definitions.added(name, added), new Appender.Waiter() {
            @Override
            public void reached() {
                count(added, -1);
                LOG.info("'{}' has {} partitions, after {}", name, wanted, there);
                after.reached();
            }

            @Override
            public void failed(ProtocolException reason) {
                count(added, -1); // a shard is stopped, and says so to everyone
                after.failed(reason);
            }
        });
    }

    private int[] load() {
        int[] load = state.catalogue.load();
        for (int shard = 0; shard < load.length; shard++) {
            load[shard] += coming[shard];
        }
        return load;
    }

    private void count(List<PartitionRow> added, int change) {
        growing += change;
        added.forEach(partition -> coming[partition.home()] += change);
    }

    private void require(Destination destination, int wanted) {
        int there = destination.places().size();
        String refusal = "";
        if (wanted < 1 || wanted > Placement.PARTITIONS_MAX) {
            refusal = "a destination has 1 to " + Placement.PARTITIONS_MAX + " partitions";
        } else if (wanted < there) {
            refusal = "it has " + there + ", and none is ever taken away";
        } else if (wanted > there && !mayGrow(destination)) {
            refusal = "the number is fixed for temporary destinations, those of broker.dedicated, and queues that the"
                    + " broker itself moves messages to";
        }
        if (!refusal.isEmpty()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "'" + destination.name() + "' cannot have " + wanted + " partitions: " + refusal);
        }
    }

    /** Whether nothing is growing. */
    boolean isClear() {
        return growing == 0;
    }
}
