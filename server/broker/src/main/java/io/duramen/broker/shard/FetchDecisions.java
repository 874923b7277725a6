package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.subscription.Consumer;
import io.duramen.broker.subscription.PartitionDispatch;
import io.duramen.log.DamagedLogException;
import io.duramen.log.PartitionChunk;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.BodyPart;
import io.duramen.replication.ReplicatedLog;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;

/** Answers who reads a large body, a part at a time; keeps a request only while its bytes are fetched. Agent-confined. */
final class FetchDecisions {
    private final ShardState state;
    private final DestinationDecisions destinations;
    private final ReplicatedLog log;
    private final ArrayDeque<Fetching> ready = new ArrayDeque<>();

    FetchDecisions(ShardState state, DestinationDecisions destinations, ReplicatedLog log) {
        this.state = state;
        this.destinations = destinations;
        this.log = log;
    }

    void fetch(ConnectionState connection, Reply reply, FetchPart.Request request) {
        if (request.consumerId() == FetchPart.BROWSER) {
            requireBrowsable(connection, request);
        } else {
            requireHeld(connection.consumer(request.consumerId()), request);
        }
        Partition home = state.catalogue.partition(request.home());
        if (request.home() < 1 || request.place() < 0 || home != null && request.place() >= home.nextPart()) {
            throw notThere(request);
        }
        new Fetching(reply, request).read();
    }

    private static void requireHeld(Consumer consumer, FetchPart.Request request) {
        PartitionDispatch partition = consumer.subscription().partition(request.partition());
        if (partition == null || !partition.isHeld(consumer, request.offset())) {
            throw settled(request);
        }
    }

    private void requireBrowsable(ConnectionState connection, FetchPart.Request request) {
        Partition partition = state.catalogue.partition(request.partition());
        if (partition == null) {
            throw settled(request);
        }
        Destination queue = destinations.requireConsumable(
                connection, partition.destination().name(), true);
        PartitionDispatch dispatch = state.subscriptions.ofQueue(queue.name()).partition(request.partition());
        if (request.offset() < 0
                || request.offset() >= partition.nextOffset()
                || dispatch.cursor().isSettled(request.offset())) {
            throw settled(request);
        }
    }

    private static ProtocolException settled(FetchPart.Request request) {
        return new ProtocolException(
                ErrorCode.LEASE_LOST,
                "the message at offset " + request.offset() + " of partition " + request.partition()
                        + " is settled or no longer held: its body cannot be read any more");
    }

    private static ProtocolException notThere(FetchPart.Request request) {
        return new ProtocolException(
                ErrorCode.BODY_NOT_THERE,
                "part " + request.index() + " of the body is not at place " + request.place() + " of partition "
                        + request.home());
    }

    /** Reads on where bytes are there by now. */
    int doWork() {
        int work = ready.size();
        for (int i = work; i > 0; i--) {
            ready.poll().read();
        }
        return work;
    }

    private final class Fetching {
        private final Reply reply;
        private final FetchPart.Request request;

        Fetching(Reply reply, FetchPart.Request request) {
            this.reply = reply;
            this.request = request;
        }

        void read() {
            try {
                // One at a time: the log keeps what it has read beyond, for those who go on there.
                Optional<PartitionChunk> chunk =
                        log.read(Partition.partsId(request.home()), request.place(), 1, () -> ready.add(this));
                chunk.ifPresent(found -> answer(found.batches().get(0).batch()));
            } catch (DamagedLogException e) {
                reply.fail(notThere(request));
            }
        }

        private void answer(ByteBuffer part) {
            if (BodyPart.isPart(part, new BodyName(request.nameHigh(), request.nameLow()), request.index())) {
                reply.succeed(new FetchPart.Response(part));
            } else {
                reply.fail(notThere(request));
            }
        }
    }
}
