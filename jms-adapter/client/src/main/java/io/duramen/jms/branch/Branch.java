package io.duramen.jms.branch;

import io.duramen.jms.delivery.Owing;
import io.duramen.jms.publishing.TransactedOutbox;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Settle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Guarded by itself. What the sessions of one connection have done for a branch that this client began. */
final class Branch {
    /** What one session has done for it. */
    private static final class Part {
        final TransactedOutbox outbox;
        boolean active;
        boolean suspended;

        Part(TransactedOutbox outbox) {
            this.outbox = outbox;
        }
    }

    /**
     * What a commit in one phase is known by to the node: a transaction of the session whose resource was told to commit,
     * whoever asks for its outcome later.
     */
    record OnePhase(int shard, long producerId, long sequence) {}

    private final BranchId id;
    private final LongSupplier clock;
    private final ReentrantLock rollback = new ReentrantLock();
    private final long startedNanos;
    private final int timeoutSeconds;
    private final Map<Enlistment, Part> parts = new LinkedHashMap<>();
    private final Map<Owing, List<Commit.ConsumerSettlement>> accepted = new LinkedHashMap<>();
    private boolean rollbackOnly;
    private boolean sentToPrepare;
    private boolean prepared;
    private boolean overdue;
    private boolean rollbackUnsaid;
    private boolean rolledBack;
    private OnePhase onePhase;
    private String refusal;
    private boolean unseen;

    /**
     * @param timeoutSeconds 0 for none
     * @param clock as {@link System#nanoTime}
     */
    Branch(BranchId id, int timeoutSeconds, LongSupplier clock) {
        this.id = id;
        this.clock = clock;
        this.startedNanos = clock.getAsLong();
        this.timeoutSeconds = timeoutSeconds;
    }

    BranchId id() {
        return id;
    }

    // ---- sessions come and go --------------------------------------------------------------------------------------

    /** The session works for it from now on; what it sends goes there. */
    synchronized TransactedOutbox join(Enlistment session, TransactedOutbox fresh) {
        Part part = parts.computeIfAbsent(session, none -> new Part(fresh));
        part.active = true;
        part.suspended = false;
        return part.outbox;
    }

    /** The session works for it no longer, or for the moment. */
    synchronized void leave(Enlistment session, boolean forTheMoment) {
        Part part = parts.get(session);
        part.active = false;
        part.suspended = forTheMoment;
    }

    synchronized boolean isSuspendedBy(Enlistment session) {
        Part part = parts.get(session);
        return part != null && part.suspended;
    }

    /** Whether a session works for it, or has only suspended that. */
    synchronized boolean isBusy() {
        return parts.values().stream().anyMatch(part -> part.active || part.suspended);
    }

    /** What the session was given while it worked for it. */
    synchronized void accept(Owing owing, List<Commit.ConsumerSettlement> settlements) {
        if (!settlements.isEmpty()) {
            accepted.computeIfAbsent(owing, none -> new ArrayList<>()).addAll(settlements);
        }
    }

    // ---- what becomes of it ----------------------------------------------------------------------------------------

    synchronized void markRollbackOnly() {
        rollbackOnly = true;
    }

    /** What was received will not be processed, however often it comes. */
    synchronized void refuseOnRollback(String reason) {
        refusal = reason;
    }

    /** Nobody has had what was received. */
    synchronized void releaseOnRollback() {
        unseen = true;
    }

    /** What becomes of what it received, where it is rolled back without the node's knowing of it. */
    synchronized Settle.Outcome rolledBackAs() {
        if (unseen) {
            return Settle.Outcome.RELEASED;
        }
        return refusal == null ? Settle.Outcome.REJECTED : Settle.Outcome.REFUSED;
    }

    /** Why; empty where it is not refused. */
    synchronized String refusal() {
        return refusal == null ? "" : refusal;
    }

    synchronized boolean isRollbackOnly() {
        return rollbackOnly || overdue;
    }

    boolean isTimedOut() {
        return timeoutSeconds > 0 && clock.getAsLong() - startedNanos > TimeUnit.SECONDS.toNanos(timeoutSeconds);
    }

    /**
     * The node may know of it from now on.
     *
     * @return false, and it does not, where it was given up as overdue
     */
    synchronized boolean markSentToPrepare() {
        sentToPrepare = !overdue;
        return sentToPrepare;
    }

    /** The node has all of it: nothing is needed here but what consumers owe. */
    synchronized void markPrepared() {
        prepared = true;
        parts.values().forEach(part -> part.outbox.clear());
    }

    /**
     * Claims it for being rolled back, where its time is over and its manager has neither ended it nor seems to: nothing
     * else can become of it then.
     */
    synchronized boolean claimOverdue() {
        boolean claimed = !overdue && !isBusy() && !isSent() && isTimedOut();
        overdue |= claimed;
        return claimed;
    }

    /**
     * It is rolled back, by its manager or since its prepare has failed, and the node could not be told, or has not answered.
     */
    synchronized void markRollbackUnsaid() {
        rollbackUnsaid = true;
        rolledBack = true;
    }

    /**
     * Claims it for being rolled back on the node, where that is due and the node does not know. A manager does not come again
     * for that where recovery does not list the branch, and its prepare may never have arrived.
     */
    synchronized boolean claimUnsaidRollback() {
        boolean claimed = rollbackUnsaid;
        rollbackUnsaid = false;
        return claimed;
    }

    /** Held while the node is told of its rollback: one at a time does so. */
    ReentrantLock rollback() {
        return rollback;
    }

    synchronized boolean isPrepared() {
        return prepared;
    }

    /**
     * Whether it is done with, or the node can be asked about it, by whoever ends it: it need not be known here. Of one that
     * this client is to roll back by itself nobody else may ask.
     */
    synchronized boolean isDispensable() {
        return overdue || isSent() && !rolledBack;
    }

    synchronized boolean isSentToPrepare() {
        return sentToPrepare;
    }

    /**
     * Its commit in one phase is sent under this name.
     *
     * @return false, and it must not be sent, where it was given up as overdue
     */
    synchronized boolean sentInOnePhase(OnePhase as) {
        onePhase = overdue ? null : as;
        return !overdue;
    }

    /** The name of its commit in one phase; null where none was sent. */
    synchronized OnePhase onePhase() {
        return onePhase;
    }

    /** Whether the node may know of it: no more work can be added. */
    synchronized boolean isSent() {
        return sentToPrepare || onePhase != null;
    }

    synchronized boolean isEmpty() {
        return accepted.isEmpty() && parts.values().stream().allMatch(part -> part.outbox.isEmpty());
    }

    synchronized Map<Owing, List<Commit.ConsumerSettlement>> accepted() {
        return new LinkedHashMap<>(accepted);
    }

    /** As {@link #accepted()}; it is no longer the branch's. */
    synchronized Map<Owing, List<Commit.ConsumerSettlement>> takeAccepted() {
        Map<Owing, List<Commit.ConsumerSettlement>> taken = accepted();
        accepted.clear();
        return taken;
    }

    /** What it does in each shard that it concerns, by their number; the first of them decides for all. */
    synchronized List<Commit.ShardPart> byShard() {
        return shards().stream().map(this::part).toList();
    }

    private Commit.ShardPart part(int shard) {
        return new Commit.ShardPart(
                shard,
                parts.values().stream()
                        .flatMap(part -> part.outbox.batches(shard).stream())
                        .toList(),
                accepted.entrySet().stream()
                        .filter(entry -> entry.getKey().shard() == shard)
                        .flatMap(entry -> entry.getValue().stream())
                        .toList());
    }

    /** It will not be committed. */
    synchronized void giveUp() {
        parts.values().forEach(part -> part.outbox.giveUp());
    }

    /** Shards that it concerns. */
    synchronized TreeSet<Integer> shards() {
        TreeSet<Integer> shards = new TreeSet<>();
        parts.values().forEach(part -> shards.addAll(part.outbox.shards()));
        accepted.keySet().forEach(owing -> shards.add(owing.shard()));
        return shards;
    }
}
