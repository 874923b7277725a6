package io.duramen.jms.body;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Reply;
import io.duramen.jms.message.BodyContent;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.DropBody;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.StorePart;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.BodyPart;
import io.duramen.protocol.record.LargeBody;
import io.duramen.protocol.record.PartRuns;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * One thread at a time. Sends a body's parts ahead of its message, so many at a time that the way is neither idle nor
 * blocked for others. What is not answered when a connection is lost is sent again over the next, so a body goes on where
 * it was.
 */
public final class BodySender {
    /** Bytes of a body in one part; small, so that other frames pass between. */
    private static final int PART_BYTES = 128 * 1024;

    private static final int FRAME_OVERHEAD = Frame.HEADER_LENGTH + BodyPart.HEADER_LENGTH + 64;
    private static final int TRIES_MAX = 3;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Link link;
    private final long windowBytes;

    /** @param windowBytes most bytes on their way, about */
    public BodySender(Link link, long windowBytes) {
        this.link = link;
        this.windowBytes = windowBytes;
    }

    /**
     * Sends all of it and waits until it is stored.
     *
     * @param persistent whether it is to survive the machine
     * @return empty where the content has no bytes
     * @throws JMSException where it cannot be read or is refused; what was stored is given up then
     */
    public Optional<LargeBody> send(BodyContent content, PartitionRef partition, boolean persistent)
            throws JMSException {
        for (int tries = 1; ; tries++) {
            // What can be read again need not be on disk before its message is.
            boolean again = content.isRereadable();
            Sending sending = new Sending(partition, persistent && !again ? Acks.ALL : Acks.LEADER);
            try {
                return sending.send(content);
            } catch (JMSException | RuntimeException | Error e) {
                drop(partition.shard(), sending.name);
                if (!again || tries == TRIES_MAX || !isLost(e)) {
                    throw e;
                }
                content.rewind();
            }
        }
    }

    /** Whether the node no longer has what it had of a body. */
    public static boolean isLost(Throwable failure) {
        return failure instanceof JMSException refusal
                && ErrorCode.BODY_NOT_THERE.name().equals(refusal.getErrorCode());
    }

    /** Tells the node that no message will name the body; nobody waits for it. */
    public void drop(int shard, BodyName name) {
        link.send(new Dropping(new DropBody.Request(shard, name.high(), name.low())));
    }

    private record Dropping(DropBody.Request request) implements Outgoing, Reply {
        @Override
        public void write(FrameSink sink) {
            sink.request(request, this);
        }

        @Override
        public void answered(Record response) {
            // Nothing depends on it.
        }

        @Override
        public void failed(RuntimeException cause) {
            // The node drops it by itself, later.
        }

        @Override
        public void abandoned(LinkLostException cause) {
            // As for failed.
        }
    }

    private final class Sending {
        private final BodyName name = new BodyName(RANDOM.nextLong(), RANDOM.nextLong());
        private final PartitionRef partition;
        private final Acks acks;
        private final ArrayDeque<Part> unanswered = new ArrayDeque<>();
        private final PartRuns runs = new PartRuns();
        private long unansweredBytes;
        private long length;

        Sending(PartitionRef partition, Acks acks) {
            this.partition = partition;
            this.acks = acks;
        }

        Optional<LargeBody> send(BodyContent content) throws JMSException {
            int partBytes = Math.min(PART_BYTES, link.limits().frameLengthMax() - FRAME_OVERHEAD);
            for (int index = 0; ; index++) {
                ByteBuffer bytes = ByteBuffer.allocate(BodyPart.HEADER_LENGTH + partBytes);
                content.read(bytes.position(BodyPart.HEADER_LENGTH));
                boolean last = bytes.hasRemaining();
                bytes.flip();
                if (BodyPart.length(bytes) > 0) {
                    store(bytes, index);
                }
                if (last) {
                    break;
                }
            }
            while (!unanswered.isEmpty()) {
                awaitFirst();
            }
            return length == 0
                    ? Optional.empty()
                    : Optional.of(new LargeBody(partition.partition(), name, length, runs));
        }

        private void store(ByteBuffer bytes, int index) throws JMSException {
            BodyPart.seal(bytes, name, index);
            Part part = new Part(new StorePart.Request(partition.shard(), partition.partition(), acks, bytes));
            length += BodyPart.length(bytes);
            unanswered.add(part);
            unansweredBytes += bytes.remaining();
            link.send(part);
            while (unansweredBytes > windowBytes
                    || !unanswered.isEmpty() && unanswered.peek().isDone()) {
                awaitFirst();
            }
        }

        private void awaitFirst() throws JMSException {
            Part first = unanswered.peek();
            runs.add(first.await());
            unanswered.poll();
            unansweredBytes -= first.request.part().remaining();
        }
    }

    /** One part on its way. */
    private final class Part implements Outgoing, Reply {
        private final StorePart.Request request;
        private final Call.Waiter waiter = new Call.Waiter();
        private volatile long place;

        Part(StorePart.Request request) {
            this.request = request;
        }

        boolean isDone() {
            return waiter.isDone();
        }

        long await() throws JMSException {
            waiter.await(link, request);
            return place;
        }

        @Override
        public void write(FrameSink sink) {
            sink.request(request, this);
        }

        @Override
        public void answered(Record response) {
            place = ((StorePart.Response) response).offset();
            waiter.done(null);
        }

        @Override
        public void failed(RuntimeException cause) {
            waiter.done(cause);
        }

        @Override
        public void abandoned(LinkLostException cause) {
            waiter.done(cause);
        }
    }
}
