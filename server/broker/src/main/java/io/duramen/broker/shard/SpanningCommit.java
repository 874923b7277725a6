package io.duramen.broker.shard;

import io.duramen.broker.shard.DedupDecisions.Guard;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Commit;

/** The commit of a local transaction that concerns other shards, too: decided in the entry that holds what it does here. */
final class SpanningCommit implements SpanningDecisions.Goal {
    /** Whose transaction. */
    record Key(long producerId, long sequence) {}

    private final PublishDecisions publishing;
    private final ConnectionState connection;
    private final Commit.Request request;

    SpanningCommit(PublishDecisions publishing, ConnectionState connection, Commit.Request request) {
        this.publishing = publishing;
        this.connection = connection;
        this.request = request;
    }

    @Override
    public Object key() {
        return new Key(request.producerId(), request.sequence());
    }

    @Override
    public SpanningDecisions.Asked asked() {
        return new SpanningDecisions.Asked(connection, request.settlements(), request.others());
    }

    @Override
    public void check() {
        publishing.requireRoom(connection, request, Guard.NONE);
    }

    @Override
    public SpanningDecisions.Decided decide(SpanningDecisions.Attempt attempt) {
        publishing.requireNews(request);
        PublishDecisions.Room room = publishing.requireRoom(connection, request, attempt.guard());
        if (room.news().isRepeat()) {
            attempt.leaveOutMessages();
        }
        publishing.appendSends(request, room);
        return SpanningDecisions.Decided.COMMITTED;
    }

    @Override
    public void refused(ProtocolException reason) {
        publishing.refuse(request, reason);
    }

    @Override
    public Record response() {
        return new Commit.Response();
    }
}
