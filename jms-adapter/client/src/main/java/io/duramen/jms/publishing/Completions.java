package io.duramen.jms.publishing;

import io.duramen.jms.link.JmsErrors;
import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asynchronous sends of one session whose listeners have yet to be told: added by the sending thread, told by the
 * connection's callback thread in the order of the sends, many for each time it wakes up.
 */
public final class Completions {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);
    private static final int TOLD_AT_ONCE = 128;

    /** What to tell to whom. */
    public record Send(Message message, CompletionListener listener) {}

    private final CallbackThread callbacks;
    private final Runnable tell = this::tell;
    private final Runnable wake = this::wake;

    // Guarded by this.
    private final ArrayDeque<Begun> pending = new ArrayDeque<>();
    /** Those that are pending or being told, and sends that have begun and are not among them yet. */
    private int untold;

    private boolean telling;
    private boolean ended;
    // The callback thread only.
    private boolean inListener;

    public Completions(CallbackThread callbacks) {
        this.callbacks = callbacks;
    }

    /**
     * A send begins: whoever waits for all that are to be told waits for it, too, until it is closed or told of.
     *
     * @throws IllegalStateException once the session has ended: nobody would be told any more
     */
    synchronized Begun begin(Send send) throws IllegalStateException {
        if (ended) {
            throw new IllegalStateException("the session is closed");
        }
        untold++;
        return new Begun(send);
    }

    /** A send that has begun. When it is closed before it {@link #isIn} a batch or {@link #isDone}, nothing was sent. */
    final class Begun implements AutoCloseable {
        private final Send send;
        private Batch batch;
        private boolean added;

        private Begun(Send send) {
            this.send = send;
        }

        /** The message is in the batch; to be called before the batch can leave. */
        void isIn(Batch taken) {
            batch = taken;
            taken.onAnswered(wake);
            add(this);
        }

        /** The message is where it has to be already. */
        void isDone() {
            add(this);
            wake();
        }

        private boolean isAnswered() {
            return batch == null || batch.isAnswered();
        }

        @Override
        public void close() {
            if (!added) {
                told(1);
            }
        }
    }

    private synchronized void add(Begun send) {
        send.added = true;
        pending.add(send);
    }

    private void wake() {
        synchronized (this) {
            notifyAll(); // the callback thread itself may wait for this
            if (telling) {
                return;
            }
            telling = true;
        }
        callbacks.run(tell);
    }

    private void tell() {
        Begun[] next = new Begun[TOLD_AT_ONCE];
        for (int count = take(next); count > 0; count = take(next)) {
            tell(next, count);
        }
    }

    private void tell(Begun[] next, int count) {
        for (int i = 0; i < count; i++) {
            tell(next[i]);
            next[i] = null;
        }
        told(count);
    }

    private synchronized int take(Begun[] into) {
        int count = 0;
        while (count < into.length) {
            Begun head = pending.peek();
            if (head == null || !head.isAnswered()) {
                break;
            }
            into[count++] = pending.poll();
        }
        if (count == 0) {
            telling = false;
        }
        return count;
    }

    private synchronized void told(int count) {
        untold -= count;
        if (untold == 0) {
            notifyAll();
        }
    }

    private void tell(Begun done) {
        RuntimeException failure = done.batch == null ? null : done.batch.failure();
        inListener = true;
        try {
            if (failure == null) {
                done.send.listener.onCompletion(done.send.message);
            } else {
                done.send.listener.onException(done.send.message, JmsErrors.of(failure));
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("A CompletionListener threw", e);
        } finally {
            inListener = false;
        }
    }

    /** Whether the current thread is in a CompletionListener of this session. */
    public boolean isTelling() {
        return callbacks.isCurrent() && inListener;
    }

    /**
     * Waits until every listener was told; not to be called from one. The callback thread, which may come from a listener
     * of another session or the ExceptionListener, tells them itself.
     */
    public void awaitAll() throws JMSException {
        awaitAll(false);
    }

    /** As {@link #awaitAll}, and no send begins any more. */
    public void end() throws JMSException {
        awaitAll(true);
    }

    private void awaitAll(boolean forGood) throws JMSException {
        try {
            boolean done = false;
            while (!done) {
                if (callbacks.isCurrent()) {
                    tellAll();
                }
                done = awaitNone(forGood);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.interrupted("CompletionListeners");
        }
    }

    /** @return false where the callback thread has to tell more */
    private synchronized boolean awaitNone(boolean forGood) throws InterruptedException {
        while (untold > 0) {
            if (callbacks.isCurrent()) {
                return false;
            }
            wait();
        }
        ended |= forGood;
        return true;
    }

    private void tellAll() throws InterruptedException {
        Begun[] next = new Begun[TOLD_AT_ONCE];
        while (awaitAnswered()) {
            tell(next, take(next));
        }
    }

    /** @return whether there is one to tell; false where all were told */
    private synchronized boolean awaitAnswered() throws InterruptedException {
        while (untold > 0 && (pending.isEmpty() || !pending.peek().isAnswered())) {
            wait();
        }
        return !pending.isEmpty();
    }
}
