package io.duramen.jms.session;

import io.duramen.jms.body.BodySender;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.message.BodyContent;
import io.duramen.jms.message.DuramenMessage;
import io.duramen.jms.message.ForeignMessages;
import io.duramen.jms.message.SendHeaders;
import io.duramen.jms.publishing.Completions;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.LargeBody;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import java.nio.charset.StandardCharsets;

/** One thread at a time, as its session. Stamps messages, chooses their partition and hands them to the outbox. */
final class DuramenProducer implements QueueSender, TopicPublisher {
    /** Of sending a body anew, because the node has lost what it had of it. */
    private static final int TRIES_MAX = 3;

    private static final String GROUP_ID = "JMSXGroupID";

    private final DuramenSession session;
    private final DuramenDestination destination;
    private final SendSettings settings = new SendSettings();
    private final SendHeaders headers = new SendHeaders();
    private final long idProducer = Conversation.randomId();
    private long lastIdNumber;
    private byte[] publisher;
    private volatile boolean closed;

    /** @param destination null where each send names its own */
    DuramenProducer(DuramenSession session, DuramenDestination destination) {
        this.session = session;
        this.destination = destination;
    }

    private void checkOpen() throws IllegalStateException {
        if (closed || session.isClosed()) {
            throw new IllegalStateException("the producer is closed");
        }
    }

    // ---- sending ---------------------------------------------------------------------------------------------------

    private DuramenDestination own() throws JMSException {
        checkOpen();
        if (destination == null) {
            throw new UnsupportedOperationException("the producer was made without a destination: the send names one");
        }
        return destination;
    }

    private DuramenDestination other(Destination named) throws JMSException {
        checkOpen();
        if (destination != null) {
            throw new UnsupportedOperationException("the producer was made for " + destination);
        }
        return DuramenDestination.ours(named);
    }

    private static CompletionListener checked(CompletionListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("the CompletionListener is null");
        }
        return listener;
    }

    /** Where a message goes and how. */
    private record Shipping(DuramenDestination to, boolean persistent, int priority, long timeToLiveMillis) {}

    private Shipping usual(DuramenDestination to) {
        return new Shipping(to, settings.persistent(), settings.priority(), settings.timeToLiveMillis());
    }

    private static Shipping special(DuramenDestination to, int deliveryMode, int priority, long timeToLiveMillis)
            throws JMSException {
        return new Shipping(
                to,
                SendSettings.isPersistent(deliveryMode),
                SendSettings.checkedPriority(priority),
                SendSettings.checkedMillis(timeToLiveMillis, "time to live"));
    }

    /** @param listener null to wait */
    private void send(Message message, Shipping shipping, CompletionListener listener) throws JMSException {
        boolean entered = session.soleThread().enter("send");
        try {
            sendAlone(message, shipping, listener);
        } finally {
            session.soleThread().leave(entered);
        }
    }

    private void sendAlone(Message message, Shipping shipping, CompletionListener listener) throws JMSException {
        DuramenMessage ours = ForeignMessages.adopt(message);
        Partitions partitions = session.conversation().partitions(shipping.to);
        PartitionRef partition = partitions.all().size() == 1 ? partitions.all().get(0) : choose(partitions, ours);
        stamp(shipping);
        try {
            int most = session.connection()
                    .settings()
                    .bodyLengthMax(session.conversation().link().limits().frameLengthMax());
            int lengthMax = session.outbox().bodyLengthMax(most);
            BodyContent content = ours.longBody(lengthMax);
            Completions.Send completion = listener == null ? null : new Completions.Send(message, listener);
            if (content == null) {
                sendWhole(ours, partition, completion);
            } else if (lengthMax == most || !content.isRereadable() || ours.longBody(most) != null) {
                sendApart(ours, content, partition, completion);
            } else {
                sendApartWherePossible(ours, content, partition, completion);
            }
        } catch (InvalidDestinationException e) {
            session.conversation().forget(shipping.to);
            throw e;
        }
        if (ours != message) {
            ForeignMessages.copySentHeaders(ours, message);
        }
    }

    /** @param completion null to wait */
    private void sendWhole(DuramenMessage message, PartitionRef partition, Completions.Send completion)
            throws JMSException {
        boolean persistent = headers.isPersistent();
        if (completion == null) {
            session.outbox().send(message, headers, partition, persistent);
        } else {
            session.outbox().sendAsync(message, headers, partition, persistent, completion);
        }
    }

    /** As {@link #sendApart}, or whole where the node takes no more bodies ahead. */
    private void sendApartWherePossible(
            DuramenMessage message, BodyContent content, PartitionRef partition, Completions.Send completion)
            throws JMSException {
        try {
            sendApart(message, content, partition, completion);
        } catch (ResourceAllocationException e) {
            if (!ErrorCode.RESOURCE_EXHAUSTED.name().equals(e.getErrorCode())) {
                throw e;
            }
            sendWhole(message, partition, completion);
        }
    }

    /**
     * Stores the body ahead of the message, whatever it takes, then sends the message, which names it.
     *
     * @param completion null to wait for the message, too
     */
    private void sendApart(
            DuramenMessage message, BodyContent content, PartitionRef partition, Completions.Send completion)
            throws JMSException {
        boolean persistent = headers.isPersistent();
        for (int tries = 1; ; tries++) {
            LargeBody body =
                    session.bodies().send(content, partition, persistent).orElse(null);
            headers.largeBody(body);
            try {
                sendWhole(
                        message,
                        partition,
                        completion == null
                                ? null
                                : new Completions.Send(
                                        completion.message(), dropping(completion.listener(), partition, body)));
                return;
            } catch (JMSException e) {
                if (body != null) {
                    session.bodies().drop(partition.shard(), body.name());
                }
                if (!BodySender.isLost(e) || !content.isRereadable() || tries == TRIES_MAX) {
                    throw e;
                }
                content.rewind();
            } finally {
                headers.largeBody(null);
            }
        }
    }

    /** A body whose message is refused later is given up then. */
    private CompletionListener dropping(CompletionListener listener, PartitionRef partition, LargeBody body) {
        if (body == null) {
            return listener;
        }
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                listener.onCompletion(message);
            }

            @Override
            public void onException(Message message, Exception exception) {
                session.bodies().drop(partition.shard(), body.name());
                listener.onException(message, exception);
            }
        };
    }

    private PartitionRef choose(Partitions partitions, DuramenMessage message) throws JMSException {
        String group = message.propertyExists(GROUP_ID) ? message.getStringProperty(GROUP_ID) : null;
        if (group != null) {
            return partitions.ofGroup(group);
        }
        DedupKey dedup = message.dedupKey();
        return dedup != null
                ? partitions.ofKey(dedup)
                : partitions.ofProducer(
                        session.identity().producerId(), session.identity().hasName());
    }

    /** The end of time where it would be beyond. */
    private static long after(long now, long millis) {
        return millis > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + millis;
    }

    private void stamp(Shipping shipping) {
        long now = System.currentTimeMillis();
        long timeToLive = shipping.timeToLiveMillis;
        long delay = settings.deliveryDelayMillis();
        headers.destination(shipping.to)
                .persistent(shipping.persistent)
                .priority(shipping.priority)
                .times(
                        settings.withoutTimestamp() ? 0 : now,
                        timeToLive == 0 ? 0 : after(now, timeToLive),
                        delay == 0 ? 0 : after(now, delay));
        if (settings.withoutId()) {
            headers.id(0, 0);
        } else {
            headers.id(idProducer, ++lastIdNumber);
        }
        if (publisher == null) {
            publisher = session.connection().publisher().getBytes(StandardCharsets.UTF_8); // it cannot change any more
            headers.userId(session.connection().settings().userIdOrNull());
        }
        headers.publisher(shipping.to.kind().isQueue() ? null : publisher);
    }

    @Override
    public void send(Message message) throws JMSException {
        send(message, usual(own()), null);
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLive) throws JMSException {
        send(message, special(own(), deliveryMode, priority, timeToLive), null);
    }

    @Override
    public void send(Destination to, Message message) throws JMSException {
        send(message, usual(other(to)), null);
    }

    @Override
    public void send(Destination to, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send(message, special(other(to), deliveryMode, priority, timeToLive), null);
    }

    @Override
    public void send(Message message, CompletionListener listener) throws JMSException {
        send(message, usual(own()), checked(listener));
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLive, CompletionListener listener)
            throws JMSException {
        send(message, special(own(), deliveryMode, priority, timeToLive), checked(listener));
    }

    @Override
    public void send(Destination to, Message message, CompletionListener listener) throws JMSException {
        send(message, usual(other(to)), checked(listener));
    }

    @Override
    public void send(
            Destination to,
            Message message,
            int deliveryMode,
            int priority,
            long timeToLive,
            CompletionListener listener)
            throws JMSException {
        send(message, special(other(to), deliveryMode, priority, timeToLive), checked(listener));
    }

    // ---- the older names -------------------------------------------------------------------------------------------

    @Override
    public void send(Queue queue, Message message) throws JMSException {
        send((Destination) queue, message);
    }

    @Override
    public void send(Queue queue, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send((Destination) queue, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void publish(Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(Message message, int deliveryMode, int priority, long timeToLive) throws JMSException {
        send(message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void publish(Topic topic, Message message) throws JMSException {
        send((Destination) topic, message);
    }

    @Override
    public void publish(Topic topic, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send((Destination) topic, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) destination;
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        return (Topic) destination;
    }

    // ---- settings --------------------------------------------------------------------------------------------------

    @Override
    public Destination getDestination() throws JMSException {
        checkOpen();
        return destination;
    }

    @Override
    public void setDisableMessageID(boolean value) throws JMSException {
        checkOpen();
        settings.withoutId(value);
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        checkOpen();
        return settings.withoutId();
    }

    @Override
    public void setDisableMessageTimestamp(boolean value) throws JMSException {
        checkOpen();
        settings.withoutTimestamp(value);
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        checkOpen();
        return settings.withoutTimestamp();
    }

    @Override
    public void setDeliveryMode(int deliveryMode) throws JMSException {
        checkOpen();
        settings.deliveryMode(deliveryMode);
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        checkOpen();
        return settings.deliveryMode();
    }

    @Override
    public void setPriority(int priority) throws JMSException {
        checkOpen();
        settings.priority(priority);
    }

    @Override
    public int getPriority() throws JMSException {
        checkOpen();
        return settings.priority();
    }

    @Override
    public void setTimeToLive(long millis) throws JMSException {
        checkOpen();
        settings.timeToLiveMillis(millis);
    }

    @Override
    public long getTimeToLive() throws JMSException {
        checkOpen();
        return settings.timeToLiveMillis();
    }

    @Override
    public void setDeliveryDelay(long millis) throws JMSException {
        checkOpen();
        settings.deliveryDelayMillis(millis);
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        checkOpen();
        return settings.deliveryDelayMillis();
    }

    /** {@inheritDoc} Returns once the CompletionListeners of the session were told of all that it has sent. */
    @Override
    public void close() throws JMSException {
        if (closed || session.isClosed()) {
            closed = true;
            return;
        }
        session.awaitCompletions("the close of a producer");
        closed = true;
    }
}
