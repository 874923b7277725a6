package io.duramen.jms.publishing;

import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.MessageEncoder;
import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Batches of one session for one partition. One application thread adds, the link's thread takes; they exchange the
 * open batch through one atomic reference: whoever swaps it out owns it.
 *
 * <p>The application's thread swaps the open batch out, encodes into it and puts it back; the link's thread swaps it
 * out and sends it. Finds the link's thread none, because the other has it just then, the other schedules it again
 * after putting it back: the flag {@code due} is cleared before the link's thread looks. Full batches wait in
 * {@code sealed}; ordinals restore the order between them and an open one.
 */
final class PartitionOutbox implements Outgoing {
    /** Bytes of a Publish frame around its batch, more than enough. */
    private static final int FRAME_OVERHEAD = Frame.HEADER_LENGTH + 64;

    private static final int CAPACITY_MIN = 2 * 1024;

    private final Link link;
    private final PartitionRef partition;
    private final SessionIdentity identity;
    private final SendWindow window;
    private final int batchLengthMax;

    private final AtomicReference<Batch> open = new AtomicReference<>();
    private final Queue<Batch> sealed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private final Hold hold = new Hold(this::goOn);

    // The application's thread only.
    private long lastOrdinal;
    private long sequencesBelow;
    // A hint that both threads may see late.
    private int capacity = CAPACITY_MIN;
    // The link's thread only.
    private long nextSequence;
    private final ArrayDeque<Batch> ready = new ArrayDeque<>();

    /** @param firstSequence above all that the session has sent to the partition before; gaps do not matter */
    PartitionOutbox(
            Link link,
            PartitionRef partition,
            SessionIdentity identity,
            SendWindow window,
            int batchLengthMax,
            long firstSequence) {
        this.link = link;
        this.partition = partition;
        this.identity = identity;
        this.window = window;
        this.batchLengthMax = batchLengthMax;
        this.nextSequence = firstSequence;
        this.sequencesBelow = firstSequence;
    }

    /** Whether the link has been handed all that was added: another outbox of the partition comes behind it. */
    boolean isIdle() {
        return open.get() == null && sealed.isEmpty() && !due.get();
    }

    private void goOn() {
        link.send(this);
    }

    /** Waits while the node says that the partition is full. */
    void awaitRoom() throws JMSException {
        hold.awaitOver(link);
    }

    /** Above every sequence that it gives to what was added so far. */
    long sequencesBelow() {
        return sequencesBelow;
    }

    /** What a send hangs on the batch that took its message, before the batch can leave. */
    @FunctionalInterface
    interface OnAdded {
        void added(Batch batch);
    }

    /**
     * Encodes the message into a batch that will leave soon.
     *
     * @throws JMSException where it cannot be encoded or is too large; nothing was added then
     */
    void add(DuramenMessage message, SendHeaders headers, Publish.Acks acks, boolean persistent, OnAdded then)
            throws JMSException {
        Batch batch = open.getAndSet(null);
        if (batch != null && !batch.takes(acks, persistent)) {
            sealed.add(batch);
            batch = null;
        }
        if (batch == null) {
            batch = newBatch(acks, persistent);
        }
        try {
            batch = encode(batch, message, headers);
            sequencesBelow++;
            then.added(batch);
        } finally {
            putBack(batch);
        }
    }

    private Batch newBatch(Publish.Acks acks, boolean persistent) {
        return new Batch(++lastOrdinal, acks, persistent, capacity, window, hold);
    }

    private Batch encode(Batch first, DuramenMessage message, SendHeaders headers) throws JMSException {
        int frameRoom = link.limits().frameLengthMax() - FRAME_OVERHEAD;
        int before = first.lengthBytes();
        int length = MessageEncoder.encode(message, headers, first.bytes);
        if (first.lengthBytes() <= Math.min(frameRoom, batchLengthMax)
                || first.count() == 0 && first.lengthBytes() <= frameRoom) {
            first.added(length);
            return first;
        }
        first.bytes.truncate(before);
        if (length + RecordBatch.HEADER_LENGTH > frameRoom) {
            throw new ResourceAllocationException(
                    "a message of " + length + " bytes exceeds the node's frame limit of "
                            + link.limits().frameLengthMax(),
                    "MESSAGE_TOO_LARGE");
        }
        Batch next = newBatch(first.acks, first.persistent);
        next.added(MessageEncoder.encode(message, headers, next.bytes));
        sealed.add(first);
        return next;
    }

    private void putBack(Batch batch) {
        if (batch.count() == 0) {
            return;
        }
        boolean awaited = batch.isAwaited(); // asked before it is out of hand
        if (batch.lengthBytes() >= batchLengthMax) {
            sealed.add(batch);
        } else {
            open.set(batch);
        }
        if (!due.compareAndSet(false, true)) {
            return;
        }
        if (awaited) {
            link.sendAwaited(this);
        } else {
            link.send(this);
        }
    }

    private Iterable<Batch> takeReady() {
        due.set(false);
        Batch last = open.getAndSet(null);
        ready.clear();
        for (Batch next = sealed.poll(); next != null; next = sealed.poll()) {
            if (last != null && last.ordinal < next.ordinal) {
                ready.add(last);
                last = null;
            }
            ready.add(next);
        }
        if (last != null) {
            ready.add(last);
        }
        return ready;
    }

    @Override
    public void write(FrameSink sink) {
        if (hold.isHeld()) {
            return; // still due, and scheduled once that is over
        }
        for (Batch batch : takeReady()) {
            long baseSequence = nextSequence;
            nextSequence += batch.count();
            capacity = Math.min(batchLengthMax, Math.max(CAPACITY_MIN, batch.lengthBytes() + 256));
            Publish.Request publish = new Publish.Request(
                    partition.shard(),
                    partition.partition(),
                    batch.acks,
                    batch.seal(identity.producerId(), baseSequence));
            if (batch.acks == Publish.Acks.NONE) {
                sink.oneWay(publish, identity.owner());
                batch.doneForGood();
            } else {
                sink.request(publish, batch);
            }
        }
    }

    @Override
    public void abandoned(LinkLostException cause) {
        for (Batch batch : takeReady()) {
            batch.done(cause);
        }
    }
}
