package io.duramen.broker.shard;

import io.duramen.broker.shard.BranchDecisions.Origin;
import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.broker.shard.ShardMessage.AskOutcome;
import io.duramen.broker.shard.ShardMessage.Ending;
import io.duramen.broker.shard.ShardMessage.FinishBranch;
import io.duramen.broker.shard.ShardMessage.Finished;
import io.duramen.broker.shard.ShardMessage.PrepareBranch;
import io.duramen.broker.shard.ShardMessage.Voted;
import io.duramen.broker.transaction.PreparedBranch;
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

    private final ShardPlace place;
    private final ShardState state;
    private final Appender appender;
    private final BranchDecisions branches;
    private final SettleDecisions settling;
    private final Clock clock;

    /** Of parts that were prepared since this leadership began. */
    private final Map<BranchId, Origin> origins = new HashMap<>();

    /** Prepared before, and nobody has said yet what becomes of them. */
    private final Set<BranchId> inDoubt = new HashSet<>();

    /** For which the disk had no room. */
    private final ArrayDeque<Told> postponed = new ArrayDeque<>();

    private long retryNanos;

    PartDecisions(
            ShardPlace place,
            ShardState state,
            Appender appender,
            BranchDecisions branches,
            SettleDecisions settling,
            Clock clock) {
        this.place = place;
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
                place.others().tell(Spread.coordinator(branch.id()), new AskOutcome(branch.id()));
            }
        }
    }

    /** Whether what was prepared before a restart has come to its end, or waits for a transaction manager. */
    boolean isClear() {
        return inDoubt.isEmpty();
    }

    void pending(BranchId inner) {
        inDoubt.remove(inner);
    }

    void prepare(int from, ConnectionState connection, PrepareBranch request) {
        BranchId inner = request.inner();
        BranchDecisions.Checked checked;
        try {
            appender.requireWritable();
            settling.requireHeld(connection, request.settlements());
            List<HeldForBranch> held = settling.forBranch(connection, request.settlements());
            checked = branches.checkPart(connection, request.batches(), held);
            branches.storePart(inner, checked);
            origins.put(inner, new Origin(connection, held, checked.news().leftOut()));
        } catch (ProtocolException refusal) {
            place.others().tell(from, new Voted(inner, Optional.of(refusal), Guard.NONE));
            return;
        }
        appender.whenDurable(new Appender.Waiter() {
            @Override
            public void reached() {
                place.others()
                        .tell(
                                from,
                                new Voted(
                                        inner, Optional.empty(), checked.news().guard()));
            }

            @Override
            public void failed(ProtocolException reason) {
                place.others().tell(from, new Voted(inner, Optional.of(reason), Guard.NONE));
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
                        place.others().tell(from, new Finished(told.inner(), false));
                    }
                });
            case PREPARED -> {
                try {
                    carryOut(told);
                } catch (ProtocolException noRoom) {
                    postpone(new Told(from, told));
                    return;
                }
                tellWhenFinished(from, told.inner());
            }
            default -> tellWhenFinished(from, told.inner());
        }
    }

    private void carryOut(FinishBranch told) {
        appender.requireWritable();
        PreparedBranch branch = state.branches.get(told.inner());
        Origin origin = origins.get(told.inner());
        if (told.ending() == Ending.DROP) {
            branches.drop(branch, origin);
        } else {
            // What is handed out must be where it is for good: carried out again, it might get other places.
            branches.append(branch, told.ending(), Durability.SYNCED);
            if (origin != null) {
                branches.leaveOut(origin);
            }
        }
        origins.remove(told.inner());
    }

    private void tellWhenFinished(int to, BranchId inner) {
        appender.whenCommitted(telling(to, inner, false));
        appender.whenDurable(telling(to, inner, true));
    }

    private Appender.Waiter telling(int to, BranchId inner, boolean durable) {
        return new Appender.Waiter() {
            @Override
            public void reached() {
                inDoubt.remove(inner);
                place.others().tell(to, new Finished(inner, durable));
            }

            @Override
            public void failed(ProtocolException reason) {
                // It stands prepared, or is over: known after a restart, as the decision is.
                place.others().tell(to, new Finished(inner, false));
            }
        };
    }

    // ---- a full disk -----------------------------------------------------------------------------------------------

    private void postpone(Told told) {
        if (!appender.isWritable()) {
            place.others().tell(told.by, new Finished(told.what.inner(), false));
            return;
        }
        postponed.add(told);
        retryNanos = clock.nanos() + RETRY.toNanos();
    }

    /** Tries again what the disk had no room for. */
    int retry() {
        if (postponed.isEmpty() || clock.nanos() - retryNanos < 0) {
            return 0;
        }
        int count = postponed.size();
        for (int i = count; i > 0; i--) {
            Told told = postponed.poll();
            finish(told.by, told.what);
        }
        return count;
    }

    long deadlineNanos() {
        return postponed.isEmpty() ? Long.MAX_VALUE : retryNanos;
    }
}
