package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.subscription.Subscription;
import io.duramen.protocol.record.MessageRecord;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Moves expired messages to the queue that the settings name, or those of their destination, in the log entry that settles them. They neither expire nor
 * wait there, and say in properties where they come from and when they expired. Confined to the agent.
 */
final class ExpiredMoves {
    /** Property: when it expired, in milliseconds since 1970. */
    static final String EXPIRED_AT = "JMS_Duramen_ExpiredAt";

    private final String usual;
    private final MoveTargets targets;
    private long moved;

    /** @param usual queue of destinations that name no other; empty where expired messages are dropped */
    ExpiredMoves(String usual, MoveTargets targets) {
        this.usual = usual;
        this.targets = targets;
    }

    /**
     * Adds the messages to the open entry, unless they are dropped.
     *
     * @return false where they have to stay until they can be moved
     */
    boolean move(Subscription from, List<ByteBuffer> expired) {
        Destination origin = from.destination();
        String name = origin.settings().expiryQueue(usual);
        if (name.isEmpty()
                || !from.isDurable()
                || origin.name().equals(name)
                || origin.kind().isTemporary()) {
            return true;
        }
        MovedRecords records = new MovedRecords();
        for (ByteBuffer record : expired) {
            records.add(new AddedProperties()
                    .text(AddedProperties.ORIGIN, origin.name())
                    .number(EXPIRED_AT, record.getLong(MessageRecord.EXPIRATION_AT))
                    .moved(record));
        }
        boolean done = targets.move(records, name, from);
        moved += done ? expired.size() : 0;
        return done;
    }

    /** Messages moved since the start. */
    long moved() {
        return moved;
    }
}
