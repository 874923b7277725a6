package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.CountSubscriptions;
import io.duramen.broker.shard.OperatorRequest.ListSubscriptions;
import io.duramen.broker.shard.OperatorRequest.PauseSubscription;
import io.duramen.broker.shard.OperatorRequest.SubscriptionCounts;
import io.duramen.broker.shard.OperatorRequest.SubscriptionEntry;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.MoveResult;
import io.duramen.management.SubscriptionPage;
import io.duramen.management.SubscriptionRow;
import io.duramen.management.SubscriptionsMXBean;
import io.duramen.node.management.ShardQuestions.Deadline;
import java.util.ArrayList;
import java.util.List;

/** Thread-safe. */
final class SubscriptionsBean implements SubscriptionsMXBean {
    private final ShardCounters catalogue;
    private final ShardQuestions shards;
    private final Audit audit;

    /** @param catalogue counters of the shard with the catalogue */
    SubscriptionsBean(ShardCounters catalogue, ShardQuestions shards, Audit audit) {
        this.catalogue = catalogue;
        this.shards = shards;
        this.audit = audit;
    }

    @Override
    public long getCount() {
        return catalogue.get(Counter.DURABLE_SUBSCRIPTIONS);
    }

    @Override
    public SubscriptionPage list(String topicPattern, int after, int limit) {
        return audit.look("list of subscriptions of '" + topicPattern + "'", () -> {
            Deadline deadline = shards.deadline();
            var page = shards.ask(
                    ShardQuestions.CATALOGUE,
                    new ListSubscriptions(Text.pattern(topicPattern), after, limit),
                    deadline);
            List<SubscriptionRow> rows = new ArrayList<>();
            Counts.inChunks(page.entries(), chunk -> rows.addAll(rows(chunk, deadline)));
            return new SubscriptionPage(rows, page.next());
        });
    }

    private List<SubscriptionRow> rows(List<SubscriptionEntry> entries, Deadline deadline) {
        List<Integer> ids = entries.stream().map(SubscriptionEntry::id).toList();
        List<List<SubscriptionCounts>> counts = shards.askAll(new CountSubscriptions(ids), deadline);
        List<SubscriptionRow> rows = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            int at = i;
            rows.add(row(entries.get(i), counts.stream().map(one -> one.get(at)).toList()));
        }
        return rows;
    }

    private static SubscriptionRow row(SubscriptionEntry entry, List<SubscriptionCounts> ofShards) {
        return new SubscriptionRow(
                entry.id(),
                entry.destination(),
                entry.clientId(),
                entry.name(),
                entry.kind().isShared(),
                entry.selector(),
                Counts.sum(ofShards, SubscriptionCounts::backlog),
                Counts.sum(ofShards, SubscriptionCounts::held),
                Counts.most(ofShards, SubscriptionCounts::consumers),
                entry.paused());
    }

    @Override
    public void pause(String clientId, String name) {
        audit.change("pause of subscription '" + name + "' of client id '" + Text.orEmpty(clientId) + "'", () -> {
            pause(clientId, name, true);
            return "it is paused";
        });
    }

    @Override
    public void resume(String clientId, String name) {
        audit.change("resumption of subscription '" + name + "' of client id '" + Text.orEmpty(clientId) + "'", () -> {
            pause(clientId, name, false);
            return "it goes on";
        });
    }

    private void pause(String clientId, String name, boolean paused) {
        shards.ask(
                ShardQuestions.CATALOGUE,
                new PauseSubscription(Text.orEmpty(clientId), Text.orEmpty(name), paused),
                shards.deadline());
    }

    @Override
    public MoveResult seek(String clientId, String name, String to) {
        Target target = new Target.OfSubscription(Text.orEmpty(clientId), Text.orEmpty(name));
        return audit.change(
                "seek of subscription '" + name + "' of client id '" + Text.orEmpty(clientId) + "' to " + to,
                () -> new Seeking(shards, target).seek(Text.orEmpty(to)));
    }

    @Override
    public MoveResult purge(String clientId, String name, String selector, long limit) {
        String what = "purge of subscription '" + name + "' of client id '" + Text.orEmpty(clientId) + "', selector '"
                + Text.orEmpty(selector) + "', limit " + limit;
        return audit.change(
                what,
                () -> new Sweeping(
                                shards,
                                new Sweeping.Task(
                                        new Target.OfSubscription(Text.orEmpty(clientId), Text.orEmpty(name)),
                                        Text.orEmpty(selector),
                                        Action.DROP,
                                        limit))
                        .run());
    }
}
