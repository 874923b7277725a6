package io.duramen.broker.shard;

import io.duramen.broker.body.OpenBody;
import io.duramen.broker.destination.Partition;
import io.duramen.broker.shard.ControlRecord.BranchEnded;
import io.duramen.broker.shard.ControlRecord.BranchPrepared;
import io.duramen.broker.transaction.PreparedBranch;
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
    private final long sizeMax;

    /** What branches hold of subscriptions that are not durable: it dies with this process, as they do. */
    private final Map<BranchId, List<HeldForBranch>> held = new HashMap<>();

    /** @param sizeMax most bytes of all prepared branches together */
    BranchDecisions(
            ShardState state,
            Appender appender,
            PublishDecisions publishing,
            SettleDecisions settling,
            BodyDecisions bodies,
            long sizeMax) {
        this.state = state;
        this.appender = appender;
        this.publishing = publishing;
        this.settling = settling;
        this.bodies = bodies;
        this.dedup = publishing.dedup();
        this.sizeMax = sizeMax;
    }

    /** @param again decides the request once more */
    void prepare(ConnectionState connection, Reply reply, Prepare.Request request, Runnable again) {
        appender.requireWritable();
        BranchId id = request.branch();
        switch (state.branches.stage(id)) {
            case UNKNOWN -> append(connection, request);
            case PREPARING -> {
                whenPrepared(reply, again);
                return;
            }
            case PREPARED -> requireRepeat(connection, request, state.branches.get(id));
            default -> throw new ProtocolException(ErrorCode.INVALID_REQUEST, "branch " + id + " is being ended");
        }
        appender.whenDurable(Appender.answer(reply, new Prepare.Response()));
    }

    /** What a repeat settles names consumers of a connection that may be gone; what it sends has not changed. */
    private static void requireRepeat(ConnectionState connection, Prepare.Request request, PreparedBranch prepared) {
        if (!prepared.user().equals(connection.connection().user())
                || !DedupDecisions.isRepeat(request.batches(), prepared.batches())) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "another branch of the name " + prepared.id() + " is prepared");
        }
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

    private void append(ConnectionState connection, Prepare.Request request) {
        List<OpenBody> named = new ArrayList<>();
        int bytes = publishing.requireStorable(connection, request.batches(), named);
        settling.requireHeld(connection, request.settlements());
        List<HeldForBranch> all = settling.forBranch(connection, request.settlements());
        List<PreparedBranch.BranchSettlement> durable = all.stream()
                .filter(one -> one.subscription().isDurable())
                .map(HeldForBranch::toSettlement)
                .toList();
        DedupDecisions.News news = dedup.news(request.batches());
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
        // From here on nothing is refused.
        dedup.leaveOut(news.leftOut());
        appender.addControl(
                new BranchPrepared(
                        request.branch(),
                        news.batches(),
                        durable,
                        connection.connection().user()),
                Durability.SYNCED);
        state.dedup.hold(request.branch(), news.batches());
        bodies.keep(named);
        all.forEach(HeldForBranch::take);
        held.put(
                request.branch(),
                all.stream().filter(one -> !one.subscription().isDurable()).toList());
        state.branches.preparing(request.branch(), size);
    }

    /** @param again decides the request once more */
    void end(ConnectionState connection, Reply reply, EndBranch.Request request, Runnable again) {
        appender.requireWritable();
        BranchId id = request.branch();
        requireMayEnd(connection, id);
        switch (state.branches.stage(id)) {
            case UNKNOWN ->
                throw new ProtocolException(ErrorCode.BRANCH_NOT_FOUND, "branch " + id + " is not prepared");
            case PREPARING -> {
                whenPrepared(reply, again);
                return;
            }
            case PREPARED -> append(state.branches.get(id), request.commit());
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

    private void append(PreparedBranch branch, boolean commit) {
        if (commit && !branch.batches().isEmpty()) {
            appender.requireRoomFor(PreparedBranch.messageBytes(branch.batches()));
        }
        appender.addControl(new BranchEnded(branch.id(), commit), Durability.SYNCED);
        if (commit) {
            for (Commit.PartitionBatch batch : branch.batches()) {
                addMessages(branch.id(), batch);
            }
        } else {
            state.endWithheld(branch);
            branch.batches().forEach(batch -> bodies.dropKept(batch.batch()));
        }
        state.branches.ending(branch.id(), commit);
        List<HeldForBranch> soft = held.remove(branch.id());
        if (soft != null && !soft.isEmpty()) {
            appender.whenCommitted(new Appender.Waiter() {
                @Override
                public void reached() {
                    soft.forEach(one -> one.end(commit));
                }

                @Override
                public void failed(ProtocolException reason) {
                    // The leases stay as they are: nothing is handed out by a log that has stopped.
                }
            });
        }
    }

    private void addMessages(BranchId id, Commit.PartitionBatch batch) {
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
        dedup.add(partition, partition.assign(count), batch.batch(), Durability.SYNCED);
    }

    /** Those that the user may end. */
    void list(ConnectionState connection, Reply reply) {
        appender.requireWritable();
        ListBranches.Response response = new ListBranches.Response(state.branches.all().stream()
                .filter(branch -> mayEnd(connection, branch))
                .map(branch -> new ListBranches.Prepared(branch.id(), branch.preparedMillis()))
                .toList());
        reply.succeed(response);
    }
}
