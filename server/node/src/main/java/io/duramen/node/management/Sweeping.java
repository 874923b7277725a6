package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.FindStretches;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Sweep;
import io.duramen.broker.shard.OperatorRequest.Swept;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.management.MoveResult;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.List;

/** Has shards do something to the messages of a queue or a subscription, some at a time. For one operation, by one thread. */
final class Sweeping {
    /** So few that clients hardly wait for them. */
    private static final int MESSAGES_AT_A_TIME = 1000;

    private final ShardQuestions shards;
    private final Target target;
    private final String selector;
    private final Action action;
    private final long limit;
    private final Deadline deadline;
    private long done;
    private long skipped;

    private record Place(int shard, Stretch stretch) {}

    /**
     * @param selector which messages; empty for all
     * @param limit most messages
     */
    Sweeping(ShardQuestions shards, Target target, String selector, Action action, long limit) {
        this.shards = shards;
        this.target = target;
        this.selector = selector;
        this.action = action;
        this.limit = limit;
        this.deadline = shards.deadline();
    }

    /**
     * @throws ProtocolException where it is refused; the message says of how many it was done before
     */
    MoveResult run() {
        if (limit < 1) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "a limit of " + limit + ": at least 1 is due");
        }
        List<Place> places = places();
        boolean complete = true;
        try {
            for (Place place : places) {
                complete &= sweep(place);
            }
        } catch (ProtocolException refusal) {
            throw done == 0
                    ? refusal
                    : new ProtocolException(refusal.code(), "after " + done + " messages: " + refusal.getMessage());
        }
        return new MoveResult(done, skipped, complete);
    }

    /** What is there now: what comes meanwhile, maybe by this, stays out of it. */
    private List<Place> places() {
        List<List<Stretch>> all = shards.askAll(new FindStretches(target, selector), deadline);
        List<Place> places = new ArrayList<>();
        for (int shard = 0; shard < all.size(); shard++) {
            for (Stretch stretch : all.get(shard)) {
                places.add(new Place(shard, stretch));
            }
        }
        if (places.isEmpty()) {
            throw target instanceof Target.OfQueue queue
                    ? new ProtocolException(ErrorCode.DESTINATION_NOT_FOUND, "no queue '" + queue.name() + "'")
                    : new ProtocolException(ErrorCode.SUBSCRIPTION_NOT_FOUND, "no durable subscription " + target);
        }
        return places;
    }

    /** @return whether it came to the end */
    private boolean sweep(Place place) {
        Stretch rest = place.stretch;
        while (rest.from() < rest.end()) {
            if (done >= limit || deadline.isOver()) {
                return false;
            }
            int max = (int) Math.min(limit - done, MESSAGES_AT_A_TIME);
            Swept swept = shards.ask(place.shard, new Sweep(target, rest, selector, action, max), deadline);
            done += swept.done();
            skipped += swept.skipped();
            rest = new Stretch(rest.partition(), swept.next(), rest.end());
        }
        return true;
    }
}
