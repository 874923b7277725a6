package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Sweep;
import io.duramen.broker.shard.OperatorRequest.Swept;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.management.MoveResult;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.PartitionRef;
import java.util.List;

/** Has shards do something to the messages of a queue or a subscription, some at a time. For one operation, by one thread. */
final class Sweeping {
    /** So few that clients hardly wait for them. */
    private static final int MESSAGES_AT_A_TIME = 1000;

    private final ShardQuestions shards;
    private final Task task;
    private final Deadline deadline;
    private final Pace pace;
    private long done;
    private long skipped;

    /**
     * What to do.
     *
     * @param selector which messages; empty for all
     * @param to where they go; empty for nowhere in particular
     * @param limit most messages
     */
    record Task(Target target, String selector, Action action, List<PartitionRef> to, long limit) {
        Task(Target target, String selector, Action action, long limit) {
            this(target, selector, action, List.of(), limit);
        }
    }

    Sweeping(ShardQuestions shards, Task task) {
        this(shards, task, new Pace(MESSAGES_AT_A_TIME, 0));
    }

    /** @param perSecond most messages in a second; 0 for as many as can be */
    static Sweeping paced(ShardQuestions shards, Task task, int perSecond) {
        return new Sweeping(shards, task, new Pace(MESSAGES_AT_A_TIME, perSecond));
    }

    private Sweeping(ShardQuestions shards, Task task, Pace pace) {
        this.shards = shards;
        this.task = task;
        this.pace = pace;
        this.deadline = shards.deadline();
    }

    /**
     * @throws ProtocolException where it is refused; the message says of how many it was done before
     */
    MoveResult run() {
        if (task.limit < 1) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "a limit of " + task.limit + ": at least 1 is due");
        }
        // What is there now: what comes meanwhile, maybe by this, stays out of it.
        return over(new Browsing(shards, task.target).places(task.selector));
    }

    /** As {@link #run}, of these places. */
    MoveResult over(List<Browsing.Place> places) {
        boolean complete = true;
        try {
            for (Browsing.Place place : places) {
                complete &= sweep(place);
            }
        } catch (ProtocolException refusal) {
            throw done == 0
                    ? refusal
                    : new ProtocolException(refusal.code(), "after " + done + " messages: " + refusal.getMessage());
        }
        return new MoveResult(done, skipped, complete);
    }

    /**
     * Does it to one message, whatever the selector and the limit.
     *
     * @throws ProtocolException where it is not there, is held, or has to stay
     */
    void one(MessagePlace message) {
        Browsing browsing = new Browsing(shards, task.target);
        Browsing.Place place = browsing.find(message);
        Swept swept = shards.ask(
                place.shard(),
                new Sweep(task.target, place.stretch(), "", task.action, task.to, 1),
                browsing.deadline());
        if (swept.skipped() > 0) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "message " + message + " has to stay: its large body is in another shard than the queue, or the"
                            + " queue has several partitions and the message belongs to a group");
        }
        if (swept.done() == 0) {
            throw new ProtocolException(
                    ErrorCode.DESTINATION_IN_USE,
                    "message " + message + " is " + browsing.one(message, 0).standing() + ": nobody else may have it");
        }
    }

    /** @return whether it came to the end */
    private boolean sweep(Browsing.Place place) {
        Stretch rest = place.stretch();
        while (rest.from() < rest.end()) {
            if (done >= task.limit || deadline.isOver()) {
                return false;
            }
            int max = (int) Math.min(task.limit - done, pace.most());
            Swept swept = shards.ask(
                    place.shard(), new Sweep(task.target, rest, task.selector, task.action, task.to, max), deadline);
            done += swept.done();
            skipped += swept.skipped();
            pace.wait(swept.done(), deadline);
            rest = new Stretch(rest.partition(), swept.next(), rest.end());
        }
        return true;
    }
}
