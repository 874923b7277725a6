package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.HalfAsked;
import io.duramen.broker.shard.ControlRecord.HalfEnded;
import io.duramen.broker.transaction.EndedHalf.End;
import io.duramen.broker.transaction.HalfGroup;
import io.duramen.broker.transaction.HalfMessage;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.AwaitChecks;
import io.duramen.protocol.frame.AwaitChecks.Check;
import io.duramen.protocol.frame.AwaitChecks.HalfBatch;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks about half messages that nobody has ended in time, and gives up those of which nobody knows: they are moved to the queue
 * that the settings name, and say in properties where they come from and why. Confined to the agent.
 *
 * <p>An ask counts when it goes to somebody who waits for it, so a group of which nobody listens loses none. Who waits is soft
 * state, and asks again on another connection.
 */
final class HalfChecks {
    /** Property: id of the half message. */
    static final String HALF_ID = "JMS_Duramen_HalfId";

    /** Property: the half message's group. */
    static final String HALF_GROUP = "JMS_Duramen_HalfGroup";

    private static final Logger LOG = LoggerFactory.getLogger(HalfChecks.class);

    private static final int CHECKS_MAX = 256;
    private static final int WAITING_MAX = 1_000;
    private static final AwaitChecks.Response NOTHING = new AwaitChecks.Response(List.of());
    private static final long SLEEP_MILLIS_MAX = 10_000;

    private final ShardState state;
    private final Appender appender;
    private final Clock clock;
    private final BodyDecisions bodies;
    private final DestinationDecisions destinations;
    private final String parkedQueue;
    private final int answerBytes;

    /** Those who wait, by group; a group without any is not in it. */
    private final Map<HalfGroup, ArrayDeque<Waiting>> waiting = new LinkedHashMap<>();

    private boolean leads;
    private boolean creating;
    private long parkAgainNanos;
    private boolean parkingFails;

    private record Waiting(ConnectionState connection, Reply reply, int max, long untilNanos) {}

    HalfChecks(
            ShardState state,
            Appender appender,
            Clock clock,
            BodyDecisions bodies,
            DestinationDecisions destinations,
            BrokerConfig config) {
        this.state = state;
        this.appender = appender;
        this.clock = clock;
        this.bodies = bodies;
        this.destinations = destinations;
        this.parkedQueue = config.halfParkedQueue();
        this.answerBytes = config.deliverSize().toIntExact();
    }

    void lead() {
        leads = true;
    }

    void await(ConnectionState connection, Reply reply, AwaitChecks.Request request) {
        appender.requireWritable();
        HalfGroup group = HalfDecisions.group(connection, request.group());
        if (request.max() < 0 || request.waitMillis() < 0 || request.waitMillis() > AwaitChecks.WAIT_MILLIS_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "checks are waited for 0 to " + AwaitChecks.WAIT_MILLIS_MAX + " ms");
        }
        ArrayDeque<Waiting> ofGroup = waiting.computeIfAbsent(group, none -> new ArrayDeque<>());
        if (request.max() == 0) {
            ofGroup.stream().filter(one -> one.connection == connection).forEach(one -> one.reply.succeed(NOTHING));
            ofGroup.removeIf(one -> one.connection == connection);
            reply.succeed(NOTHING);
            return;
        }
        if (ofGroup.size() >= WAITING_MAX) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    WAITING_MAX + " already wait for checks of group '" + group.name() + "'");
        }
        long until = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(request.waitMillis());
        ofGroup.add(new Waiting(connection, reply, Math.min(request.max(), CHECKS_MAX), until));
    }

    void disconnected(ConnectionState connection) {
        waiting.values().forEach(ofGroup -> ofGroup.removeIf(one -> one.connection == connection));
        waiting.values().removeIf(ArrayDeque::isEmpty);
    }

    int doWork() {
        if (!leads) {
            return 0;
        }
        if (!appender.isWritable()) {
            return refuseAll();
        }
        int work = 0;
        for (Map.Entry<HalfGroup, ArrayDeque<Waiting>> group : waiting.entrySet()) {
            work += serve(group.getKey(), group.getValue());
        }
        waiting.values().removeIf(ArrayDeque::isEmpty);
        return work + park();
    }

    private int refuseAll() {
        int refused = 0;
        for (ArrayDeque<Waiting> ofGroup : waiting.values()) {
            ofGroup.forEach(one -> one.reply.fail(ErrorCode.SHARD_STOPPED, "the log stopped; see the node's log"));
            refused += ofGroup.size();
        }
        waiting.clear();
        return refused;
    }

    private int serve(HalfGroup group, ArrayDeque<Waiting> ofGroup) {
        int work = 0;
        while (!ofGroup.isEmpty() && state.halves.due(group, clock.millis()) != null) {
            ask(group, ofGroup.poll());
            work++;
        }
        long now = clock.nanos();
        List<Waiting> late =
                ofGroup.stream().filter(one -> one.untilNanos - now <= 0).toList();
        ofGroup.removeAll(late);
        late.forEach(one -> one.reply.succeed(NOTHING));
        return work + late.size();
    }

    private void ask(HalfGroup group, Waiting one) {
        List<Check> checks = new ArrayList<>();
        List<HalfId> asked = new ArrayList<>();
        long bytes = 0;
        long now = clock.millis();
        for (HalfMessage half = state.halves.due(group, now);
                half != null && checks.size() < one.max && bytes < answerBytes;
                half = state.halves.due(group, now)) {
            bytes += half.sizeBytes();
            if (!checks.isEmpty() && bytes > answerBytes) {
                break;
            }
            state.halves.asking(half);
            asked.add(half.id());
            checks.add(new Check(half.id(), half.asks() + 1, half.preparedMillis(), batches(half)));
        }
        appender.addControl(new HalfAsked(asked), Durability.WRITTEN);
        appender.whenCommitted(Appender.answer(one.reply, new AwaitChecks.Response(checks)));
    }

    private List<HalfBatch> batches(HalfMessage half) {
        return half.batches().stream()
                .map(batch -> {
                    Partition partition = state.catalogue.partition(batch.partition());
                    return partition == null
                            ? new HalfBatch("", DestinationKind.QUEUE, batch)
                            : new HalfBatch(
                                    partition.destination().name(),
                                    partition.destination().kind(),
                                    batch);
                })
                .toList();
    }

    // ---- giving up -------------------------------------------------------------------------------------------------

    private int park() {
        if (creating || parkingFails && clock.nanos() - parkAgainNanos < 0) {
            return 0;
        }
        int parked = 0;
        for (HalfMessage half = state.halves.spent(clock.millis());
                half != null && parked < CHECKS_MAX;
                half = state.halves.spent(clock.millis())) {
            Optional<Destination> queue = queue();
            if (queue.isEmpty() || !park(half, queue.get())) {
                return parked;
            }
            parked++;
        }
        return parked;
    }

    /** The queue, unless it is being made, or cannot be used. */
    private Optional<Destination> queue() {
        Optional<Destination> found = state.catalogue.find(parkedQueue);
        if (found.isEmpty()) {
            makeQueue();
            return found;
        }
        Optional<Destination> usable =
                found.filter(destination -> destination.kind().isQueue()
                        && !destination.isLeaving()
                        && !destination.partitions().isEmpty());
        if (usable.isEmpty()) {
            failed(new ProtocolException(
                    ErrorCode.DESTINATION_KIND_MISMATCH,
                    "it is no queue, is being deleted, or has no partition in this shard"));
        }
        return usable;
    }

    /** Makes the queue for what is given up where it is absent, so that it is there when it is needed. */
    void makeQueue() {
        if (!creating && state.catalogue.find(parkedQueue).isEmpty()) {
            try {
                creating = true;
                destinations.createQueue(parkedQueue, () -> creating = false);
            } catch (ProtocolException refusal) {
                creating = false;
                failed(refusal);
            }
        }
    }

    private void failed(ProtocolException refusal) {
        if (!parkingFails) {
            LOG.warn(
                    "Half messages that are given up cannot be moved to queue '{}', and stay: {}",
                    parkedQueue,
                    refusal.getMessage());
        }
        parkingFails = true;
        parkAgainNanos = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(SLEEP_MILLIS_MAX);
    }

    private boolean park(HalfMessage half, Destination queue) {
        String cause = half.asks() == 0
                ? "nobody of group '" + half.group().name() + "' was there to be asked"
                : "asked " + half.asks() + " times, nobody of group '"
                        + half.group().name() + "' said what became of it";
        MovedRecords records = new MovedRecords();
        half.batches().forEach(batch -> marked(half, batch, cause, records));
        try {
            records.append(appender, queue.partitions().get(0), Durability.SYNCED);
        } catch (ProtocolException full) {
            failed(full);
            return false;
        }
        parkingFails = false;
        LOG.warn("Half message {} is moved to queue '{}': {}", half.id(), queue.name(), cause);
        appender.addControl(
                new HalfEnded(half.id(), End.PARKED, "it is in queue '" + queue.name() + "', since " + cause),
                Durability.SYNCED);
        half.batches().forEach(batch -> bodies.namedAtLast(batch.batch()));
        state.halves.ending(half.id(), End.PARKED);
        return true;
    }

    private void marked(HalfMessage half, PartitionBatch batch, String cause, MovedRecords to) {
        Partition partition = state.catalogue.partition(batch.partition());
        AddedProperties more = new AddedProperties()
                .text(
                        AddedProperties.ORIGIN,
                        partition == null ? "" : partition.destination().name())
                .text(HALF_ID, half.id().toString())
                .text(HALF_GROUP, half.group().name())
                .text(AddedProperties.CAUSE, cause);
        ByteBuffer bytes = batch.batch();
        int at = bytes.position() + RecordBatch.HEADER_LENGTH;
        for (int i = RecordBatch.count(bytes); i > 0; i--) {
            int length = bytes.getInt(at + MessageRecord.LENGTH_AT) + Integer.BYTES;
            to.add(more.moved(bytes.slice(at, length)));
            at += length;
        }
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    long deadlineNanos() {
        if (!leads || !appender.isWritable()) {
            return Long.MAX_VALUE;
        }
        long nextMillis = creating ? Long.MAX_VALUE : state.halves.nextGiveUpMillis();
        long deadline = Long.MAX_VALUE;
        for (Map.Entry<HalfGroup, ArrayDeque<Waiting>> group : waiting.entrySet()) {
            nextMillis = Math.min(nextMillis, state.halves.nextAskMillis(group.getKey()));
            for (Waiting one : group.getValue()) {
                deadline = Math.min(deadline, one.untilNanos);
            }
        }
        return nextMillis == Long.MAX_VALUE ? deadline : Math.min(deadline, nanosOf(nextMillis));
    }

    /** Not slept through in one go: the clock that people see may jump. */
    private long nanosOf(long millis) {
        long wait = Math.max(0, Math.min(millis - clock.millis(), SLEEP_MILLIS_MAX));
        if (wait == 0 && parkingFails) {
            return Math.max(parkAgainNanos, clock.nanos());
        }
        return clock.nanos() + TimeUnit.MILLISECONDS.toNanos(wait);
    }
}
