package io.duramen.broker.shard;

import io.duramen.broker.body.OpenBody;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.BranchDropped;
import io.duramen.broker.shard.ControlRecord.BranchEnded;
import io.duramen.broker.shard.ControlRecord.BranchPrepared;
import io.duramen.broker.shard.ControlRecord.Returned;
import io.duramen.broker.shard.ControlRecord.TransactionDecided;
import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.broker.shard.ShardMessage.Ending;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.broker.transaction.PreparedBranch.BranchSettlement;
import io.duramen.broker.transaction.Spread;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.BranchId;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.ListBranches;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of the branches of distributed transactions. Confined to the agent.
 *
 * <p>Presumed rollback, as the X/Open XA specification has it: a branch that is not prepared never happened, and one that
 * was ended is forgotten.
 */
final class BranchDecisions {
    private static final Logger LOG = LoggerFactory.getLogger(BranchDecisions.class);

    /** Most that are prepared at a time: their list has to fit into one frame, however small they are. */
    static final int BRANCHES_MAX = 4_000;

    private final ShardState state;
    private final Appender appender;
    private final PublishDecisions publishing;
    private final SettleDecisions settling;
    private final BodyDecisions bodies;
    private final DedupDecisions dedup;
    private final SpanningDecisions spanning;
    private final long sizeMax;

    /** What branches hold of subscriptions that are not durable: it dies with this process, as they do. */
    private final Map<BranchId, List<HeldForBranch>> held = new HashMap<>();

    /** @param sizeMax most bytes of all prepared branches together */
    BranchDecisions(
            ShardState state,
            Appender appender,
            PublishDecisions publishing,
            SettleDecisions settling,
            SpanningDecisions spanning,
            long sizeMax) {
        this.spanning = spanning;
        this.state = state;
        this.appender = appender;
        this.publishing = publishing;
        this.settling = settling;
        this.bodies = publishing.bodies();
        this.dedup = publishing.dedup();
        this.sizeMax = sizeMax;
    }

    /** @param again decides the request once more */
    void prepare(ConnectionState connection, Reply reply, Prepare.Request request, Runnable again) {
        appender.requireWritable();
        BranchId id = request.branch();
        requireManagers(id);
        if (spanning.awaits(id, again)) {
            return;
        }
        switch (state.branches.stage(id)) {
            case UNKNOWN -> {
                if (!request.others().isEmpty()) {
                    spanning.begin(new SpanningBranch(this, connection, request), reply);
                    return;
                }
                settling.requireHeld(connection, request.settlements());
                List<HeldForBranch> taken = settling.forBranch(connection, request.settlements());
                store(id, check(connection, request.batches(), taken, Guard.NONE), List.of());
            }
            case PREPARING -> {
                whenPrepared(reply, again);
                return;
            }
            case PREPARED -> requireRepeat(connection, request, state.branches.get(id));
            default -> throw new ProtocolException(ErrorCode.INVALID_REQUEST, "branch " + id + " is being ended");
        }
        Appender.Waiter answer = Appender.answer(reply, new Prepare.Response());
        if (request.batches().isEmpty()) {
            appender.whenDurable(answer);
        } else {
            appender.whenKeptHoweverLong(answer);
        }
    }

    /** What a repeat settles names consumers of a connection that may be gone; what it sends has not changed. */
    private static void requireRepeat(ConnectionState connection, Prepare.Request request, PreparedBranch prepared) {
        if (!prepared.user().equals(connection.connection().user())
                || !settlesOnly(prepared) && !DedupDecisions.isRepeat(request.batches(), prepared.batches())) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "another branch of the name " + prepared.id() + " is prepared");
        }
    }

    private static boolean settlesOnly(PreparedBranch branch) {
        return !branch.spread().isEmpty() && branch.spread().get(0).settlesOnly();
    }

    private void whenPrepared(Reply reply, Runnable again) {
        appender.whenCommitted(new Appender.Waiter() {
            @Override
            public void reached() {
                again.run();
            }

            @Override
            public void failed(ProtocolException reason) {
                reply.fail(reason);
            }
        });
    }

    private static boolean mayEnd(ConnectionState connection, PreparedBranch branch) {
        return connection.connection().isAdmin()
                || branch.user().equals(connection.connection().user());
    }

    private static void requireManagers(BranchId id) {
        if (Spread.isInner(id)) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "names of format " + Spread.FORMAT + " are the node's own");
        }
    }

    /**
     * What a branch does in this shard, which can be prepared.
     *
     * @param user who prepares it
     */
    record Checked(
            String user,
            DedupDecisions.News news,
            List<HeldForBranch> held,
            List<BranchSettlement> durable,
            List<OpenBody> named,
            long size) {}

    /**
     * @param held what it accepts
     * @param elsewhere what its dedup ids in other shards say
     * @throws ProtocolException where it cannot be prepared
     */
    Checked check(
            ConnectionState connection,
            List<Commit.PartitionBatch> batches,
            List<HeldForBranch> held,
            Guard elsewhere) {
        return check(connection, batches, held, all -> dedup.news(all, elsewhere));
    }

    /** As {@link #check}, for a part: whether its ids guard anything, and what, is for the coordinator to say. */
    Checked checkPart(ConnectionState connection, List<Commit.PartitionBatch> batches, List<HeldForBranch> held) {
        return check(connection, batches, held, dedup::newsOfPart);
    }

    private Checked check(
            ConnectionState connection,
            List<Commit.PartitionBatch> batches,
            List<HeldForBranch> held,
            Function<List<Commit.PartitionBatch>, DedupDecisions.News> newsOf) {
        List<OpenBody> named = new ArrayList<>();
        int bytes = publishing.requireStorable(connection, batches, named);
        List<BranchSettlement> durable = held.stream()
                .filter(one -> one.subscription().isDurable())
                .map(HeldForBranch::toSettlement)
                .toList();
        DedupDecisions.News news = newsOf.apply(batches);
        state.capacity.require(news.batches());
        long size = PreparedBranch.sizeBytes(news.batches(), durable);
        if (state.branches.sizeBytes() + size > sizeMax) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "a branch of " + size + " bytes beside prepared branches of " + state.branches.sizeBytes()
                            + " bytes: the limit is " + sizeMax + " (broker.prepared-size)");
        }
        if (state.branches.count() >= BRANCHES_MAX) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED, BRANCHES_MAX + " branches are prepared and none of them is ended");
        }
        appender.requireRoomFor(Math.addExact(bytes, Math.toIntExact(size)));
        if (bytes > 0) {
            appender.requireInSync();
        }
        return new Checked(connection.connection().user(), news, held, durable, named, size);
    }

    /** Adds to the open entry that the branch is prepared. */
    void store(BranchId id, Checked checked, List<Spread> spread) {
        dedup.leaveOut(checked.news().leftOut());
        add(id, checked, spread);
    }

    /** As {@link #store}, for one that may be dropped: its repeats are left out when it ends otherwise. */
    void storePart(BranchId id, Checked checked) {
        add(id, checked, List.of());
    }

    private void add(BranchId id, Checked checked, List<Spread> spread) {
        appender.addControl(
                new BranchPrepared(id, checked.news().batches(), checked.durable(), checked.user(), spread),
                Durability.SYNCED);
        state.dedup.hold(id, checked.news().batches());
        state.promised.add(id, checked.news().batches());
        bodies.keep(checked.named());
        checked.held().forEach(HeldForBranch::take);
        held.put(
                id,
                checked.held().stream()
                        .filter(one -> !one.subscription().isDurable())
                        .toList());
        state.branches.preparing(id, checked.size());
    }

    /** @param again decides the request once more */
    void end(ConnectionState connection, Reply reply, EndBranch.Request request, Runnable again) {
        appender.requireWritable();
        BranchId id = request.branch();
        requireManagers(id);
        if (spanning.awaits(id, again)) {
            return;
        }
        requireMayEnd(connection, id);
        switch (state.branches.stage(id)) {
            case UNKNOWN ->
                throw new ProtocolException(ErrorCode.BRANCH_NOT_FOUND, "branch " + id + " is not prepared");
            case PREPARING -> {
                whenPrepared(reply, again);
                return;
            }
            case PREPARED -> {
                PreparedBranch branch = state.branches.get(id);
                append(branch, request.commit() ? Ending.COMMIT : Ending.ROLL_BACK, Durability.SYNCED);
                if (!branch.spread().isEmpty()) {
                    endElsewhere(reply, branch.spread().get(0), request.commit());
                    return;
                }
            }
            case COMMITTING -> requireSame(id, request.commit(), true);
            case ROLLING_BACK -> requireSame(id, request.commit(), false);
            default -> throw new IllegalStateException("stage of branch " + id);
        }
        appender.whenDurable(Appender.answer(reply, new EndBranch.Response()));
    }

    private void requireMayEnd(ConnectionState connection, BranchId id) {
        PreparedBranch branch = state.branches.get(id);
        if (branch != null && !mayEnd(connection, branch)) {
            throw new ProtocolException(
                    ErrorCode.NOT_AUTHORIZED,
                    "branch " + id + " was prepared by another user, who may end it, as an admin may");
        }
    }

    private static void requireSame(BranchId id, boolean asked, boolean commits) {
        if (asked != commits) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "branch " + id + " is being " + (commits ? "committed" : "rolled back") + " already");
        }
    }

    private void endElsewhere(Reply reply, Spread over, boolean commit) {
        if (commit) {
            appender.addControl(new TransactionDecided(over), Durability.SYNCED);
        }
        appender.whenDurable(new Appender.Waiter() {
            @Override
            public void reached() {
                if (commit) {
                    spanning.carryOut(over, () -> reply.succeed(new EndBranch.Response()));
                } else {
                    spanning.end(over, Ending.ROLL_BACK, () -> reply.succeed(new EndBranch.Response()));
                }
            }

            @Override
            public void failed(ProtocolException reason) {
                reply.fail(reason);
            }
        });
    }

    /** Runs the waiter once all that are being committed now are committed: at once where none is. */
    void whenCarriedOut(Appender.Waiter waiter) {
        if (state.branches.isCommitting()) {
            appender.hurry();
            appender.whenCommitted(waiter);
        } else {
            waiter.reached();
        }
    }

    /**
     * Adds the end of a prepared branch to the open entry.
     *
     * @throws ProtocolException where the disk has no room; nothing was added
     */
    void append(PreparedBranch branch, Ending ending, Durability durability) {
        boolean commit = ending.commits();
        if (ending == Ending.COMMIT && !branch.batches().isEmpty()) {
            appender.requirePromisedRoomFor(PreparedBranch.messageBytes(branch.batches()));
        }
        appender.addControl(new BranchEnded(branch.id(), commit), durability);
        if (ending == Ending.COMMIT) {
            for (Commit.PartitionBatch batch : branch.batches()) {
                addMessages(branch.id(), batch, durability);
            }
        } else if (commit) {
            branch.batches().forEach(batch -> dedup.leaveOutPrepared(batch, durability));
        } else {
            state.endWithheld(branch);
            branch.batches().forEach(batch -> bodies.dropKept(batch.batch()));
        }
        state.promised.release(branch.id());
        state.branches.ending(branch.id(), commit);
        List<HeldForBranch> soft = held.remove(branch.id());
        if (soft != null && !soft.isEmpty()) {
            appender.whenCommitted(new Appender.Waiter() {
                @Override
                public void reached() {
                    soft.forEach(one -> settling.end(one, commit));
                }

                @Override
                public void failed(ProtocolException reason) {
                    // The leases stay as they are: nothing is handed out by a log that has stopped.
                }
            });
        }
    }

    private void addMessages(BranchId id, Commit.PartitionBatch batch, Durability durability) {
        Partition partition = state.catalogue.partition(batch.partition());
        int count = RecordBatch.count(batch.batch());
        if (partition == null || partition.destination().isLeaving()) {
            LOG.warn(
                    "Branch {} is committed without its {} messages for partition {}: the destination was deleted",
                    id,
                    count,
                    batch.partition());
            bodies.dropKept(batch.batch());
            return;
        }
        bodies.namedAtLast(batch.batch());
        dedup.add(partition, partition.assign(count), batch.batch(), durability);
    }

    /**
     * Adds to the open entry that a prepared branch never was.
     *
     * @param from whose connection, and what it accepts; null after a restart
     */
    void drop(PreparedBranch branch, Origin from) {
        boolean gone = from != null && from.connection().isGone();
        if (from != null) {
            from.leftOut().forEach(one -> bodies.giveUp(one.batch().batch(), from.connection()));
        }
        if (gone) {
            branch.settlements()
                    .forEach(one -> appender.addControl(
                            new Returned(one.subscription(), one.partition(), one.ranges()), Durability.WRITTEN));
        }
        appender.addControl(new BranchDropped(branch.id()), Durability.WRITTEN);
        branch.batches().forEach(batch -> bodies.giveUp(batch.batch(), from == null ? null : from.connection()));
        state.branches.ending(branch.id(), false);
        List<HeldForBranch> soft = held.remove(branch.id());
        if (from == null) {
            return;
        }
        appender.whenCommitted(new Appender.Waiter() {
            @Override
            public void reached() {
                boolean goneSince = !gone && from.connection().isGone();
                settling.restore(from.connection(), goneSince ? from.held() : soft);
            }

            @Override
            public void failed(ProtocolException reason) {
                // The leases stay as they are: nothing is handed out by a log that has stopped.
            }
        });
    }

    /**
     * Where a part of a transaction came from.
     *
     * @param held what it accepts
     * @param leftOut what of it is not prepared, since it repeats what was stored
     */
    record Origin(ConnectionState connection, List<HeldForBranch> held, List<DedupDecisions.LeftOut> leftOut) {}

    /** A part ends that is not dropped: what it repeats is left out for good. */
    void leaveOut(Origin from) {
        dedup.leaveOut(from.leftOut());
    }

    /** Those that the user may end. */
    void list(ConnectionState connection, Reply reply) {
        appender.requireWritable();
        ListBranches.Response response = new ListBranches.Response(state.branches.all().stream()
                .filter(branch -> !Spread.isInner(branch.id()) && mayEnd(connection, branch))
                .map(branch -> new ListBranches.Prepared(branch.id(), branch.preparedMillis()))
                .toList());
        reply.succeed(response);
    }
}
