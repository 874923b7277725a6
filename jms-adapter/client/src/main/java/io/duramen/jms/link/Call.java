package io.duramen.jms.link;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One request whose caller waits: confined to the calling thread but for the two callbacks. */
public final class Call implements Outgoing, Reply {
    private final Record request;
    private final ErrorCode goneAlready;
    private final Waiter waiter = new Waiter();
    private volatile Record response;
    private volatile boolean givenUp;
    private boolean repeated;

    private Call(Record request, ErrorCode goneAlready) {
        this.request = request;
        this.goneAlready = goneAlready;
    }

    /**
     * Sends and waits. Once this has thrown, the request is not sent any more, nor again.
     *
     * @throws JMSException the refusal, a lost link, or no answer within the request timeout
     */
    public static <T extends Record> T ask(Link link, Record request, Class<T> answer) throws JMSException {
        Call call = new Call(request, null);
        call.sendAndWait(link);
        return answer.cast(call.response);
    }

    /**
     * As {@link #ask} for a request that removes something: that it is {@code goneAlready} counts as success when the
     * request was repeated over a new connection, since the first one may have done it.
     */
    public static void remove(Link link, Record request, ErrorCode goneAlready) throws JMSException {
        new Call(request, goneAlready).sendAndWait(link);
    }

    private void sendAndWait(Link link) throws JMSException {
        link.sendAwaited(this);
        try {
            waiter.await(link, request);
        } finally {
            givenUp = !waiter.isDone();
        }
    }

    @Override
    public void write(FrameSink sink) {
        if (!givenUp) {
            sink.request(request, this);
        }
    }

    @Override
    public void answered(Record answer) {
        response = answer;
        waiter.done(null);
    }

    @Override
    public void failed(RuntimeException cause) {
        boolean removed = repeated && cause instanceof ProtocolException refusal && refusal.code() == goneAlready;
        waiter.done(removed ? null : cause);
    }

    @Override
    public void abandoned(LinkLostException cause) {
        waiter.done(cause);
    }

    @Override
    public boolean sentAgain() {
        repeated = true;
        return !givenUp;
    }

    /** Where a thread waits for an answer: one waiting thread, one that answers. Not for use a second time. */
    public static final class Waiter {
        private static final long DOWN_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

        private final Thread thread = Thread.currentThread();
        private volatile boolean done;
        private RuntimeException failure;
        private volatile ProtocolException why;

        /** @param failure null for success */
        public void done(RuntimeException failure) {
            this.failure = failure;
            done = true;
            LockSupport.unpark(thread);
        }

        /** What is waited for is not answered yet, for this reason. */
        public void waits(ProtocolException reason) {
            why = reason;
        }

        public boolean isDone() {
            return done;
        }

        /**
         * Waits on the thread that made this object. While the link is down the request timeout stands still.
         *
         * @param what for the message of an exception
         */
        public void await(Link link, Object what) throws JMSException {
            await(link, what, Long.MAX_VALUE);
        }

        /** As {@link #await}, but returns when the node is away for long: for what goes on by itself once it is back. */
        public void awaitUnlessDown(Link link, Object what) throws JMSException {
            await(link, what, DOWN_NANOS_MAX);
        }

        private void await(Link link, Object what, long downNanos) throws JMSException {
            if (done) {
                rethrow();
                return;
            }
            Patience patience = new Patience(link);
            while (!done) {
                long left = patience.leftNanos();
                if (patience.isDownFor(downNanos)) {
                    return;
                }
                if (left == 0) {
                    throw patience.timedOut(why == null ? what : what + " (" + why.getMessage() + ")");
                }
                LockSupport.parkNanos(this, left);
                if (!done && Thread.interrupted()) {
                    Thread.currentThread().interrupt();
                    throw JmsErrors.interrupted(what);
                }
            }
            rethrow();
        }

        private void rethrow() throws JMSException {
            if (failure != null) {
                throw JmsErrors.of(failure);
            }
        }
    }
}
