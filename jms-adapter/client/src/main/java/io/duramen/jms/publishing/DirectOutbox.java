package io.duramen.jms.publishing;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One thread at a time, but for {@link #onRefusal}. Sends of a session without transactions. A blocking persistent send
 * waits for the fsync; a non-persistent one waits for nothing but room, and its refusal surfaces at the next send. A
 * non-persistent one whose body was sent ahead waits until the node has it.
 */
public final class DirectOutbox implements Outbox {
    private final Link link;
    private final SessionIdentity identity;
    private final Completions completions;
    private final int batchLengthMax;
    private final SendWindow window;
    private final Map<PartitionRef, PartitionOutbox> partitions = new HashMap<>();
    private final AtomicReference<ProtocolException> refusal = new AtomicReference<>();
    private PartitionRef lastPartition;
    private PartitionOutbox lastOutbox;

    /**
     * @param batchLengthMax bytes at which a batch is full
     * @param windowBytes see {@link SendWindow}
     */
    public DirectOutbox(
            Link link, SessionIdentity identity, Completions completions, int batchLengthMax, long windowBytes) {
        this.link = link;
        this.identity = identity;
        this.completions = completions;
        this.batchLengthMax = batchLengthMax;
        this.window = new SendWindow(windowBytes);
    }

    @Override
    public void send(DuramenMessage message, SendHeaders headers, PartitionRef partition, boolean persistent)
            throws JMSException {
        throwRefusal();
        window.awaitRoom(link);
        if (!persistent && headers.largeBody() == null) {
            outbox(partition).add(message, headers, Publish.Acks.NONE, false, batch -> {});
            return;
        }
        Call.Waiter waiter = new Call.Waiter();
        // Who sent a body ahead has to know whether its message was refused.
        Publish.Acks acks = persistent ? Publish.Acks.ALL : Publish.Acks.LEADER;
        outbox(partition).add(message, headers, acks, persistent, batch -> batch.waiter(waiter));
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
        Publish.Acks acks = persistent ? Publish.Acks.ALL : Publish.Acks.LEADER;
        outbox(partition).add(message, headers, acks, persistent, batch -> completions.add(completion, batch));
    }

    private PartitionOutbox outbox(PartitionRef partition) {
        if (partition != lastPartition) {
            lastPartition = partition;
            lastOutbox = partitions.computeIfAbsent(
                    partition, p -> new PartitionOutbox(link, p, identity, window, batchLengthMax));
        }
        return lastOutbox;
    }

    /** A non-persistent send was refused. Called on the link's thread. */
    public void onRefusal(ProtocolException cause) {
        refusal.compareAndSet(null, cause);
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
