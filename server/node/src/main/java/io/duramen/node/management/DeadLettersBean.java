package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.DeadLettersMXBean;
import io.duramen.management.MoveResult;
import java.util.List;

/** Thread-safe. */
final class DeadLettersBean implements DeadLettersMXBean {
    private final List<ShardCounters> counters;
    private final ShardQuestions shards;
    private final Audit audit;

    DeadLettersBean(List<ShardCounters> counters, ShardQuestions shards, Audit audit) {
        this.counters = counters;
        this.shards = shards;
        this.audit = audit;
    }

    @Override
    public long getSpent() {
        return Counts.sum(counters, Counter.DEAD_LETTERS_SPENT);
    }

    @Override
    public long getRefused() {
        return Counts.sum(counters, Counter.DEAD_LETTERS_REFUSED);
    }

    @Override
    public long getExpiredMoved() {
        return Counts.sum(counters, Counter.MESSAGES_EXPIRED_MOVED);
    }

    @Override
    public long getSentBack() {
        return Counts.sum(counters, Counter.DEAD_LETTERS_SENT_BACK);
    }

    @Override
    public MoveResult sendBack(String queue, String origin, String selector, long limit) {
        String what = "sending back of dead letters in '" + queue + "', origin '" + Text.orEmpty(origin)
                + "', selector '" + Text.orEmpty(selector) + "', limit " + limit;
        String ofOrigin = Text.orEmpty(origin).isEmpty() ? "" : "JMS_Duramen_Origin = " + Text.literal(origin);
        return audit.change(
                what,
                () -> new Sweeping(
                                shards,
                                new Sweeping.Task(
                                        new Target.OfQueue(Text.orEmpty(queue)),
                                        Text.both(ofOrigin, Text.orEmpty(selector)),
                                        Action.SEND_BACK,
                                        limit))
                        .run());
    }
}
