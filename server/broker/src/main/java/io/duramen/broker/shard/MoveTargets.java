package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.subscription.Subscription;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues that messages are moved to by the broker. Each has a partition in this shard, so that a move is one append;
 * where there is none it is made. Until then, or where it cannot be, messages stay where they are. Confined to the agent.
 */
final class MoveTargets {
    private static final Logger LOG = LoggerFactory.getLogger(MoveTargets.class);

    private final ShardState state;
    private final DestinationDecisions destinations;
    private final Appender appender;
    private final Seldom seldom;

    /** Queues that are being made, and who waits for them. */
    private final Map<String, Set<Subscription>> coming = new HashMap<>();

    MoveTargets(ShardState state, DestinationDecisions destinations, Appender appender, Seldom seldom) {
        this.state = state;
        this.destinations = destinations;
        this.appender = appender;
        this.seldom = seldom;
    }

    /**
     * Adds the messages to the open entry.
     *
     * @param from tries again when the queue is there
     * @return false where they have to stay
     */
    boolean move(MovedRecords records, String name, Subscription from) {
        try {
            Optional<Partition> to = find(name, from);
            if (to.isEmpty()) {
                return false;
            }
            records.append(appender, to.get(), Durability.WRITTEN);
            seldom.over(name);
            return true;
        } catch (ProtocolException refusal) {
            long times = seldom.happened(name, 1);
            if (times > 0) {
                LOG.warn(
                        "Messages of '{}' cannot be moved to queue '{}', and wait where they are: {}",
                        from.destination().name(),
                        name,
                        refusal.getMessage());
            }
            return false;
        }
    }

    /** Empty while it is being made. */
    private Optional<Partition> find(String name, Subscription from) {
        if (coming.containsKey(name)) {
            coming.get(name).add(from);
            return Optional.empty();
        }
        Optional<Destination> found = state.catalogue.find(name);
        if (found.isPresent() && !found.get().kind().isQueue()) {
            throw new ProtocolException(ErrorCode.DESTINATION_KIND_MISMATCH, "it is a topic");
        }
        if (found.isPresent()
                && !found.get().isLeaving()
                && !found.get().partitions().isEmpty()) {
            return Optional.of(found.get().partitions().get(0));
        }
        coming.put(name, new LinkedHashSet<>(Set.of(from)));
        try {
            destinations.createQueue(name, () -> coming.remove(name).forEach(Subscription::tryToMove));
        } catch (ProtocolException refusal) {
            coming.remove(name);
            throw refusal;
        }
        return Optional.empty();
    }
}
