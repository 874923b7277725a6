package io.duramen.jms.body;

import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Patience;
import io.duramen.jms.link.Reply;
import io.duramen.jms.message.BodyParts;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.record.BodyPart;
import io.duramen.protocol.record.LargeBody;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * One thread at a time reads; the link's thread answers. Fetches a body's parts in order, a bounded number ahead. What was
 * asked and not answered when a connection is lost is asked again over the next.
 */
public final class BodyFetcher implements BodyParts {
    private static final int AHEAD_MAX = 64;
    private static final int TRIES_MAX = 100;
    private static final long TRY_AGAIN_MILLIS = 50;

    /** Whose message it is: see {@link FetchPart.Request}. */
    public record Holder(int shard, int consumerId, int partition, long offset) {}

    private final Link link;
    private final Holder holder;
    private final LargeBody body;
    private final int aheadBytes;
    private final int ahead;
    private final ArrayDeque<Asked> asked = new ArrayDeque<>();
    private int nextIndex;
    private long lengthRead;

    /** @param aheadBytes asked for before they are read, about */
    public BodyFetcher(Link link, Holder holder, LargeBody body, int aheadBytes) {
        this.link = link;
        this.holder = holder;
        this.body = body;
        this.aheadBytes = aheadBytes;
        long partBytes = Math.max(1, body.length() / body.runs().parts());
        this.ahead = (int) Math.max(1, Math.min(AHEAD_MAX, aheadBytes / partBytes));
    }

    @Override
    public long length() {
        return body.length();
    }

    @Override
    public BodyParts fresh() {
        return new BodyFetcher(link, holder, body, aheadBytes);
    }

    @Override
    public ByteBuffer next() throws JMSException {
        while (asked.size() < ahead && nextIndex < body.runs().parts()) {
            Asked next = new Asked(nextIndex++);
            asked.add(next);
            link.send(next);
        }
        Asked first = asked.peek();
        if (first == null) {
            return null;
        }
        ByteBuffer part = first.await();
        asked.poll();
        lengthRead += part.remaining();
        requireWithin(first.index + 1 == body.runs().parts());
        return part;
    }

    /** Each part is checked by itself; together they are the body that the message names where their lengths add up, too. */
    private void requireWithin(boolean last) throws JMSException {
        if (lengthRead > body.length() || last && lengthRead != body.length()) {
            throw new JMSException(
                    "the node gave " + lengthRead + " bytes of a body of " + body.length(),
                    ErrorCode.CORRUPT_BATCH.name());
        }
    }

    /** One part. */
    private final class Asked implements Outgoing, Reply {
        private final int index;

        // Guarded by this.
        private ByteBuffer part;
        private RuntimeException failure;

        Asked(int index) {
            this.index = index;
        }

        @Override
        public void write(FrameSink sink) {
            sink.request(
                    new FetchPart.Request(
                            holder.shard,
                            holder.consumerId,
                            holder.partition,
                            holder.offset,
                            body.partition(),
                            body.name().high(),
                            body.name().low(),
                            index,
                            body.runs().offset(index)),
                    this);
        }

        @Override
        public synchronized void answered(Record response) {
            part = ((FetchPart.Response) response).part();
            notifyAll();
        }

        @Override
        public synchronized void failed(RuntimeException cause) {
            failure = cause;
            notifyAll();
        }

        @Override
        public void abandoned(LinkLostException cause) {
            failed(cause);
        }

        synchronized ByteBuffer await() throws JMSException {
            Patience patience = new Patience(link);
            for (int tries = 1; part == null; tries++) {
                while (part == null && failure == null) {
                    long left = patience.leftNanos();
                    if (left == 0) {
                        throw patience.timedOut("FetchPart");
                    }
                    pause(left);
                }
                if (failure != null) {
                    askAgain(tries);
                }
            }
            return checked();
        }

        /** After a reconnect the consumer may be attached a moment later than the part is asked for. */
        private void askAgain(int tries) throws JMSException {
            boolean attaching =
                    failure instanceof ProtocolException refusal && refusal.code() == ErrorCode.CONSUMER_NOT_FOUND;
            if (!attaching || tries == TRIES_MAX) {
                throw told();
            }
            failure = null;
            pause(TimeUnit.MILLISECONDS.toNanos(TRY_AGAIN_MILLIS));
            link.send(this);
        }

        private void pause(long nanos) throws JMSException {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw JmsErrors.interrupted("FetchPart");
            }
        }

        private JMSException told() {
            if (failure instanceof ProtocolException refusal && refusal.code() == ErrorCode.LEASE_LOST) {
                return JmsErrors.caused(
                        new JMSException(
                                "the body can be read only until its message is acknowledged, and as long as this"
                                        + " consumer holds it: " + refusal.getMessage(),
                                refusal.code().name()),
                        refusal);
            }
            return JmsErrors.of(failure);
        }

        private ByteBuffer checked() throws JMSException {
            try {
                BodyPart.check(part);
            } catch (ProtocolException e) {
                throw JmsErrors.of(e);
            }
            if (!BodyPart.isPart(part, body.name(), index)) {
                throw new JMSException(
                        "the node gave another part than " + index + " of the body", ErrorCode.CORRUPT_BATCH.name());
            }
            return BodyPart.bytes(part);
        }
    }
}
