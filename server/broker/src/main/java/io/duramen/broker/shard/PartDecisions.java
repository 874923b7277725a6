package io.duramen.broker.shard;

import io.duramen.broker.shard.BranchDecisions.Origin;
import io.duramen.broker.shard.ControlRecord.LeadershipShown;
import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.broker.shard.ShardMessage.AskOutcome;
import io.duramen.broker.shard.ShardMessage.Ending;
import io.duramen.broker.shard.ShardMessage.FinishBranch;
import io.duramen.broker.shard.ShardMessage.Finished;
import io.duramen.broker.shard.ShardMessage.PrepareBranch;
import io.duramen.broker.shard.ShardMessage.Voted;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.broker.transaction.PreparedBranches.Stage;
import io.duramen.broker.transaction.Spread;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * This shard's part in transactions that other shards decide: prepared as branches are, see ADR 0013, and ended as it is
 * told. Confined to the agent.
 */
final class PartDecisions {
    private static final Duration RETRY = Duration.ofMillis(100);

    private record Told(int by, FinishBranch what) {}

    private final Asides others;
    private final ShardState state;
    private final Appender appender;
    private final BranchDecisions branches;
    private final SettleDecisions settling;
    private final Clock clock;

    /** Of parts that were prepared since this leadership began. */
    private final Map<BranchId, Origin> origins = new HashMap<>();

    /** Prepared before, and nobody has said yet what becomes of them. */
    private final Set<BranchId> inDoubt = new HashSet<>();

    /** To be committed, and the disk has no room for the first: in their order. */
    private final ArrayDeque<Told> committing = new ArrayDeque<>();

    private long retryNanos;

    PartDecisions(
            Asides others,
            ShardState state,
            Appender appender,
            BranchDecisions branches,
            SettleDecisions settling,
            Clock clock) {
        this.others = others;
        this.state = state;
        this.appender = appender;
        this.branches = branches;
        this.settling = settling;
        this.clock = clock;
    }

    /** Starts a leadership: asks what becomes of what is prepared. */
    void lead() {
        for (PreparedBranch branch : state.branches.all()) {
            if (Spread.isInner(branch.id()) && !branch.isDecision()) {
                inDoubt.add(branch.id());
                others.tell(Spread.coordinator(branch.id()), new AskOutcome(branch.id()));
            }
        }
    }

    /** Whether what was prepared before a restart has come to its end, or waits for a transaction manager. */
    boolean isClear() {
        return inDoubt.isEmpty();
    }

    /** Has met another shard that is far: asks what becomes of all that this one has prepared for it, lately or long ago. */
    void met(int coordinator) {
        for (PreparedBranch branch : state.branches.all()) {
            BranchId inner = branch.id();
            if (Spread.isInner(inner)
                    && !branch.isDecision()
                    && Spread.coordinator(inner) == coordinator
                    && state.branches.stage(inner) == Stage.PREPARED) {
                others.tell(coordinator, new AskOutcome(inner));
            }
        }
    }

    void pending(BranchId inner) {
        inDoubt.remove(inner);
    }

    void prepare(int from, ConnectionState connection, PrepareBranch request) {
        BranchId inner = request.inner();
        long meeting = others.meetings(from);
        BranchDecisions.Checked checked;
        try {
            appender.requireWritable();
            settling.requireHeld(connection, request.settlements());
            List<HeldForBranch> held = settling.forBranch(connection, request.settlements());
            checked = branches.checkPart(connection, request.batches(), held);
            branches.storePart(inner, checked);
            origins.put(inner, new Origin(connection, held, checked.news().leftOut()));
        } catch (ProtocolException refusal) {
            others.tell(from, new Voted(inner, Optional.of(refusal), Guard.NONE));
            return;
        }
        appender.whenDurable(new Appender.Waiter() {
            @Override
            public void reached() {
                if (others.meetings(from) != meeting) {
                    others.tell(from, new AskOutcome(inner)); // nobody waits for its vote any more
                    return;
                }
                others.leave(
                        from, new Voted(inner, Optional.empty(), checked.news().guard()));
                if (request.ballot().isLast()) {
                    others.wake(from);
                }
            }

            @Override
            public void failed(ProtocolException reason) {
                others.tell(from, new Voted(inner, Optional.of(reason), Guard.NONE));
            }
        });
    }

    void finish(int from, FinishBranch told) {
        switch (state.branches.stage(told.inner())) {
            case PREPARING ->
                appender.whenCommitted(new Appender.Waiter() {
                    @Override
                    public void reached() {
                        finish(from, told);
                    }

                    @Override
                    public void failed(ProtocolException reason) {
                        others.tell(from, new Finished(told.inner(), false));
                    }
                });
            case PREPARED -> {
                if (told.ending().commits()) {
                    committing.add(new Told(from, told));
                    if (committing.size() == 1) {
                        goOn();
                    }
                } else {
                    carryOut(from, told);
                }
            }
            default -> tellWhenFinished(from, told);
        }
    }

    /** Commits what is to be committed, in the order in which it was told: who sent it may have sent more since. */
    private int goOn() {
        int done = 0;
        appender.reserveRoom(false);
        while (!committing.isEmpty()) {
            Told told = committing.peek();
            try {
                if (state.branches.stage(told.what.inner()) == Stage.PREPARED) {
                    carryOut(told.by, told.what);
                } else {
                    tellWhenFinished(told.by, told.what); // told twice
                }
            } catch (ProtocolException noRoom) {
                retryNanos = clock.nanos() + RETRY.toNanos();
                break;
            }
            committing.poll();
            done++;
        }
        appender.reserveRoom(!committing.isEmpty());
        return done;
    }

    /** @throws ProtocolException where the disk has no room for it; nothing has happened then */
    private void carryOut(int from, FinishBranch told) {
        if (!appender.isWritable()) {
            others.tell(from, new Finished(told.inner(), false));
            return;
        }
        carryOut(told);
        tellWhenFinished(from, told);
    }

    private void carryOut(FinishBranch told) {
        PreparedBranch branch = state.branches.get(told.inner());
        Origin origin = origins.get(told.inner());
        if (told.ending() == Ending.DROP) {
            branches.drop(branch, origin);
        } else if (told.ending().commits()) {
            appender.addPatiently(() -> append(branch, told.ending(), origin));
        } else {
            append(branch, told.ending(), origin);
        }
        origins.remove(told.inner());
    }

    private void append(PreparedBranch branch, Ending ending, Origin origin) {
        // What is handed out must be where it is for good: carried out again, it might get other places.
        branches.append(branch, ending, Durability.SYNCED);
        if (origin != null) {
            branches.leaveOut(origin);
        }
    }

    /** Nobody waits for a commit to be seen: it is told once, when it is on disk. */
    private void tellWhenFinished(int to, FinishBranch told) {
        boolean commits = told.ending().commits();
        if (commits && others.areFar() && state.branches.stage(told.inner()) == Stage.UNKNOWN) {
            if (!appender.isWritable()) {
                return;
            }
            // That it is over, and not unknown, may be said only by who was not succeeded since it was told.
            appender.addControl(new LeadershipShown(to), Durability.SYNCED);
        }
        if (!commits) {
            appender.whenCommitted(telling(to, told.inner(), false, commits));
        }
        appender.whenDurable(telling(to, told.inner(), true, commits));
    }

    private Appender.Waiter telling(int to, BranchId inner, boolean durable, boolean commits) {
        return new Appender.Waiter() {
            @Override
            public void reached() {
                inDoubt.remove(inner);
                if (commits) {
                    others.mention(to, new Finished(inner, durable)); // nobody waits for it
                } else {
                    others.tell(to, new Finished(inner, durable));
                }
            }

            @Override
            public void failed(ProtocolException reason) {
                // It stands prepared, or is over: known after a restart, as the decision is.
                others.tell(to, new Finished(inner, false));
            }
        };
    }

    // ---- a full disk -----------------------------------------------------------------------------------------------

    /** Tries again what the disk had no room for. */
    int retry() {
        return committing.isEmpty() || clock.nanos() - retryNanos < 0 ? 0 : goOn();
    }

    long deadlineNanos() {
        return committing.isEmpty() ? Long.MAX_VALUE : retryNanos;
    }
}
