package io.duramen.jms.publishing;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One thread at a time, but for {@link #onRefusal}. Sends of a session without transactions. Unless it is chosen otherwise ({@link SendAcks}), a
 * blocking persistent send waits for the fsync; a non-persistent one waits for nothing but room, and its refusal surfaces at the next
 * send. A non-persistent one whose body was sent ahead waits until the node has it.
 */
public final class DirectOutbox implements Outbox {
    /** Who answers requests meets temporary destinations without end: beyond so many, those are forgotten that are idle. */
    static final int TEMPORARY_KEPT = 256;

    private final Link link;
    private final SessionIdentity identity;
    private final Completions completions;
    private final SendAcks acks;
    private final int batchLengthMax;
    private final SendWindow window;
    private final Map<PartitionRef, PartitionOutbox> partitions = new HashMap<>();
    private final LinkedHashMap<PartitionRef, PartitionOutbox> temporary = new LinkedHashMap<>();
    private int temporaryMax = TEMPORARY_KEPT;
    /** Above all that was sent to temporary destinations that are forgotten. */
    private long forgottenSequences;

    private final AtomicReference<ProtocolException> refusal = new AtomicReference<>();
    /** Whether non-persistent sends wait for their answers, too: one met a destination that is full and has its senders wait. */
    private volatile boolean answered;

    private PartitionRef lastPartition;
    private PartitionOutbox lastOutbox;

    /**
     * @param batchLengthMax bytes at which a batch is full
     * @param windowBytes see {@link SendWindow}
     */
    public DirectOutbox(
            Link link,
            SessionIdentity identity,
            Completions completions,
            SendAcks acks,
            int batchLengthMax,
            long windowBytes) {
        this.link = link;
        this.identity = identity;
        this.completions = completions;
        this.acks = acks;
        this.batchLengthMax = batchLengthMax;
        this.window = new SendWindow(windowBytes);
    }

    @Override
    public void send(DuramenMessage message, SendHeaders headers, PartitionRef partition, boolean persistent)
            throws JMSException {
        throwRefusal();
        window.awaitRoom(link);
        PartitionOutbox outbox = outbox(partition, headers);
        outbox.awaitRoom();
        // Who sent a body ahead has to know whether its message was refused, and who sends to what is full has to wait.
        Publish.Acks wanted = headers.largeBody() == null && !answered
                ? acks.of(persistent, headers)
                : acks.answered(persistent, headers);
        if (wanted == Publish.Acks.NONE) {
            outbox.add(message, headers, wanted, persistent, batch -> {});
            return;
        }
        throwRefusal(); // which may have come since, and is told before anything waits
        Call.Waiter waiter = new Call.Waiter();
        outbox.add(message, headers, wanted, persistent, batch -> batch.waiter(waiter));
        waiter.await(link, "send");
    }

    @Override
    public void sendAsync(
            DuramenMessage message,
            SendHeaders headers,
            PartitionRef partition,
            boolean persistent,
            Completions.Send completion)
            throws JMSException {
        throwRefusal();
        window.awaitRoom(link);
        PartitionOutbox outbox = outbox(partition, headers);
        outbox.awaitRoom();
        try (Completions.Begun send = completions.begin(completion)) {
            outbox.add(message, headers, acks.answered(persistent, headers), persistent, send::isIn);
        }
    }

    private PartitionOutbox outbox(PartitionRef partition, SendHeaders headers) {
        if (partition != lastPartition) {
            lastPartition = partition;
            lastOutbox = isTemporary(headers.destination())
                    ? ofTemporary(partition)
                    : partitions.computeIfAbsent(partition, p -> newOutbox(p, 0));
        }
        return lastOutbox;
    }

    private static boolean isTemporary(Destination destination) {
        return destination instanceof DuramenDestination ours && ours.kind().isTemporary();
    }

    private PartitionOutbox ofTemporary(PartitionRef partition) {
        PartitionOutbox known = temporary.get(partition);
        if (known == null) {
            forgetIdle();
            known = newOutbox(partition, forgottenSequences);
            temporary.put(partition, known);
        }
        return known;
    }

    private PartitionOutbox newOutbox(PartitionRef partition, long firstSequence) {
        return new PartitionOutbox(link, partition, identity, window, batchLengthMax, firstSequence);
    }

    /** Costs as much for each new one, however many are not idle. */
    private void forgetIdle() {
        if (temporary.size() < temporaryMax) {
            return;
        }
        for (Iterator<PartitionOutbox> all = temporary.values().iterator(); all.hasNext(); ) {
            PartitionOutbox each = all.next();
            if (each.isIdle()) {
                forgottenSequences = Math.max(forgottenSequences, each.sequencesBelow());
                all.remove();
            }
        }
        temporaryMax = Math.max(TEMPORARY_KEPT, 2 * temporary.size());
    }

    /** How many partitions of temporary destinations it knows. */
    int temporaryCount() {
        return temporary.size();
    }

    /** A non-persistent send was refused. Called on the link's thread. */
    public void onRefusal(ProtocolException cause) {
        refusal.compareAndSet(null, cause);
        answered |= cause.code() == ErrorCode.DESTINATION_FULL_WAIT;
    }

    /** What was refused and has not surfaced yet. */
    public Optional<JMSException> takeRefusal() {
        return Optional.ofNullable(refusal.getAndSet(null)).map(JmsErrors::of);
    }

    private void throwRefusal() throws JMSException {
        if (refusal.get() != null) {
            Optional<JMSException> earlier = takeRefusal();
            if (earlier.isPresent()) {
                throw earlier.get();
            }
        }
    }
}
