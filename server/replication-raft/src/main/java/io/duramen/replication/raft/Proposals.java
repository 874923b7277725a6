package io.duramen.replication.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.error.RaftError;
import io.duramen.runtime.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Entries that this replica, as the leader, has given indexes to, and hands to the engine: no more at a time than it takes without
 * refusing one, since an entry left out would move all that follow; and in {@link Rounds}. Confined to the agent.
 *
 * <p>The engine's own entries move them, too. So before it makes some, the indexes of these are left out, and what is added from then on is
 * held back until they stand in the log. Where fewer came than were left out, entries without records take their places.
 */
final class Proposals {
    /** Less than the engine's queues hold. */
    static final int ENTRIES_MAX = 256;

    private static final long BYTES_MAX = 8L << 20;

    private final Mailbox mailbox;
    private final Clock clock;
    private final Consumer<IOException> onRefused;
    private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
    private final ArrayDeque<ByteBuffer> held = new ArrayDeque<>();
    private final Rounds rounds = new Rounds();
    private final ArrayDeque<Integer> proposed = new ArrayDeque<>();
    private final Set<Long> leftOut = new HashSet<>();
    private boolean holding;
    private int leftOutCount;
    private long heldBytes;
    private long proposedBytes;
    private long committedIndex;
    private long lastIndex;
    private long epoch;

    /** @param onRefused called on the agent's thread where the engine refused an entry, though this replica leads */
    Proposals(Mailbox mailbox, Clock clock, Consumer<IOException> onRefused) {
        this.mailbox = mailbox;
        this.clock = clock;
        this.onRefused = onRefused;
    }

    /**
     * Begins an epoch.
     *
     * @param committed index of its first entry
     * @param last index of the last that the engine has made of itself by now
     */
    void begin(long firstEpoch, long committed, long last) {
        clear();
        epoch = firstEpoch;
        lastIndex = last;
        committedIndex = committed;
        leaveOut(committed + 1, last);
    }

    private void leaveOut(long from, long to) {
        for (long index = from; index <= to; index++) {
            leftOut.add(index);
            proposed.add(0);
        }
    }

    /** Leaves out so many indexes, and holds back what is added from here on. */
    void hold(int entries) {
        if (holding) {
            throw new IllegalStateException("entries are held back already");
        }
        holding = true;
        leftOutCount = entries;
        lastIndex += entries;
    }

    /** Whether what is added is held back. */
    boolean isHolding() {
        return holding;
    }

    /** The last of the indexes that were left out. */
    long leftOutTo() {
        return lastIndex - held.size();
    }

    /**
     * Whether all from before the indexes that were left out is in the log. The engine may make its entries once this was true.
     *
     * @param lastInLog index of the log's last entry
     */
    boolean isNextLeftOut(long lastInLog) {
        if (!waiting.isEmpty() || lastInLog < leftOutTo() - leftOutCount) {
            return false;
        }
        leaveOut(leftOutTo() - leftOutCount + 1, leftOutTo());
        return true;
    }

    /**
     * Hands over again, with what was held back.
     *
     * @param filler without records, for each index that was left out and that the engine has not taken; it takes none from here on
     */
    void goOn(List<ByteBuffer> filler) {
        holding = false;
        for (int i = 0; i < filler.size(); i++) {
            proposed.removeLast();
            leftOut.remove(leftOutTo() - i);
        }
        filler.forEach(payload -> await(payload, true));
        held.forEach(payload -> await(payload, true));
        held.clear();
        heldBytes = 0;
    }

    private void await(ByteBuffer payload, boolean awaited) {
        waiting.add(payload);
        rounds.added(payload.remaining(), awaited, clock.nanos());
    }

    /** Whether an entry of the engine's own has its place there. */
    boolean isLeftOut(long index) {
        return leftOut.contains(index);
    }

    /** Forgets what was not handed over, and what was. */
    void clear() {
        waiting.clear();
        held.clear();
        proposed.clear();
        leftOut.clear();
        rounds.clear();
        holding = false;
        heldBytes = 0;
        proposedBytes = 0;
    }

    /**
     * @param awaited whether somebody waits for it
     * @return the index it will have
     */
    long add(ByteBuffer payload, boolean awaited) {
        if (holding) {
            held.add(payload);
            heldBytes += payload.remaining();
        } else {
            await(payload, awaited);
        }
        return ++lastIndex;
    }

    /** The last index given, in this leadership or, before it begins, the one before. */
    long lastIndex() {
        return lastIndex;
    }

    /** Bytes that the log does not know of yet, at most. */
    long pendingBytes() {
        return heldBytes + rounds.waitingBytes() + proposedBytes;
    }

    /**
     * Hands over an entry of which nobody waits, which takes one of the indexes that were left out: which of them, the engine
     * decides.
     */
    void push(Node node, ByteBuffer filler) {
        long proposedIn = epoch;
        Task task = new Task(filler, status -> ended(status, proposedIn));
        task.setExpectedTerm(epoch);
        node.apply(task);
    }

    /** Hands over what there is room for, where a round is due; returns how many entries. */
    int propose(Node node) {
        // What stands before indexes that were left out is waited for.
        if (!hasRoom() || !holding && !rounds.isDue(clock.nanos())) {
            return 0;
        }
        int done = 0;
        int bytes = 0;
        while (hasRoom()) {
            ByteBuffer payload = waiting.poll();
            bytes += payload.remaining();
            proposedBytes += payload.remaining();
            proposed.add(payload.remaining());
            long proposedIn = epoch;
            Task task = new Task(payload, status -> ended(status, proposedIn));
            task.setExpectedTerm(epoch);
            node.apply(task);
            done++;
        }
        rounds.began(committedIndex + proposed.size(), bytes, clock.nanos());
        return done;
    }

    /** Whether the engine takes the first of those that wait. */
    private boolean hasRoom() {
        return !waiting.isEmpty()
                && proposed.size() < ENTRIES_MAX
                && (proposedBytes == 0 || proposedBytes + waiting.peek().remaining() <= BYTES_MAX);
    }

    /** When time alone makes something due; {@link Long#MAX_VALUE} for never. */
    long deadlineNanos() {
        return hasRoom() ? rounds.deadlineNanos() : Long.MAX_VALUE;
    }

    /** On a thread of the engine's. */
    private void ended(Status status, long proposedIn) {
        if (!status.isOk() && !isLossOfLeadership(status)) {
            mailbox.offer(() -> {
                if (proposedIn == epoch) {
                    onRefused.accept(new IOException("the consensus engine refused an entry: " + status));
                }
            });
        }
    }

    /** What is told besides, when this replica leads no more or its log stops. */
    private static boolean isLossOfLeadership(Status status) {
        RaftError error = status.getRaftError();
        return error == RaftError.EPERM
                || error == RaftError.ENODESHUTDOWN
                || error == RaftError.ESTOP
                || error == RaftError.EIO
                || error == RaftError.EBUSY && status.getErrorMsg().contains("transferring");
    }

    /** Entries up to this one are committed. */
    void committed(long index) {
        while (committedIndex < index && !proposed.isEmpty()) {
            committedIndex++;
            leftOut.remove(committedIndex);
            proposedBytes -= proposed.poll();
        }
        rounds.committed(committedIndex, clock.nanos());
    }
}
