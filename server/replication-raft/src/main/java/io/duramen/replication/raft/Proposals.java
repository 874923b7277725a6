package io.duramen.replication.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.error.RaftError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Entries that this replica, as the leader, has given indexes to, and hands to the engine: no more at a time than it takes without
 * refusing one, since an entry left out would move all that follow. Confined to the agent.
 */
final class Proposals {
    /** Less than the engine's queues hold. */
    private static final int ENTRIES_MAX = 256;

    private static final long BYTES_MAX = 8L << 20;

    private final Mailbox mailbox;
    private final Consumer<IOException> onRefused;
    private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
    private final ArrayDeque<Integer> proposed = new ArrayDeque<>();
    private long waitingBytes;
    private long proposedBytes;
    private long committedIndex;
    private long lastIndex;
    private long epoch;

    /** @param onRefused called on the agent's thread where the engine refused an entry, though this replica leads */
    Proposals(Mailbox mailbox, Consumer<IOException> onRefused) {
        this.mailbox = mailbox;
        this.onRefused = onRefused;
    }

    /** Begins an epoch whose first entry this is. */
    void begin(long firstEpoch, long firstIndex) {
        clear();
        epoch = firstEpoch;
        lastIndex = firstIndex;
        committedIndex = firstIndex;
    }

    /** Forgets what was not handed over, and what was. */
    void clear() {
        waiting.clear();
        proposed.clear();
        waitingBytes = 0;
        proposedBytes = 0;
    }

    /** @return the index it will have */
    long add(ByteBuffer payload) {
        waiting.add(payload);
        waitingBytes += payload.remaining();
        return ++lastIndex;
    }

    /** Bytes that the log does not know of yet, at most. */
    long pendingBytes() {
        return waitingBytes + proposedBytes;
    }

    /** Hands over what there is room for; returns how many entries. */
    int propose(Node node) {
        int done = 0;
        while (!waiting.isEmpty()
                && proposed.size() < ENTRIES_MAX
                && (proposedBytes == 0 || proposedBytes + waiting.peek().remaining() <= BYTES_MAX)) {
            ByteBuffer payload = waiting.poll();
            waitingBytes -= payload.remaining();
            proposedBytes += payload.remaining();
            proposed.add(payload.remaining());
            long proposedIn = epoch;
            Task task = new Task(payload, status -> ended(status, proposedIn));
            task.setExpectedTerm(epoch);
            node.apply(task);
            done++;
        }
        return done;
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
            proposedBytes -= proposed.poll();
        }
    }
}
