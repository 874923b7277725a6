package io.duramen.node.network;

import io.netty.channel.Channel;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpmcUnboundedXaddArrayQueue;
import org.jctools.queues.SpscUnboundedArrayQueue;

/**
 * Decides whether a connection is read from. Confined to its event loop, except {@link #handled}, which the agent calls,
 * and {@link #waitingBytes}. What was handed to the inbox and not yet handled is bounded by a limit of the connection
 * and one of the node; reading stops past either and goes on at half of it.
 */
final class ReadGate {
    /** Why a connection is not read from. */
    enum Reason {
        /** Too much of this connection waits in the inbox. */
        OWN_BACKLOG,
        /** Too much of all connections waits in the inbox. */
        NODE_BACKLOG,
        /** Too many requests wait for an answer. */
        IN_FLIGHT,
        /** The client does not read what waits for it. */
        UNREAD,
        /** Something that all further frames depend on (login, client id) is being found out. */
        PENDING,
        /** The node is stopping. */
        STOPPING
    }

    /** What a frame costs beside its bytes, so that very many very short ones are bounded, too. */
    private static final int FRAME_OVERHEAD = 128;

    private static final int CHUNK = 64;

    private final Channel channel;
    private final InboundBudget budget;
    private final long limit;
    private final Runnable onHandled;
    private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    private final Queue<Integer> lengths;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Runnable resumeNode;
    private volatile long notifyAtBytes = -1;

    /**
     * @param shards how many may say that they have handled something
     * @param onHandled run on the event loop when what waited has become as little as was asked for
     */
    ReadGate(Channel channel, InboundBudget budget, long limit, int shards, Runnable onHandled) {
        this.lengths = shards == 1 ? new SpscUnboundedArrayQueue<>(CHUNK) : new MpmcUnboundedXaddArrayQueue<>(CHUNK);
        this.channel = channel;
        this.budget = budget;
        this.limit = limit;
        this.onHandled = onHandled;
        this.resumeNode = () -> onLoop(() -> open(Reason.NODE_BACKLOG));
    }

    /** To be called before a frame is put into the inbox. */
    void handing(int frameLength) {
        int cost = frameLength + FRAME_OVERHEAD;
        lengths.offer(cost);
        long waiting = waitingBytes.addAndGet(cost);
        if (budget.add(cost)) {
            shut(Reason.NODE_BACKLOG);
            budget.awaitRoom(resumeNode);
        }
        if (waiting >= limit && shut(Reason.OWN_BACKLOG)) {
            notifyAt(limit / 2);
        }
    }

    /** By an agent: the oldest frame handed over no longer waits (which one it is makes no difference to the sum). */
    void handled() {
        int cost = lengths.poll();
        budget.subtract(cost);
        if (waitingBytes.addAndGet(-cost) <= notifyAtBytes) {
            onLoop(this::onHandled);
        }
    }

    /** Has {@code onHandled} run when nothing waits any more. */
    void notifyWhenEmpty() {
        notifyAt(0);
    }

    long waitingBytes() {
        return waitingBytes.get();
    }

    boolean isOpen() {
        return reasons.isEmpty();
    }

    /** @return whether it was not shut for that reason before */
    boolean shut(Reason reason) {
        boolean added = reasons.add(reason);
        if (added && reasons.size() == 1) {
            channel.config().setAutoRead(false);
        }
        return added;
    }

    void open(Reason reason) {
        if (reasons.remove(reason) && reasons.isEmpty()) {
            channel.config().setAutoRead(true);
        }
    }

    void close() {
        notifyAtBytes = -1;
        budget.forget(resumeNode);
    }

    private void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            notifyAtBytes = -1; // the event loops have ended, and with them the connection
        }
    }

    private void notifyAt(long bytes) {
        notifyAtBytes = bytes;
        if (waitingBytes.get() <= bytes) {
            onLoop(this::onHandled);
        }
    }

    private void onHandled() {
        if (notifyAtBytes >= 0 && waitingBytes.get() <= notifyAtBytes) {
            notifyAtBytes = -1;
            open(Reason.OWN_BACKLOG);
            onHandled.run();
        }
    }
}
