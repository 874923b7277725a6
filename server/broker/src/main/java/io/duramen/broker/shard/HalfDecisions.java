package io.duramen.broker.shard;

import io.duramen.broker.body.OpenBody;
import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.HalfEnded;
import io.duramen.broker.shard.ControlRecord.HalfPrepared;
import io.duramen.broker.transaction.EndedHalf;
import io.duramen.broker.transaction.EndedHalf.End;
import io.duramen.broker.transaction.HalfGroup;
import io.duramen.broker.transaction.HalfMessage;
import io.duramen.broker.transaction.HalfMessages.Stage;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.frame.ListHalves;
import io.duramen.protocol.frame.ListHalves.Half;
import io.duramen.protocol.frame.PrepareHalf;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides what becomes of half messages: stored, confirmed, cancelled. Who is asked about them, and when they are given up, is
 * {@link HalfChecks}' to decide. Confined to the agent.
 */
final class HalfDecisions {
    private final ShardState state;
    private final Appender appender;
    private final PublishDecisions publishing;
    private final BodyDecisions bodies;
    private final DedupDecisions dedup;
    private final HalfChecks checks;
    private final long sizeMax;

    /** @param sizeMax most bytes of all half messages together */
    HalfDecisions(
            ShardState state,
            Appender appender,
            PublishDecisions publishing,
            BodyDecisions bodies,
            HalfChecks checks,
            long sizeMax) {
        this.state = state;
        this.appender = appender;
        this.publishing = publishing;
        this.bodies = bodies;
        this.dedup = publishing.dedup();
        this.checks = checks;
        this.sizeMax = sizeMax;
    }

    void prepare(ConnectionState connection, Reply reply, PrepareHalf.Request request) {
        appender.requireWritable();
        HalfGroup group = group(connection, request.group());
        if (request.batches().isEmpty()) {
            checks.makeQueue();
            appender.whenDurable(Appender.answer(reply, new PrepareHalf.Response()));
            return;
        }
        HalfMessage stored = state.halves.get(request.id());
        if (stored != null && !stored.group().equals(group)) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "another half message of the id " + request.id() + " is stored");
        }
        if (state.halves.stage(request.id()) == Stage.NONE && state.endedHalves.get(request.id()) == null) {
            append(connection, group, request);
        }
        appender.whenKeptHoweverLong(Appender.answer(reply, new PrepareHalf.Response()));
    }

    /** The group of that name of the connection's user. */
    static HalfGroup group(ConnectionState connection, String group) {
        int length = group == null ? 0 : group.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > Protocol.NAME_LENGTH_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "the group of a half message has 1 to " + Protocol.NAME_LENGTH_MAX + " bytes");
        }
        return new HalfGroup(connection.connection().user(), group);
    }

    private void append(ConnectionState connection, HalfGroup group, PrepareHalf.Request request) {
        if (request.checkAfterMillis() < 0) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "a half message is checked later, not before");
        }
        List<OpenBody> named = new ArrayList<>();
        int bytes = publishing.requireStorable(connection, request.batches(), named);
        long size = HalfMessage.sizeBytes(request.batches());
        if (state.halves.sizeBytes() + size > sizeMax) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "a half message of " + size + " bytes beside others of " + state.halves.sizeBytes()
                            + " bytes: the limit is " + sizeMax + " (broker.half-size)");
        }
        appender.requireRoomFor(bytes);
        appender.requireInSync();
        // From here on nothing is refused.
        appender.addControl(
                new HalfPrepared(request.id(), group, request.checkAfterMillis(), request.batches()),
                Durability.SYNCED);
        bodies.keep(named);
        state.halves.preparing(request.id(), size);
    }

    /** @param again decides the request once more */
    void end(ConnectionState connection, Reply reply, EndHalf.Request request, Runnable again) {
        appender.requireWritable();
        HalfId id = request.id();
        HalfMessage waiting = state.halves.get(id);
        if (waiting != null && !isOf(connection, waiting.group())) {
            throw new ProtocolException(
                    ErrorCode.NOT_AUTHORIZED,
                    "half message " + id + " is another user's, who may end it, as an admin may");
        }
        End wanted = request.confirm() ? End.CONFIRMED : End.CANCELLED;
        switch (state.halves.stage(id)) {
            case PREPARING -> {
                appender.whenCommitted(decidedAgain(reply, again));
                return;
            }
            case WAITING -> append(state.halves.get(id), wanted);
            case ENDING -> requireSame(id, wanted, state.halves.ending(id), "");
            case NONE -> requireEnded(id, wanted);
        }
        appender.whenDurable(Appender.answer(reply, new EndHalf.Response()));
    }

    private static boolean isOf(ConnectionState connection, HalfGroup group) {
        return connection.connection().isAdmin()
                || group.user().equals(connection.connection().user());
    }

    private static Appender.Waiter decidedAgain(Reply reply, Runnable again) {
        return new Appender.Waiter() {
            @Override
            public void reached() {
                again.run();
            }

            @Override
            public void failed(ProtocolException reason) {
                reply.fail(reason);
            }
        };
    }

    private void requireEnded(HalfId id, End wanted) {
        EndedHalf ended = state.endedHalves.get(id);
        if (ended == null) {
            throw new ProtocolException(
                    ErrorCode.HALF_NOT_FOUND, "half message " + id + " was never stored, or ended too long ago");
        }
        requireSame(id, wanted, ended.end(), ended.cause());
    }

    private static void requireSame(HalfId id, End wanted, End end, String cause) {
        if (wanted != end) {
            String why = cause.isEmpty() ? "" : ": " + cause;
            throw new ProtocolException(ErrorCode.HALF_ENDED, "half message " + id + " was " + word(end) + why);
        }
    }

    private static String word(End end) {
        return switch (end) {
            case CONFIRMED -> "confirmed";
            case CANCELLED -> "cancelled";
            case PARKED -> "parked";
        };
    }

    private void append(HalfMessage half, End end) {
        boolean confirm = end == End.CONFIRMED;
        DedupDecisions.News news = DedupDecisions.News.none();
        if (confirm) {
            half.batches().forEach(batch -> state.storable(batch.partition()));
            appender.requireRoomFor(PreparedBranch.messageBytes(half.batches()));
            news = dedup.news(half.batches(), DedupDecisions.Guard.NONE);
            state.capacity.require(news.batches());
        }
        appender.addControl(new HalfEnded(half.id(), end, ""), Durability.SYNCED);
        dedup.leaveOut(news.leftOut());
        for (PartitionBatch batch : news.batches()) {
            Partition partition = state.catalogue.partition(batch.partition());
            bodies.namedAtLast(batch.batch());
            long place = partition.assign(RecordBatch.count(batch.batch()));
            dedup.add(partition, place, batch.batch(), Durability.SYNCED);
        }
        if (!confirm) {
            half.batches().forEach(batch -> bodies.dropKept(batch.batch()));
        }
        state.halves.ending(half.id(), end);
    }

    /** Those that the user may end, or might have. */
    void list(ConnectionState connection, Reply reply, ListHalves.Request request) {
        appender.requireWritable();
        Stream<Half> waiting = state.halves.all().stream()
                .filter(half -> isOf(connection, half.group()))
                .sorted(Comparator.comparingLong(HalfMessage::preparedMillis).thenComparing(HalfMessage::id))
                .map(this::listed);
        Stream<Half> parked = state.endedHalves.all().stream()
                .filter(half -> half.end() == End.PARKED && isOf(connection, half.group()))
                .map(half ->
                        new Half(half.id(), half.group().name(), "", half.endedMillis(), half.asks(), half.cause()));
        reply.succeed(new ListHalves.Response(Stream.concat(waiting, parked)
                .skip(Math.max(0, request.skip()))
                .limit(ListHalves.PAGE_MAX)
                .toList()));
    }

    private Half listed(HalfMessage half) {
        Partition partition = state.catalogue.partition(half.batches().get(0).partition());
        Destination destination = partition == null ? null : partition.destination();
        return new Half(
                half.id(),
                half.group().name(),
                destination == null ? "" : destination.name(),
                half.preparedMillis(),
                half.asks(),
                "");
    }
}
