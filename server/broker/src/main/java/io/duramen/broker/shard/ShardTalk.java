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
import io.duramen.broker.shard.ShardMessage.TakesParts;
import io.duramen.broker.shard.ShardMessage.Voted;
import io.duramen.broker.shard.ShardMessage.WantQueue;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.ForShard;
import io.duramen.replication.ReplicatedLog.Durability;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What other shards say, and whose it is to act on it; it waits until this shard leads. Others that are far are met and lost one by one: then
 * each says again what it would at a start, and undoes what only their talk would have ended. Confined to the agent.
 */
final class ShardTalk implements Neighbours.Meetings {
    private final SpanningDecisions spanning;
    private final PartDecisions parts;
    private final Definitions definitions;
    private final FollowedDefinitions followed;
    private final Neighbours others;
    private final Asides asides;
    private final DestinationDecisions destinations;
    private final Appender appender;
    private final Function<ClientConnection, ConnectionState> connections;
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final ArrayDeque<ShardRequest.FromShard> early = new ArrayDeque<>();

    /** Shards that are far, and were met, and were not told yet that parts of their transactions may be prepared here. */
    private final Set<Integer> unwelcome = new TreeSet<>();

    private boolean leads;
    private boolean hasCatalogue;

    /** Whom it concerns that definitions are to be in several shards. */
    record OfDefinitions(DestinationDecisions destinations, FollowedDefinitions followed, Appender appender) {}

    /**
     * @param asides of {@code others}
     * @param connections what a client has with this shard
     */
    ShardTalk(
            SpanningDecisions spanning,
            PartDecisions parts,
            OfDefinitions ofDefinitions,
            Neighbours others,
            Asides asides,
            Function<ClientConnection, ConnectionState> connections) {
        this.others = others;
        this.asides = asides;
        this.spanning = spanning;
        this.parts = parts;
        this.destinations = ofDefinitions.destinations;
        this.definitions = destinations.definitions();
        this.followed = ofDefinitions.followed;
        this.appender = ofDefinitions.appender;
        this.connections = connections;
    }

    /** Starts a leadership. */
    void lead(long epoch, boolean leadsCatalogue) {
        leads = true;
        hasCatalogue = leadsCatalogue;
        others.lead(epoch, this);
        spanning.lead(epoch);
        parts.lead();
        if (hasCatalogue) {
            definitions.lead(epoch);
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

    /** A frame of a shard that is far. */
    void hear(ShardRequest.FromAfar said) {
        others.hear(said.frame());
    }

    @Override
    public void met(int shard) {
        spanning.met(shard);
        parts.met(shard);
        unwelcome.add(shard);
        if (hasCatalogue) {
            long meeting = others.meetings(shard);
            whenLedStill(shard, () -> {
                if (others.hears(shard) && others.meetings(shard) == meeting) {
                    definitions.met(shard);
                }
            });
        }
        if (shard == ForShard.CATALOGUE) {
            definitions.wantAgain();
        }
    }

    /** That there are no other definitions may be said only by who was not succeeded since it was asked. */
    private void whenLedStill(int shard, Runnable then) {
        if (!appender.isWritable()) {
            return;
        }
        appender.addControl(new ControlRecord.LeadershipShown(shard), Durability.SYNCED);
        appender.whenDurable(new Appender.Waiter() {
            @Override
            public void reached() {
                then.run();
            }

            @Override
            public void failed(ProtocolException reason) {
                // The next leader says what there is.
            }
        });
    }

    @Override
    public void lost(int shard) {
        unwelcome.remove(shard);
        spanning.lost(shard);
        if (hasCatalogue) {
            definitions.lost(shard);
        }
    }

    @Override
    public void heard(int shard, ShardMessage message) {
        act(new ShardRequest.FromShard(shard, message));
    }

    /** Sends what was said to shards that are far. */
    int flush() {
        return others.doWork();
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
        } else if (message instanceof TakesParts) {
            spanning.takesParts(from);
        } else if (message instanceof Define define) {
            followed.follow(from, define);
        } else if (message instanceof DefineAll all) {
            followed.follow(from, all);
        } else if (message instanceof Defined defined) {
            definitions.defined(from, defined);
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
        if (!unwelcome.isEmpty() && parts.isClear()) {
            unwelcome.forEach(shard -> others.tell(shard, new TakesParts()));
            unwelcome.clear();
        }
        return spanning.dropOverdue() + parts.retry() + followed.retry() + asides.wakeDue();
    }

    private boolean isClear() {
        return parts.isClear()
                && spanning.isClear()
                && definitions.isClear()
                && destinations.isClear()
                && followed.isClear();
    }

    long deadlineNanos() {
        long deadline = Math.min(spanning.deadlineNanos(), Math.min(asides.deadlineNanos(), others.deadlineNanos()));
        if (leads && !settled.isDone()) {
            deadline = Math.min(deadline, definitions.deadlineNanos());
        }
        return Math.min(deadline, Math.min(parts.deadlineNanos(), followed.deadlineNanos()));
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
