package io.duramen.jms.link;

import io.duramen.protocol.Api;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Close;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.EndConsumer;
import io.duramen.protocol.frame.Failure;
import io.duramen.protocol.frame.Identify;
import io.duramen.protocol.frame.Ping;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.SendAgain;
import io.netty.channel.EventLoop;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Any thread for the methods of {@link Link}; all else is confined to the link's thread: one event loop, or who has the
 * {@link Turn} for a moment. Connects to
 * the first address that lets it in; when that connection is lost, tries them again in order with growing delays, logs
 * in under the same identity, lets its listener restore what the node forgot, and repeats in their old order the
 * requests that were not answered.
 */
public final class ReconnectingLink implements Link, Wire.Listener, FrameSink {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingLink.class);
    private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

    private final LinkOptions options;
    private final LinkListener listener;
    private final EventLoops loops;
    private final EventLoop loop;
    private final LateLinks late;
    private final Queue<Outgoing> outgoing = new ConcurrentLinkedQueue<>();
    private final Queue<Outgoing> later = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean drainDue = new AtomicBoolean();
    private final AtomicBoolean laterDue = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Turn turn = new Turn();
    private final Runnable drain = () -> turn.run(this::drain);
    private final Runnable drainLater = () -> turn.run(this::drainLater);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private volatile long upSinceNanos;
    private volatile boolean up;
    private volatile Stuck stuck;
    private volatile LinkLostException gone;
    private volatile LinkLimits limits = LinkLimits.HANDSHAKE;

    // The link's thread only.
    private final Unanswered unanswered = new Unanswered();
    private final Attempts attempts;
    private Wire wire;
    private int connection;
    private Identify.Request identity;

    private ReconnectingLink(LinkOptions options, LinkListener listener) {
        this.options = options;
        this.listener = listener;
        this.loops = EventLoops.of(options.nodes().get(0));
        this.loop = loops.lease();
        this.late = loops.late(loop);
        this.attempts = new Attempts(options, loop, turn);
    }

    /**
     * Connects and logs in, trying each address once, and the leader that it names.
     *
     * @param name its client id, or one that is made up: when it is back, what the node has of its last connection ends first
     * @param incarnation see {@link Identify.Request#incarnation}
     * @throws JMSException where no node lets it in; JMSSecurityException for wrong credentials
     */
    public static Link open(LinkOptions options, LinkListener listener, String name, long incarnation)
            throws JMSException {
        ReconnectingLink link = new ReconnectingLink(options, listener);
        CompletableFuture<Void> opened = new CompletableFuture<>();
        link.execute(() -> {
            link.identity = new Identify.Request(name, incarnation);
            link.attempts.oneRound(link.identity, (wire, cause) -> link.onOpened(wire, cause, opened));
        });
        try {
            opened.get();
            return link;
        } catch (ExecutionException e) {
            throw JmsErrors.of((RuntimeException) e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            link.close();
            throw JmsErrors.interrupted("connecting");
        }
    }

    /** A name that no client id is and no other incarnation makes up. */
    public static String madeUpName(long incarnation) {
        return Identify.MADE_UP + Long.toString(incarnation, Character.MAX_RADIX);
    }

    private void onOpened(Wire opened, Throwable cause, CompletableFuture<Void> waiting) {
        if (opened != null) {
            onUp(opened);
            waiting.complete(null);
            return;
        }
        RuntimeException failure = cause instanceof ProtocolException refusal
                ? refusal
                : new LinkLostException("cannot connect to " + options.nodes() + ": " + reason(cause), false, cause);
        end(new LinkLostException("never connected", false, cause));
        waiting.completeExceptionally(failure);
    }

    private static String reason(Throwable cause) {
        return cause == null
                ? "the node closed it"
                : cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private void onUp(Wire next) {
        wire = next;
        wire.listener(this);
        limits = wire.limits();
        connection++;
        upSinceNanos = System.nanoTime();
        stuck = null;
        up = true;
        if (connection > 1) {
            LOG.info("Reconnected after {} round(s)", attempts.rounds());
            unanswered.dropUnrepeated();
            List<Unanswered.Question> repeated = unanswered.all();
            listener.onResume(this);
            repeated.forEach(this::write);
        }
        new Heartbeat(wire, limits.heartbeatMillis()).schedule(loop);
        drain();
    }

    // ---- from any thread -------------------------------------------------------------------------------------------

    @Override
    public void send(Outgoing next) {
        outgoing.offer(next);
        wakeFor(next);
    }

    private void wakeFor(Outgoing next) {
        if (gone != null) {
            abandon(outgoing, next);
        } else if (drainDue.compareAndSet(false, true)) {
            try {
                loop.execute(drain);
            } catch (RejectedExecutionException e) {
                abandon(outgoing, next);
            }
        }
    }

    @Override
    public void sendAwaited(Outgoing next) {
        outgoing.offer(next);
        if (!turn.tryTake()) {
            wakeFor(next);
            return;
        }
        boolean done;
        try {
            done = drainHere();
        } finally {
            turn.give();
        }
        if (!done) {
            wakeFor(next);
        }
    }

    @Override
    public void sendLater(Outgoing next) {
        later.offer(next);
        if (gone != null) {
            abandon(later, next);
        } else if (laterDue.compareAndSet(false, true)) {
            try {
                late.add(drainLater);
            } catch (RejectedExecutionException e) {
                abandon(later, next);
            }
        }
    }

    /** Only what was handed in just now: its owner may hold its own lock, and must not need another's. */
    private void abandon(Queue<Outgoing> from, Outgoing late) {
        if (from.remove(late)) {
            late.abandoned(gone != null ? gone : new LinkLostException("the connection is closed", false, null));
        }
    }

    private void execute(Runnable task) {
        try {
            loop.execute(() -> turn.run(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("The loop has ended, and the link before it", e);
        }
    }

    private void abandonAll() {
        for (Outgoing next = poll(); next != null; next = poll()) {
            next.abandoned(gone);
        }
    }

    private Outgoing poll() {
        Outgoing next = later.poll();
        return next != null ? next : outgoing.poll();
    }

    @Override
    public LinkLimits limits() {
        return limits;
    }

    @Override
    public long requestTimeoutNanos() {
        return TimeUnit.MILLISECONDS.toNanos(options.timeouts().requestMillis());
    }

    @Override
    public Optional<Stuck> stuck() {
        return Optional.ofNullable(stuck);
    }

    @Override
    public OptionalLong upSinceNanos() {
        return up ? OptionalLong.of(upSinceNanos) : OptionalLong.empty();
    }

    @Override
    public void identify(String clientId, long incarnation) throws JMSException {
        Identify.Request claim = new Identify.Request(clientId, incarnation);
        Call.ask(this, claim, Identify.Response.class);
        execute(() -> identity = claim);
    }

    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            execute(this::sayClose);
        }
        if (!loop.inEventLoop()) {
            try {
                ended.get(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                LOG.debug("The link was closed without waiting further for the node's answer", e);
            }
            execute(() -> end(new LinkLostException("the connection is closed", false, null)));
        }
    }

    // ---- the link's thread -----------------------------------------------------------------------------------------

    private void sayClose() {
        LinkLostException closed = new LinkLostException("the connection is closed", false, null);
        if (wire == null) {
            end(closed);
            return;
        }
        drain();
        request(new Close.Request(), new Reply() {
            @Override
            public void answered(Record response) {
                end(closed);
            }

            @Override
            public void failed(RuntimeException cause) {
                end(closed);
            }
        });
        if (wire != null) {
            wire.flush();
        }
    }

    private void end(LinkLostException cause) {
        if (gone != null) {
            return;
        }
        gone = cause;
        up = false;
        attempts.stop();
        Wire last = wire;
        wire = null;
        unanswered.failAll(new LinkLostException(cause.getMessage(), true, cause.getCause()));
        abandonAll();
        ended.complete(null);
        if (last == null) {
            loops.release();
        } else {
            last.close(cause, loops::release);
        }
    }

    private void drainLater() {
        laterDue.set(false);
        drain();
    }

    /** @return false where the event loop has to {@link #drain} */
    private boolean drainHere() {
        if (wire == null || !wire.isQuiet()) {
            return false;
        }
        while (!wire.hasLeft() && writeNext()) {
            // as much as one write to the socket takes
        }
        return wire.flushHere();
    }

    private void drain() {
        drainDue.set(false);
        writeOutgoing();
        if (wire != null) {
            wire.flush();
        }
    }

    private void writeOutgoing() {
        while (writeNext()) {
            // all that may be
        }
    }

    /** @return false where there is nothing, or nothing more may be on its way now */
    private boolean writeNext() {
        Outgoing next = wire != null && wire.isWritable() && unanswered.size() < limits.inFlightMax() ? poll() : null;
        if (next == null) {
            return false;
        }
        try {
            next.write(this);
        } catch (RuntimeException e) {
            LOG.error("A frame could not be made; the connection is started anew", e);
            wire.close(e);
        }
        return true;
    }

    @Override
    public void request(Record request, Reply reply) {
        write(unanswered.add(request, reply));
    }

    private void write(Unanswered.Question question) {
        try {
            wire.write(Frame.request(question.correlation(), question.request()), question.reply());
        } catch (ProtocolException e) {
            unanswered.take(question.correlation());
            question.reply().failed(e);
        }
    }

    @Override
    public void oneWay(Record request, int owner) {
        try {
            wire.write(Frame.request(-1L - owner, request));
        } catch (ProtocolException e) {
            listener.onRefusal(owner, e);
        }
    }

    @Override
    public void push(Record push) {
        wire.write(Frame.push(push));
    }

    @Override
    public int connection() {
        return connection;
    }

    @Override
    public void onReady() {
        if (!outgoing.isEmpty() || !later.isEmpty()) {
            drain();
        } else if (wire != null) {
            wire.flush();
        }
    }

    @Override
    public void onFrame(Frame frame) {
        switch (frame.kind()) {
            case PUSH -> onPush(frame.payload());
            case RESPONSE -> onAnswer(frame);
            case FAILURE -> onFailure(frame);
            case REQUEST -> onRequest(frame);
        }
    }

    private void onPush(Record push) {
        if (push instanceof Deliver.Push deliver) {
            late.expect(); // of its settlement
            listener.onDeliver(deliver);
        } else if (push instanceof Drained.Push drained) {
            listener.onDrained(drained);
        } else if (push instanceof Recall.Push recall) {
            listener.onRecall(recall);
        } else if (push instanceof EndConsumer.Push end) {
            listener.onEndConsumer(end);
        } else if (push instanceof SendAgain.Push again) {
            onRoom(again);
        }
    }

    private void onRoom(SendAgain.Push again) {
        for (SendAgain.Waiting waiting : again.requests()) {
            Unanswered.Question question = unanswered.again(waiting.correlation());
            if (question != null) {
                write(question);
            }
        }
        wire.flush();
    }

    private void onAnswer(Frame frame) {
        Unanswered.Question question = unanswered.take(frame.correlation());
        if (question != null) {
            question.reply().answered(frame.payload());
        }
    }

    private void onFailure(Frame frame) {
        Failure failure = (Failure) frame.payload();
        ProtocolException refusal = new ProtocolException(ErrorCode.of(failure.code()), failure.detail());
        if (frame.correlation() < 0) {
            listener.onRefusal((int) (-1L - frame.correlation()), refusal);
            return;
        }
        if (refusal.code() == ErrorCode.SHUTTING_DOWN || refusal.code() == ErrorCode.NOT_LEADER) {
            wire.close(refusal); // unanswered: repeated at the node that takes over
            return;
        }
        if (refusal.code() == ErrorCode.DESTINATION_FULL_WAIT) {
            Unanswered.Question waiting = unanswered.waits(frame.correlation());
            if (waiting != null) {
                waiting.reply().waits(refusal);
            }
            return;
        }
        Unanswered.Question question = unanswered.take(frame.correlation());
        if (question != null) {
            question.reply().failed(refusal);
        }
    }

    private void onRequest(Frame frame) {
        if (frame.api() == Api.PING) {
            wire.write(Frame.response(Api.PING, frame.correlation(), new Ping.Response()));
        } else {
            wire.close(new ProtocolException(ErrorCode.UNSUPPORTED, "the node asked for " + frame.api()));
        }
    }

    @Override
    public void onClosed(Throwable cause) {
        wire = null;
        up = false;
        if (gone != null) {
            return;
        }
        LinkLostException lost = new LinkLostException("connection lost: " + reason(cause), true, cause);
        unanswered.dropUnrepeated();
        listener.onLost(lost);
        if (closing.get()) {
            end(lost);
        } else if (!options.reconnect().enabled()) {
            giveUp(lost);
        } else {
            LOG.warn("Connection lost ({}); reconnecting", reason(cause));
            attempts.rounds(() -> identity, this::onUp, this::giveUp, this::onNews);
        }
    }

    private void onNews() {
        Stuck before = stuck;
        stuck = attempts.noMajority()
                .map(reason -> new Stuck(before == null ? System.nanoTime() : before.sinceNanos(), reason))
                .orElse(null);
        if (before == null && stuck != null) {
            LOG.warn("No node can serve: {}", stuck.reason());
        }
    }

    private void giveUp(LinkLostException cause) {
        boolean wanted = gone == null && !closing.get();
        end(cause);
        if (wanted) {
            listener.onGivenUp(cause);
        }
    }
}
