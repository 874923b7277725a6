package io.duramen.broker.shard;

import io.duramen.broker.shard.ShardMessage.AskOutcome;
import io.duramen.broker.shard.ShardMessage.Define;
import io.duramen.broker.shard.ShardMessage.DefineAll;
import io.duramen.broker.shard.ShardMessage.Defined;
import io.duramen.broker.shard.ShardMessage.FinishBranch;
import io.duramen.broker.shard.ShardMessage.Finished;
import io.duramen.broker.shard.ShardMessage.OutcomePending;
import io.duramen.broker.shard.ShardMessage.PrepareBranch;
import io.duramen.broker.shard.ShardMessage.QueueWanted;
import io.duramen.broker.shard.ShardMessage.Voted;
import io.duramen.broker.shard.ShardMessage.WantQueue;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What other shards say, and whose it is to act on it; it waits until this shard leads. Confined to the agent. */
final class ShardTalk {
    private final SpanningDecisions spanning;
    private final PartDecisions parts;
    private final Definitions definitions;
    private final FollowedDefinitions followed;
    private final Asides asides;
    private final DestinationDecisions destinations;
    private final Function<ClientConnection, ConnectionState> connections;
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final ArrayDeque<ShardRequest.FromShard> early = new ArrayDeque<>();
    private boolean leads;

    /** @param connections what a client has with this shard */
    ShardTalk(
            SpanningDecisions spanning,
            PartDecisions parts,
            DestinationDecisions destinations,
            FollowedDefinitions followed,
            Asides asides,
            Function<ClientConnection, ConnectionState> connections) {
        this.asides = asides;
        this.spanning = spanning;
        this.parts = parts;
        this.destinations = destinations;
        this.definitions = destinations.definitions();
        this.followed = followed;
        this.connections = connections;
    }

    /** Starts a leadership. */
    void lead(long epoch, boolean hasCatalogue) {
        leads = true;
        spanning.lead(epoch);
        parts.lead();
        if (hasCatalogue) {
            definitions.lead();
        }
        while (!early.isEmpty()) {
            act(early.poll());
        }
    }

    void handle(ShardRequest.FromShard said) {
        if (leads) {
            act(said);
        } else {
            early.add(said);
        }
    }

    private void act(ShardRequest.FromShard said) {
        int from = said.from();
        ShardMessage message = said.message();
        if (message instanceof PrepareBranch prepare) {
            parts.prepare(from, connections.apply(prepare.connection()), prepare);
        } else if (message instanceof Voted vote) {
            spanning.voted(from, vote);
        } else if (message instanceof FinishBranch finish) {
            parts.finish(from, finish);
        } else if (message instanceof Finished finished) {
            spanning.finished(from, finished);
        } else if (message instanceof AskOutcome question) {
            spanning.asked(from, question);
        } else if (message instanceof OutcomePending pending) {
            parts.pending(pending.inner());
        } else if (message instanceof Define define) {
            followed.follow(from, define);
        } else if (message instanceof DefineAll all) {
            followed.follow(from, all);
        } else if (message instanceof Defined defined) {
            definitions.defined(defined);
        } else if (message instanceof WantQueue want) {
            definitions.answer(from, want.name(), destinations);
        } else if (message instanceof QueueWanted answer) {
            definitions.wanted(answer);
        }
    }

    int doWork() {
        if (leads && !settled.isDone() && isClear()) {
            settled.complete(null);
        }
        return parts.retry() + followed.retry() + asides.wakeDue();
    }

    private boolean isClear() {
        return parts.isClear() && definitions.isClear() && destinations.isClear() && followed.isClear();
    }

    long deadlineNanos() {
        return Math.min(asides.deadlineNanos(), Math.min(parts.deadlineNanos(), followed.deadlineNanos()));
    }

    /** Whether what concerns several shards is as it was decided; nothing is handed out before. */
    boolean isSettled() {
        return settled.isDone();
    }

    /** See {@link ShardAgent#settled}. */
    CompletableFuture<Void> settled() {
        return settled;
    }
}
