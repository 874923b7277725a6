package io.duramen.broker.shard;

import io.duramen.broker.shard.ControlRecord.DecisionCarriedOut;
import io.duramen.broker.shard.ControlRecord.TransactionDecided;
import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.broker.shard.ShardMessage.AskOutcome;
import io.duramen.broker.shard.ShardMessage.Ending;
import io.duramen.broker.shard.ShardMessage.FinishBranch;
import io.duramen.broker.shard.ShardMessage.Finished;
import io.duramen.broker.shard.ShardMessage.OutcomePending;
import io.duramen.broker.shard.ShardMessage.PrepareBranch;
import io.duramen.broker.shard.ShardMessage.Voted;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.broker.transaction.Spread;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides transactions that concern several shards, for those that were addressed to this one: two phases, presumed abort.
 * Confined to the agent.
 *
 * <p>The other shards prepare their parts, in parallel and on disk; this one only keeps its own deliveries back meanwhile,
 * since its part happens in the entry that holds the decision. That entry is the moment of truth: what is prepared
 * elsewhere without it is dropped, what is prepared with it is committed, now or after a restart. The decision is forgotten
 * when all have carried it out on disk. Nobody waits for any of it but who asked.
 */
final class SpanningDecisions {
    /** Others that are far have so long to prepare their parts: one that has no majority may never say that it cannot. */
    private static final Duration VOTES_MAX = Duration.ofSeconds(10);

    /** What shall become of a transaction once everyone can. */
    interface Goal {
        /** What tells a repeat of the request. */
        Object key();

        Asked asked();

        /** @throws ProtocolException where it cannot be stored in this shard */
        void check();

        /**
         * Adds to the open entry what happens in this shard, but for what is accepted here where it commits.
         *
         * @throws ProtocolException where it cannot be stored in this shard any more; nothing was added
         */
        Decided decide(Attempt attempt);

        void refused(ProtocolException reason);

        Record response();
    }

    /**
     * What is asked for.
     *
     * @param settlements in this shard
     * @param others what happens in other shards
     */
    record Asked(
            ConnectionState connection, List<Commit.ConsumerSettlement> settlements, List<Commit.ShardPart> others) {}

    enum Decided {
        /** Everyone is to commit. */
        COMMITTED,
        /** A transaction manager will say. */
        PREPARED
    }

    /** One that is on its way. Every other shard has prepared its part when its goal is to decide. */
    static final class Attempt {
        private final Goal goal;
        private final List<HeldForBranch> taken;
        private final List<Reply> replies = new ArrayList<>(1);
        private final List<Runnable> after = new ArrayList<>(0);
        private final Set<Integer> unvoted;
        private final long dueNanos;

        /** That have voted, got other leaders, and asked what became of it. */
        private final Set<Integer> asking = new TreeSet<>();

        private Spread over;
        private Guard guard = Guard.NONE;
        private boolean closed;

        private Attempt(Goal goal, Spread over, List<HeldForBranch> taken, long dueNanos) {
            this.goal = goal;
            this.dueNanos = dueNanos;
            this.over = over;
            this.taken = taken;
            this.unvoted = new TreeSet<>(over.others());
        }

        Spread over() {
            return over;
        }

        /** What the dedup ids in the other shards say. */
        Guard guard() {
            return guard;
        }

        /** Its dedup ids are all known: it settles what it accepts, and stores nothing. */
        void leaveOutMessages() {
            over = over.settlingOnly();
        }

        /** What it accepts in this shard. */
        List<HeldForBranch> taken() {
            return taken;
        }
    }

    /** One whose end the others are told. */
    private static final class Telling {
        final Ending ending;
        final Runnable whenSeen;
        final Set<Integer> unseen;
        final Set<Integer> undurable;

        Telling(Spread over, Ending ending, Runnable whenSeen) {
            this.ending = ending;
            this.whenSeen = whenSeen;
            this.unseen = new TreeSet<>(over.others());
            this.undurable = new TreeSet<>(over.others());
        }
    }

    private final ShardPlace place;
    private final ShardState state;
    private final Appender appender;
    private final SettleDecisions settling;
    private final Asides others;
    private final Clock clock;
    private final boolean far;

    private final Map<Object, Attempt> byKey = new HashMap<>();
    private final Map<BranchId, Attempt> byName = new LinkedHashMap<>();
    private final Map<BranchId, Telling> tellings = new LinkedHashMap<>();

    /** Decided before this leadership, and not heard by all others yet. */
    private final Set<BranchId> unheard = new HashSet<>();

    /** Shards that are far, and were met, that take parts of transactions. */
    private final Set<Integer> ready = new HashSet<>();

    /** Attempts that were dropped since they were not voted on in time, and by whom that has not been carried out. */
    private final Map<BranchId, Set<Integer>> overdue = new HashMap<>();

    private long epoch;
    private long lastNumber;

    SpanningDecisions(
            ShardPlace place,
            ShardState state,
            Appender appender,
            SettleDecisions settling,
            Asides others,
            Clock clock) {
        this.others = others;
        this.clock = clock;
        this.far = others.areFar();
        this.place = place;
        this.state = state;
        this.appender = appender;
        this.settling = settling;
    }

    /** Starts a leadership: what was decided is carried out. */
    void lead(long newEpoch) {
        epoch = newEpoch;
        for (PreparedBranch branch : List.copyOf(state.branches.all())) {
            if (branch.isDecision()) {
                Spread over = branch.spread().get(0);
                unheard.add(over.inner());
                carryOut(over, () -> unheard.remove(over.inner()));
            }
        }
    }

    /** Whether all that was decided before this leadership was heard by the others: who asks next is told that it is committed. */
    boolean isClear() {
        return unheard.isEmpty();
    }

    // ---- others that are far ---------------------------------------------------------------------------------------

    /** Has met another shard, which has perhaps not heard how transactions have ended that it has a part in. */
    void met(int shard) {
        tellings.forEach((inner, telling) -> {
            if (telling.undurable.contains(shard)) {
                others.tell(shard, new FinishBranch(inner, telling.ending));
            }
        });
    }

    /** Another shard, which was met, has asked what it has to ask: parts of new transactions come behind the answers. */
    void takesParts(int shard) {
        ready.add(shard);
    }

    /** Has lost another shard: what it has not voted on is off, which it is told when it is met again. */
    void lost(int shard) {
        ready.remove(shard);
        for (Attempt attempt : List.copyOf(byName.values())) {
            if (!attempt.closed && attempt.unvoted.contains(shard)) {
                abort(attempt, Set.of(), away(shard));
            }
        }
    }

    private static ProtocolException away(int shard) {
        return new ProtocolException(
                ErrorCode.NOT_LEADER,
                "shard " + shard + " of the transaction gets another leader; nothing was committed");
    }

    /** @throws ProtocolException where one of the others is not to be had now: it may be asked again */
    private void requireReady(List<Commit.ShardPart> parts) {
        if (!far) {
            return;
        }
        for (Commit.ShardPart part : parts) {
            int shard = part.shard();
            if (!ready.contains(shard) || overdue.values().stream().anyMatch(late -> late.contains(shard))) {
                throw away(shard);
            }
        }
    }

    /**
     * Drops what others that are far have not voted on in time. Who asked is not let wait for these; they are told as soon as they hear, and take
     * no part before they have dropped it.
     */
    int dropOverdue() {
        if (!far) {
            return 0;
        }
        long now = clock.nanos();
        List<Attempt> due = byName.values().stream()
                .filter(attempt -> !attempt.closed && now - attempt.dueNanos >= 0)
                .toList();
        for (Attempt attempt : due) {
            Set<Integer> silent = Set.copyOf(attempt.unvoted);
            overdue.put(attempt.over.inner(), new TreeSet<>(silent));
            drop(
                    attempt,
                    Set.of(),
                    silent,
                    new ProtocolException(
                            ErrorCode.NOT_LEADER,
                            "shards " + silent + " of the transaction do not answer; nothing was committed"));
        }
        return due.size();
    }

    /** When the next of these is due; of those that are far alone. */
    long deadlineNanos() {
        if (!far) {
            return Long.MAX_VALUE;
        }
        return byName.values().stream()
                .filter(attempt -> !attempt.closed)
                .mapToLong(attempt -> attempt.dueNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Runs something once all others have been handed all that they were told, at once where they share this node. */
    private void whenHeard(Spread over, Runnable then) {
        if (!far || over.others().isEmpty()) {
            then.run();
            return;
        }
        Set<Integer> left = new TreeSet<>(over.others());
        for (int shard : over.others()) {
            others.whenHeard(shard, () -> {
                if (left.remove(shard) && left.isEmpty()) {
                    then.run();
                }
            });
        }
    }

    // ---- who asks --------------------------------------------------------------------------------------------------

    /** Whether it is on its way; then it is answered with the first. */
    boolean joins(Object key, Reply reply) {
        Attempt attempt = byKey.get(key);
        if (attempt != null) {
            attempt.replies.add(reply);
        }
        return attempt != null;
    }

    /** Whether it is on its way; {@code then} runs when it no longer is. */
    boolean awaits(Object key, Runnable then) {
        Attempt attempt = byKey.get(key);
        if (attempt != null) {
            attempt.after.add(then);
        }
        return attempt != null;
    }

    /** Whether it was on its way and undecided: it will not happen, and {@code then} runs when that is so everywhere. */
    boolean givesUp(Object key, Runnable then) {
        Attempt attempt = byKey.get(key);
        if (attempt == null || attempt.closed && byName.containsKey(attempt.over.inner())) {
            return false;
        }
        attempt.after.add(then);
        if (!attempt.closed) {
            abort(
                    attempt,
                    Set.of(),
                    new ProtocolException(
                            ErrorCode.TRANSACTION_GIVEN_UP, "the transaction was asked after and is given up"));
        }
        return true;
    }

    /** @throws ProtocolException where it cannot be carried out in this shard; nothing has happened then */
    void begin(Goal goal, Reply reply) {
        Asked asked = goal.asked();
        List<Integer> shards = others(asked);
        requireReady(asked.others);
        goal.check();
        settling.requireHeld(asked.connection, asked.settlements);
        List<HeldForBranch> taken = settling.forBranch(asked.connection, asked.settlements);
        taken.forEach(HeldForBranch::take);
        Attempt attempt = new Attempt(
                goal,
                Spread.over(Spread.name(place.shard(), epoch, ++lastNumber), shards),
                taken,
                far ? clock.nanos() + VOTES_MAX.toNanos() : Long.MAX_VALUE);
        attempt.replies.add(reply);
        byKey.put(goal.key(), attempt);
        byName.put(attempt.over.inner(), attempt);
        Ballot ballot = new Ballot(shards.size());
        for (Commit.ShardPart part : asked.others) {
            others.tell(
                    part.shard(),
                    new PrepareBranch(
                            attempt.over.inner(),
                            asked.connection.connection(),
                            part.batches(),
                            part.settlements(),
                            ballot));
        }
    }

    private List<Integer> others(Asked asked) {
        List<Integer> shards = new ArrayList<>();
        for (Commit.ShardPart part : asked.others) {
            if (part.shard() < 0 || part.shard() >= place.shards()) {
                throw new ProtocolException(ErrorCode.SHARD_NOT_THERE, "no shard " + part.shard());
            }
            if (part.shard() == place.shard() || shards.contains(part.shard())) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST, "a transaction names shard " + part.shard() + " twice");
            }
            shards.add(part.shard());
        }
        return shards;
    }

    // ---- phase one -------------------------------------------------------------------------------------------------

    void voted(int from, Voted vote) {
        Attempt attempt = byName.get(vote.inner());
        if (attempt == null || attempt.closed) {
            return; // it is off already
        }
        if (vote.refusal().isPresent()) {
            abort(attempt, Set.of(from), vote.refusal().get());
            return;
        }
        attempt.guard = attempt.guard.and(vote.guard());
        attempt.unvoted.remove(from);
        if (attempt.unvoted.isEmpty()) {
            decide(attempt);
        }
    }

    private void abort(Attempt attempt, Set<Integer> refusing, ProtocolException reason) {
        drop(attempt, refusing, Set.of(), reason);
    }

    /**
     * @param refusing that have nothing of it
     * @param silent that are not waited for
     */
    private void drop(Attempt attempt, Set<Integer> refusing, Set<Integer> silent, ProtocolException reason) {
        attempt.closed = true;
        byName.remove(attempt.over.inner());
        settling.restore(attempt.goal.asked().connection, attempt.taken);
        attempt.goal.refused(reason);
        List<Integer> told = attempt.over.others().stream()
                .filter(shard -> !refusing.contains(shard))
                .toList();
        // Answered when its deliveries are back everywhere: whoever asked settles them next.
        end(Spread.over(attempt.over.inner(), told), Ending.DROP, silent, () -> fail(attempt, reason));
    }

    private void fail(Attempt attempt, ProtocolException reason) {
        byKey.remove(attempt.goal.key());
        byName.remove(attempt.over.inner());
        attempt.replies.forEach(reply -> reply.fail(reason));
        attempt.after.forEach(Runnable::run);
    }

    // ---- the decision, and phase two -------------------------------------------------------------------------------

    private void decide(Attempt attempt) {
        Decided decided;
        try {
            appender.requireWritable();
            decided = attempt.goal.decide(attempt);
        } catch (ProtocolException refusal) {
            abort(attempt, Set.of(), refusal);
            return;
        }
        attempt.closed = true;
        if (decided == Decided.COMMITTED) {
            appender.addControl(new TransactionDecided(attempt.over), Durability.SYNCED);
            settling.acceptTaken(attempt.taken);
        }
        appender.whenDurable(new Appender.Waiter() {
            @Override
            public void reached() {
                byName.remove(attempt.over.inner());
                if (decided == Decided.COMMITTED) {
                    carryOut(attempt.over, () -> succeed(attempt));
                } else {
                    OutcomePending pending = new OutcomePending(attempt.over.inner());
                    attempt.asking.forEach(shard -> others.tell(shard, pending));
                    succeed(attempt);
                }
            }

            @Override
            public void failed(ProtocolException reason) {
                fail(attempt, reason); // what was decided is known after a restart
            }
        });
    }

    private void succeed(Attempt attempt) {
        byKey.remove(attempt.goal.key());
        Record response = attempt.goal.response();
        attempt.replies.forEach(reply -> reply.succeed(response));
        attempt.after.forEach(Runnable::run);
    }

    /**
     * Tells the others to commit, which they do whatever happens. Nobody waits for it: this stands in their inboxes before
     * whatever is asked of them by who knows that it is committed, and what looks for its messages waits there.
     */
    void carryOut(Spread over) {
        end(over, Ending.commit(over), () -> {});
    }

    /**
     * Tells the others how it ends.
     *
     * @param whenSeen runs once that can be seen in all of them
     */
    void end(Spread over, Ending ending, Runnable whenSeen) {
        end(over, ending, Set.of(), whenSeen);
    }

    private void end(Spread over, Ending ending, Set<Integer> silent, Runnable whenSeen) {
        if (over.shards().isEmpty()) {
            whenSeen.run();
            return;
        }
        Telling telling = new Telling(over, ending, whenSeen);
        tellings.put(over.inner(), telling);
        FinishBranch finish = new FinishBranch(over.inner(), ending);
        for (int shard : over.others()) {
            if (ending.commits()) {
                others.mention(shard, finish); // nobody waits for it
            } else {
                others.tell(shard, finish);
            }
        }
        if (!silent.isEmpty() && telling.unseen.removeAll(silent) && telling.unseen.isEmpty()) {
            whenSeen.run();
        }
    }

    /** As {@link #carryOut}; {@code then} runs once the others have been handed it. */
    void carryOut(Spread over, Runnable then) {
        carryOut(over);
        whenHeard(over, then);
    }

    void finished(int from, Finished finished) {
        Telling telling = tellings.get(finished.inner());
        if (telling == null) {
            return;
        }
        overdue.computeIfPresent(finished.inner(), (inner, late) -> late.remove(from) && late.isEmpty() ? null : late);
        if (telling.unseen.remove(from) && telling.unseen.isEmpty()) {
            telling.whenSeen.run();
        }
        if (finished.durable() && telling.undurable.remove(from) && telling.undurable.isEmpty()) {
            tellings.remove(finished.inner());
            if (telling.ending.commits() && appender.isWritable()) {
                appender.addPatiently(new DecisionCarriedOut(finished.inner()));
            }
        }
    }

    /** Another shard has had a part prepared since before a restart. */
    void asked(int from, AskOutcome question) {
        BranchId inner = question.inner();
        if (far && Spread.epoch(inner) > epoch) {
            return; // Of a leader after this one, which does not know yet that it was succeeded.
        }
        Telling telling = tellings.get(inner);
        if (telling != null) {
            others.tell(from, new FinishBranch(inner, telling.ending));
        } else if (isPrepared(inner)) {
            others.tell(from, new OutcomePending(inner));
        } else if (byName.containsKey(inner)) {
            byName.get(inner).asking.add(from);
        } else {
            others.tell(from, new FinishBranch(inner, Ending.DROP));
        }
    }

    private boolean isPrepared(BranchId inner) {
        for (PreparedBranch branch : state.branches.all()) {
            if (!branch.spread().isEmpty() && branch.spread().get(0).inner().equals(inner)) {
                return true;
            }
        }
        return false;
    }
}
