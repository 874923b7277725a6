package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.body.OpenBody;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.BodyDropped;
import io.duramen.broker.transaction.HalfMessage;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.DropBody;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.StorePart;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.BodyPart;
import io.duramen.protocol.record.LargeBody;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides on large bodies until a message names them: their parts, and what becomes of one whose producer is gone.
 * Confined to the agent.
 */
final class BodyDecisions {
    private final ShardState state;
    private final Appender appender;
    private final Clock clock;
    private final long lengthMax;
    private final int bodiesMax;
    private final long graceNanos;

    /** Who stored the last part of a body. */
    private final Map<BodyName, ConnectionState> owners = new HashMap<>();

    /** Bodies whose owner is gone, and when they are dropped, on {@link Clock#nanos}. */
    private final LinkedHashMap<BodyName, Long> orphans = new LinkedHashMap<>();

    /** Bodies that a prepared branch or a half message names. */
    private final Set<BodyName> kept = new HashSet<>();

    BodyDecisions(ShardState state, Appender appender, Clock clock, BrokerConfig config) {
        this.state = state;
        this.appender = appender;
        this.clock = clock;
        this.lengthMax = config.largeBodyMax().count();
        this.bodiesMax = config.largeSendsMax();
        this.graceNanos = config.largeSendGrace().toNanos();
    }

    /** Starts a leadership: those on their way wait for their producers. */
    void lead() {
        for (PreparedBranch branch : state.branches.all()) {
            for (PartitionBatch batch : branch.batches()) {
                forEach(batch.batch(), (body, index) -> kept.add(body.name()));
            }
        }
        for (HalfMessage half : state.halves.all()) {
            for (PartitionBatch batch : half.batches()) {
                forEach(batch.batch(), (body, index) -> kept.add(body.name()));
            }
        }
        for (OpenBody body : state.openBodies.all()) {
            if (!kept.contains(body.name())) {
                orphan(body.name());
            }
        }
    }

    /** A prepared branch names them: they wait for it, not for their producers. */
    void keep(List<OpenBody> named) {
        for (OpenBody body : named) {
            if (body.isOver()) {
                continue; // dropped, since its message was a repeat
            }
            kept.add(body.name());
            owners.remove(body.name());
            orphans.remove(body.name());
        }
    }

    /** Some messages of a batch, by their place in it, will not be stored: what they name is dropped. */
    void dropOf(ByteBuffer batch, BitSet messages) {
        forEach(batch, (body, index) -> {
            if (messages.get(index)) {
                kept.remove(body.name());
                drop(body.name());
            }
        });
    }

    /** The branch is rolled back whose batch names them. */
    void dropKept(ByteBuffer batch) {
        forEach(batch, (body, index) -> {
            kept.remove(body.name());
            drop(body.name());
        });
    }

    /**
     * The branch never was whose batch names them: they wait for their producer as before.
     *
     * @param owner null where it is not known
     */
    void giveUp(ByteBuffer batch, ConnectionState owner) {
        forEach(batch, (body, index) -> {
            if (kept.remove(body.name()) && state.openBodies.find(body.name()) != null) {
                if (owner != null && !owner.isGone()) {
                    owners.put(body.name(), owner);
                } else {
                    orphan(body.name());
                }
            }
        });
    }

    /** The branch is committed whose batch names them. */
    void namedAtLast(ByteBuffer batch) {
        forEach(batch, (body, index) -> {
            kept.remove(body.name());
            OpenBody stored = state.openBodies.find(body.name());
            if (stored != null) {
                stored.end();
            }
        });
    }

    void store(ConnectionState connection, Reply reply, StorePart.Request request) {
        ByteBuffer part = request.part();
        Partition partition = state.storable(request.partition());
        BodyPart.check(part);
        if (request.acks() == Acks.NONE) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "a part of a large body is answered");
        }
        OpenBody body = find(part, partition);
        int index = BodyPart.index(part);
        long place;
        Durability durability = request.acks() == Acks.ALL ? Durability.SYNCED : Durability.WRITTEN;
        if (body != null && index < body.parts()) {
            appender.requireWritable();
            place = body.offset(index);
        } else {
            requireRoom(body, BodyPart.length(part));
            if (durability == Durability.SYNCED) {
                appender.requireInSync();
            }
            if (body == null) {
                body = state.openBodies.open(BodyPart.body(part), partition.id());
            }
            place = partition.assignPart();
            body.append(place, BodyPart.length(part));
            appender.addMessages(partition.partsId(), place, 1, part, durability);
            if (part.remaining() >= SpareBuffers.LENGTH_MIN) {
                appender.whenAppended(() -> reply.connection().stored(part));
            }
        }
        owners.put(body.name(), connection);
        orphans.remove(body.name());
        Appender.Waiter answer = Appender.answer(reply, new StorePart.Response(place));
        if (durability == Durability.SYNCED) {
            appender.whenDurable(answer);
        } else {
            appender.whenCommitted(answer);
        }
    }

    /** Null where the part begins a body. */
    private OpenBody find(ByteBuffer part, Partition partition) {
        OpenBody body = state.openBodies.find(BodyPart.body(part));
        int index = BodyPart.index(part);
        if (body == null && index == 0) {
            return null;
        }
        if (body == null
                || body.isOver()
                || kept.contains(body.name())
                || body.partition() != partition.id()
                || index > body.parts()) {
            throw new ProtocolException(
                    ErrorCode.BODY_NOT_THERE,
                    "part " + index + " of a large body for partition " + partition.id() + " has no part before it");
        }
        return body;
    }

    private void requireRoom(OpenBody body, int bytes) {
        appender.requireRoomFor(bytes);
        long length = bytes + (body == null ? 0 : body.length());
        if (length > lengthMax) {
            throw new ProtocolException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "a body of " + length + " bytes or more exceeds broker.large-body-max (" + lengthMax + ")");
        }
        if (body == null && state.openBodies.size() >= bodiesMax) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "broker.large-sends-max (" + bodiesMax + ") large bodies are being sent already");
        }
    }

    void drop(Reply reply, DropBody.Request request) {
        appender.requireWritable();
        BodyName name = new BodyName(request.nameHigh(), request.nameLow());
        if (!kept.contains(name)) {
            drop(name); // else its message may be yet to come, with the commit of a branch
        }
        reply.succeed(new DropBody.Response());
    }

    private void drop(BodyName name) {
        owners.remove(name);
        orphans.remove(name);
        OpenBody body = state.openBodies.find(name);
        if (body != null && !body.isOver() && appender.isWritable()) {
            body.end();
            appender.addControl(new BodyDropped(name.high(), name.low()), Durability.WRITTEN);
        }
    }

    /**
     * The bodies that the messages of a batch name, which {@link RecordBatch#check} has passed.
     *
     * @param found those that were named before in the same request; added to
     * @throws ProtocolException where one is not all there, or is not this message's
     */
    void requireWhole(int partition, ByteBuffer batch, List<OpenBody> found) {
        if ((RecordBatch.traits(batch) & RecordBatch.ATTRIBUTE_LARGE) == 0) {
            return;
        }
        forEach(batch, (body, index) -> {
            OpenBody stored = state.openBodies.find(body.name());
            if (stored == null
                    || stored.isOver()
                    || kept.contains(stored.name())
                    || stored.partition() != partition
                    || !stored.isWhole(body)
                    || found.contains(stored)) {
                throw new ProtocolException(
                        ErrorCode.BODY_NOT_THERE,
                        "a message for partition " + partition + " names a body of " + body
                                + " that is not stored, or not so, or is another message's");
            }
            found.add(stored);
        });
    }

    /** The messages that name them are being appended. */
    void named(List<OpenBody> bodies) {
        for (OpenBody body : bodies) {
            body.end();
            owners.remove(body.name());
            orphans.remove(body.name());
        }
    }

    /** Takes a body, and which message of its batch names it. */
    @FunctionalInterface
    interface Visitor {
        void body(LargeBody body, int index);
    }

    static void forEach(ByteBuffer batch, Visitor visitor) {
        if ((RecordBatch.traits(batch) & RecordBatch.ATTRIBUTE_LARGE) == 0) {
            return;
        }
        int at = batch.position() + RecordBatch.HEADER_LENGTH;
        int count = RecordBatch.count(batch);
        for (int i = 0; i < count; i++) {
            int index = i;
            try {
                LargeBody.of(batch, at).ifPresent(body -> visitor.body(body, index));
            } catch (MalformedFrameException e) {
                throw new ProtocolException(ErrorCode.CORRUPT_BATCH, e.getMessage());
            }
            at += batch.getInt(at + MessageRecord.LENGTH_AT) + Integer.BYTES;
        }
    }

    /** Bytes of all bodies that a batch names. */
    static long lengthBytes(ByteBuffer batch) {
        long[] bytes = {0};
        forEach(batch, (body, index) -> bytes[0] += body.length());
        return bytes[0];
    }

    /** The connection ended: what it was sending is dropped after a clean end, else when it does not come back. */
    void disconnected(ConnectionState connection, boolean clean) {
        List<BodyName> sending = new ArrayList<>();
        for (OpenBody body : state.openBodies.all()) {
            if (owners.get(body.name()) == connection) {
                sending.add(body.name());
            }
        }
        for (BodyName name : sending) {
            if (clean) {
                drop(name);
            } else {
                orphan(name);
            }
        }
        owners.values().removeIf(owner -> owner == connection); // of bodies that went with their destination
    }

    private void orphan(BodyName name) {
        owners.remove(name);
        orphans.put(name, clock.nanos() + graceNanos);
    }

    /** Drops what nobody came back for. */
    int dropOrphans() {
        int dropped = 0;
        while (!orphans.isEmpty() && deadlineNanos() - clock.nanos() <= 0) {
            drop(orphans.keySet().iterator().next());
            dropped++;
        }
        return dropped;
    }

    long deadlineNanos() {
        return orphans.isEmpty() ? Long.MAX_VALUE : orphans.values().iterator().next();
    }
}
