package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.DeadLetterPage;
import io.duramen.management.DeadLetterRow;
import io.duramen.management.DeadLettersMXBean;
import io.duramen.management.MessageRow;
import io.duramen.management.MessagesMXBean;
import io.duramen.management.MoveResult;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    public DeadLetterPage list(String queue, String origin, String selector, String after, int limit) {
        return audit.look("list of dead letters in '" + queue + "'", () -> {
            if (limit < 1 || limit > PAGE_MAX) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST,
                        "a page of " + limit + " dead letters: 1 to " + PAGE_MAX + " are allowed");
            }
            List<DeadLetterRow> rows = new ArrayList<>();
            String next = new Browsing(shards, new Target.OfQueue(Text.orEmpty(queue)))
                    .page(
                            Text.orEmpty(after),
                            limit,
                            new Browsing.Wanted(of(origin, selector), MessagesMXBean.PREVIEW_MAX, false),
                            (partition, message) -> rows.add(row(ShownMessage.row(partition, message))));
            return new DeadLetterPage(rows, next);
        });
    }

    private static DeadLetterRow row(MessageRow message) {
        Map<String, String> properties = message.properties();
        String client = properties.getOrDefault("JMS_Duramen_ClientId", "");
        return new DeadLetterRow(
                message.id(),
                properties.getOrDefault("JMS_Duramen_MessageId", message.messageId()),
                properties.getOrDefault("JMS_Duramen_Origin", ""),
                properties.getOrDefault("JMS_Duramen_Subscription", "") + (client.isEmpty() ? "" : " of " + client),
                properties.getOrDefault("JMS_Duramen_CauseCode", ""),
                properties.getOrDefault("JMS_Duramen_Cause", ""),
                number(properties.get("JMS_Duramen_DeliveryCount")),
                number(properties.get("JMS_Duramen_DeadAt")),
                message.preview());
    }

    /** A client may have written anything there. */
    private static long number(String text) {
        return text != null && text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    private static String of(String origin, String selector) {
        String ofOrigin = Text.orEmpty(origin).isEmpty() ? "" : "JMS_Duramen_Origin = " + Text.literal(origin);
        return Text.both(ofOrigin, Text.orEmpty(selector));
    }

    @Override
    public MoveResult sendBack(String queue, String origin, String selector, long limit) {
        return sendBackSlowly(queue, origin, selector, limit, 0);
    }

    @Override
    public MoveResult sendBackSlowly(String queue, String origin, String selector, long limit, int perSecond) {
        String what = "sending back of dead letters in '" + queue + "', origin '" + Text.orEmpty(origin)
                + "', selector '" + Text.orEmpty(selector) + "', limit " + limit
                + (perSecond == 0 ? "" : ", " + perSecond + " a second");
        Target from = new Target.OfQueue(Text.orEmpty(queue));
        Sweeping.Task task = new Sweeping.Task(from, of(origin, selector), Action.SEND_BACK, limit);
        return audit.change(what, () -> Sweeping.paced(shards, task, perSecond).run());
    }
}
