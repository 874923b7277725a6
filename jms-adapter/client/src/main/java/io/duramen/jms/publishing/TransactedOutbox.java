package io.duramen.jms.publishing;

import io.duramen.jms.body.BodySender;
import io.duramen.jms.link.Link;
import io.duramen.jms.message.BatchBuffer;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.MessageEncoder;
import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One thread at a time. Sends of a transacted session: kept here until they travel together in its Commit frame. */
public final class TransactedOutbox implements Outbox {
    /** Bytes of a Commit frame that are kept free for what it settles and for the frame itself. */
    private static final int FRAME_OVERHEAD = Frame.HEADER_LENGTH + 8 * 1024;

    private static final int BATCH_OVERHEAD = RecordBatch.HEADER_LENGTH + 8;
    private static final int CAPACITY = 2 * 1024;

    /** Longest body that stays with its message once much of the frame is taken: those that gain little by leaving it. */
    private static final int SPILLED_BEYOND = 1024;

    private static final class Part {
        final BatchBuffer bytes = new BatchBuffer(CAPACITY, RecordBatch.HEADER_LENGTH);
        int count;
        boolean persistent;
    }

    private record StoredBody(int shard, BodyName name) {}

    private final Link link;
    private final Completions completions;
    private final BodySender bodies;
    private final List<StoredBody> stored = new ArrayList<>();
    private final Map<PartitionRef, Part> parts = new LinkedHashMap<>();
    private long lengthBytes;
    private boolean sealed;

    /** @param bodies told of those that no message will name */
    public TransactedOutbox(Link link, Completions completions, BodySender bodies) {
        this.bodies = bodies;
        this.link = link;
        this.completions = completions;
    }

    private long room() {
        return link.limits().frameLengthMax() - FRAME_OVERHEAD - (long) parts.size() * BATCH_OVERHEAD;
    }

    /** Where half of the frame is taken, bodies go ahead of it, so that it has room for many more messages. */
    @Override
    public int bodyLengthMax(int most) {
        return lengthBytes > room() / 2 ? Math.min(most, SPILLED_BEYOND) : most;
    }

    @Override
    public void send(DuramenMessage message, SendHeaders headers, PartitionRef partition, boolean persistent)
            throws JMSException {
        if (sealed) {
            throw new IllegalStateException(
                    "the outcome of the session's transaction is unknown: commit() again, or rollback(), tells it");
        }
        Part part = parts.computeIfAbsent(partition, p -> new Part());
        int before = part.bytes.length();
        int length = MessageEncoder.encode(message, headers, part.bytes);
        long room = room();
        if (lengthBytes + length > room) {
            part.bytes.truncate(before);
            if (part.count == 0) {
                parts.remove(partition);
            }
            throw new ResourceAllocationException(
                    "the transaction would grow to " + (lengthBytes + length) + " bytes; the node takes " + room
                            + " in one transaction (network.frame-length-max). This message was not added to it",
                    "MESSAGE_TOO_LARGE");
        }
        lengthBytes += length;
        if (headers.largeBody() != null) {
            stored.add(new StoredBody(partition.shard(), headers.largeBody().name()));
        }
        part.count++;
        part.persistent |= persistent;
    }

    @Override
    public void sendAsync(
            DuramenMessage message,
            SendHeaders headers,
            PartitionRef partition,
            boolean persistent,
            Completions.Send completion)
            throws JMSException {
        try (Completions.Begun send = completions.begin(completion)) {
            send(message, headers, partition, persistent);
            send.isDone();
        }
    }

    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Takes nothing more until it is cleared: what it holds may have been sent. */
    public void seal() {
        sealed = true;
    }

    /** Forgets what was sent since the last commit or rollback; it will not be committed. */
    public void giveUp() {
        stored.forEach(body -> bodies.drop(body.shard, body.name));
        clear();
    }

    /** Forgets what was sent since the last commit or rollback. */
    public void clear() {
        sealed = false;
        parts.clear();
        stored.clear();
        lengthBytes = 0;
    }

    /**
     * The sends for one shard, as they stand in a Commit frame. They carry producer 0: the transaction's own sequence
     * tells a repeat.
     */
    public List<Commit.PartitionBatch> batches(int shard) {
        List<Commit.PartitionBatch> batches = new ArrayList<>(parts.size());
        parts.forEach((partition, part) -> {
            if (partition.shard() == shard) {
                ByteBuffer batch = part.bytes.written();
                RecordBatch.seal(batch, part.persistent, 0, 0, 0, part.count);
                batches.add(new Commit.PartitionBatch(partition.partition(), batch));
            }
        });
        return batches;
    }

    /** Shards that the sends go to. */
    public List<Integer> shards() {
        return parts.keySet().stream().map(PartitionRef::shard).distinct().toList();
    }
}
