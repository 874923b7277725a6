package io.duramen.broker.shard;

import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Prepare;
import java.util.List;

/** A branch that is prepared in other shards, too: listed and ended here. */
final class SpanningBranch implements SpanningDecisions.Goal {
    private final BranchDecisions branches;
    private final ConnectionState connection;
    private final Prepare.Request request;

    SpanningBranch(BranchDecisions branches, ConnectionState connection, Prepare.Request request) {
        this.branches = branches;
        this.connection = connection;
        this.request = request;
    }

    @Override
    public Object key() {
        return request.branch();
    }

    @Override
    public SpanningDecisions.Asked asked() {
        return new SpanningDecisions.Asked(connection, request.settlements(), request.others());
    }

    @Override
    public void check() {
        branches.check(connection, request.batches(), List.of(), Guard.NONE);
    }

    @Override
    public SpanningDecisions.Decided decide(SpanningDecisions.Attempt attempt) {
        BranchDecisions.Checked checked =
                branches.check(connection, request.batches(), attempt.taken(), attempt.guard());
        if (checked.news().isRepeat()) {
            attempt.leaveOutMessages();
        }
        branches.store(request.branch(), checked, List.of(attempt.over()));
        return SpanningDecisions.Decided.PREPARED;
    }

    @Override
    public void refused(ProtocolException reason) {
        // Not prepared: it never was.
    }

    @Override
    public Record response() {
        return new Prepare.Response();
    }
}
