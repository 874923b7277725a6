package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.subscription.Expired;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves expired messages to the destination that the settings name, in the log entry that settles them. They neither
 * expire nor wait there, and say in properties where they come from and when they expired. Confined to the agent.
 */
final class ExpiredMoves {
    /** Property: name of the destination on which the message expired. */
    static final String ORIGIN = "JMS_Duramen_Origin";

    /** Property: when it expired, in milliseconds since 1970. */
    static final String EXPIRED_AT = "JMS_Duramen_ExpiredAt";

    private static final Logger LOG = LoggerFactory.getLogger(ExpiredMoves.class);

    private final String name;
    private final ShardState state;
    private final Appender appender;
    private boolean creating;

    /** @param name of the destination; empty where expired messages are dropped */
    ExpiredMoves(String name, ShardState state, Appender appender) {
        this.name = name;
        this.state = state;
        this.appender = appender;
    }

    /** Starts a leadership: makes the destination where it is absent. */
    void lead(DestinationDecisions destinations) {
        if (name.isEmpty() || find().isPresent()) {
            return;
        }
        creating = true;
        try {
            destinations.createQueue(name, () -> creating = false);
        } catch (ProtocolException refusal) {
            creating = false;
            LOG.warn("Queue '{}' for expired messages cannot be made: {}", name, refusal.getMessage());
        }
    }

    /** Whether the destination is about to be there, so that nothing should expire before. */
    boolean isComing() {
        return creating;
    }

    private Optional<Destination> find() {
        return state.catalogue
                .find(name)
                .filter(destination ->
                        !destination.isLeaving() && !destination.partitions().isEmpty());
    }

    /** Adds the messages to the open entry, unless they are there already or there is no room for them. */
    void move(Destination origin, Expired expired) {
        if (name.isEmpty() || origin.name().equals(name) || origin.kind().isTemporary()) {
            return;
        }
        Optional<Destination> to = find();
        if (to.isEmpty()) {
            LOG.warn("Expired messages of '{}' are dropped: there is no '{}' any more", origin.name(), name);
            return;
        }
        List<ByteBuffer> records = new ArrayList<>();
        int length = RecordBatch.HEADER_LENGTH;
        for (ByteBuffer record : expired.records()) {
            ByteBuffer moved = moved(record, origin.name());
            records.add(moved);
            length += moved.remaining();
        }
        try {
            appender.requireRoomFor(length);
        } catch (ProtocolException full) {
            LOG.warn("{} expired messages of '{}' are dropped: {}", records.size(), origin.name(), full.getMessage());
            return;
        }
        append(to.get().partitions().get(0), records, length);
    }

    private void append(Partition partition, List<ByteBuffer> records, int length) {
        ByteBuffer batch = ByteBuffer.allocate(length).position(RecordBatch.HEADER_LENGTH);
        boolean persistent = false;
        for (ByteBuffer record : records) {
            persistent |= (record.get(MessageRecord.FLAGS_AT) & MessageRecord.FLAG_PERSISTENT) != 0;
            batch.put(record);
        }
        batch.flip();
        RecordBatch.seal(batch, persistent, 0, 0, -1, records.size());
        appender.addMessages(
                partition.id(), partition.assign(records.size()), records.size(), batch, Durability.WRITTEN);
    }

    private static ByteBuffer moved(ByteBuffer record, String origin) {
        return new AddedProperties()
                .text(ORIGIN, origin)
                .number(EXPIRED_AT, record.getLong(MessageRecord.EXPIRATION_AT))
                .moved(record);
    }
}
