package io.duramen.jms.session;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.link.Call;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Reply;
import io.duramen.jms.message.AllowedClasses;
import io.duramen.jms.message.MessageDecoder;
import io.duramen.protocol.frame.AwaitChecks;
import io.duramen.protocol.frame.AwaitChecks.HalfBatch;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Thread-safe. What {@link HalfMessageChecks} do in one shard, on a thread of their own. */
final class HalfAsker {
    private static final Logger LOG = LoggerFactory.getLogger(HalfAsker.class);

    private static final int CHECKS_MAX = 32;
    private static final long PAUSE_MILLIS = 1_000;

    private static final Reply UNHEARD = new Reply() {
        @Override
        public void answered(Record response) {}

        @Override
        public void failed(RuntimeException cause) {}

        @Override
        public boolean sentAgain() {
            return false;
        }
    };

    private final DuramenConnection connection;
    private final int shard;
    private final String group;
    private final HalfMessageChecker checker;
    private final AllowedClasses allowed;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private final Object lock = new Object();
    // Guarded by the lock.
    private boolean asking;

    /** @param checker called by one thread at a time */
    HalfAsker(DuramenConnection connection, int shard, String group, HalfMessageChecker checker) {
        this.connection = connection;
        this.shard = shard;
        this.group = group;
        this.checker = checker;
        this.allowed = connection.settings().allowedClasses();
        this.thread = new Thread(this::run, "duramen-checks-" + group + "-" + shard);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void run() {
        try {
            while (!isClosing()) {
                round();
            }
        } catch (InterruptedException e) {
            LOG.debug("Checks of group {} end", group);
        } finally {
            leave();
        }
    }

    /** So that nothing is asked here any more. Nobody waits for it, and without a connection it is not needed. */
    private void leave() {
        Link link = connection.conversation().link();
        if (link.upSinceNanos().isPresent()) {
            link.send(new Outgoing() {
                @Override
                public void write(FrameSink sink) {
                    sink.request(new AwaitChecks.Request(shard, group, 0, 0), UNHEARD);
                }

                @Override
                public void abandoned(LinkLostException cause) {}
            });
        }
    }

    private void round() throws InterruptedException {
        try {
            for (AwaitChecks.Check check : ask().checks()) {
                answer(check);
            }
        } catch (JMSException e) {
            if (isClosing()) {
                return;
            }
            LOG.warn("Half messages of group {} cannot be checked just now: {}", group, e.getMessage());
            if (JmsErrors.LINK_LOST.equals(e.getErrorCode())) {
                closing.countDown();
            }
            closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private AwaitChecks.Response ask() throws JMSException {
        synchronized (lock) {
            asking = true;
        }
        try {
            Link link = connection.conversation().link();
            return Call.ask(
                    link,
                    new AwaitChecks.Request(shard, group, waitMillis(link), CHECKS_MAX),
                    AwaitChecks.Response.class);
        } finally {
            synchronized (lock) {
                asking = false;
                Thread.interrupted(); // close may have
            }
        }
    }

    /** Well within the time that the link waits for an answer. */
    private static int waitMillis(Link link) {
        long patience = TimeUnit.NANOSECONDS.toMillis(link.requestTimeoutNanos()) / 2;
        return (int) (patience == 0 ? AwaitChecks.WAIT_MILLIS_MAX : Math.min(patience, AwaitChecks.WAIT_MILLIS_MAX));
    }

    private void answer(AwaitChecks.Check check) throws JMSException {
        HalfPlace place = new HalfPlace(shard, check.id());
        HalfMessageChecker.Verdict verdict;
        try {
            verdict = checker.check(new HalfMessageChecker.Check(
                    place.toString(),
                    message(check.batches().get(0)),
                    check.asks(),
                    Instant.ofEpochMilli(check.preparedMillis())));
        } catch (Exception e) {
            LOG.warn("The checker of group {} failed on half message {}", group, place, e);
            return;
        }
        if (verdict != HalfMessageChecker.Verdict.UNKNOWN) {
            end(place, verdict == HalfMessageChecker.Verdict.CONFIRM);
        }
    }

    private void end(HalfPlace place, boolean confirm) throws JMSException {
        try {
            place.end(connection.conversation().link(), confirm);
        } catch (jakarta.jms.IllegalStateException e) {
            LOG.warn("Half message {} of group {} was ended otherwise meanwhile: {}", place, group, e.getMessage());
        }
    }

    private Message message(HalfBatch half) {
        ByteBuffer batch = half.batch().batch();
        int at = batch.position() + RecordBatch.HEADER_LENGTH;
        int length = batch.getInt(at + MessageRecord.LENGTH_AT) + Integer.BYTES;
        DuramenDestination destination =
                half.destination().isEmpty() ? null : DuramenDestination.of(half.kind(), half.destination());
        return MessageDecoder.decode(batch.slice(at, length), destination, 1, allowed);
    }

    /** Asks no more; a check that is going on goes on. */
    void stop() {
        closing.countDown();
        synchronized (lock) {
            if (asking) {
                thread.interrupt();
            }
        }
    }

    /** Whether the current thread is in a check of it. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Waits, after {@link #stop}, for a check that is going on. */
    void join() throws InterruptedException {
        thread.join();
    }
}
