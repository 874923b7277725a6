package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.AddPartitions;
import io.duramen.broker.shard.OperatorRequest.ChangeDestination;
import io.duramen.broker.shard.OperatorRequest.CountDestinations;
import io.duramen.broker.shard.OperatorRequest.CreateDestination;
import io.duramen.broker.shard.OperatorRequest.DeleteDestination;
import io.duramen.broker.shard.OperatorRequest.DestinationCounts;
import io.duramen.broker.shard.OperatorRequest.DestinationEntry;
import io.duramen.broker.shard.OperatorRequest.FindSettings;
import io.duramen.broker.shard.OperatorRequest.ListDestinations;
import io.duramen.broker.shard.OperatorRequest.PauseDestination;
import io.duramen.broker.shard.OperatorRequest.RequireUnused;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.ConsumerPage;
import io.duramen.management.DestinationPage;
import io.duramen.management.DestinationRow;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.MoveResult;
import io.duramen.management.SettingRow;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.DestinationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Thread-safe. */
final class DestinationsBean implements DestinationsMXBean {
    private final ShardCounters catalogue;
    private final ShardQuestions shards;
    private final Audit audit;

    /** @param catalogue counters of the shard with the catalogue */
    DestinationsBean(ShardCounters catalogue, ShardQuestions shards, Audit audit) {
        this.catalogue = catalogue;
        this.shards = shards;
        this.audit = audit;
    }

    @Override
    public long getCount() {
        return catalogue.get(Counter.DESTINATIONS);
    }

    @Override
    public DestinationPage list(String pattern, String after, int limit) {
        return audit.look("list of destinations '" + pattern + "'", () -> {
            Deadline deadline = shards.deadline();
            var page = shards.ask(
                    ShardQuestions.CATALOGUE,
                    new ListDestinations(Text.pattern(pattern), Text.orEmpty(after), limit),
                    deadline);
            List<DestinationRow> rows = new ArrayList<>();
            Counts.inChunks(page.entries(), chunk -> rows.addAll(rows(chunk, deadline)));
            return new DestinationPage(rows, page.next());
        });
    }

    private List<DestinationRow> rows(List<DestinationEntry> entries, Deadline deadline) {
        List<String> names = entries.stream().map(DestinationEntry::name).toList();
        List<List<DestinationCounts>> counts = shards.askAll(new CountDestinations(names), deadline);
        List<DestinationRow> rows = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            int at = i;
            rows.add(row(entries.get(i), counts.stream().map(one -> one.get(at)).toList()));
        }
        return rows;
    }

    private static DestinationRow row(DestinationEntry entry, List<DestinationCounts> ofShards) {
        return new DestinationRow(
                entry.name(),
                entry.kind().name(),
                entry.partitions(),
                Counts.sum(ofShards, DestinationCounts::messages),
                Counts.sum(ofShards, DestinationCounts::held),
                Counts.most(ofShards, DestinationCounts::consumers),
                Counts.most(ofShards, DestinationCounts::subscriptions),
                entry.paused());
    }

    @Override
    public ConsumerPage consumers(String name, String after, int limit) {
        return audit.look(
                "list of consumers of '" + name + "'",
                () -> new Consumers(shards).of(Text.orEmpty(name), Text.orEmpty(after), limit));
    }

    @Override
    public void create(String name, String kind, int partitions) {
        String what = "creation of " + kind + " '" + name + "' with "
                + (partitions == 0 ? "the usual number of" : "" + partitions) + " partitions";
        audit.change(what, () -> {
            shards.ask(
                    ShardQuestions.CATALOGUE,
                    new CreateDestination(Text.orEmpty(name), kind(kind), partitions),
                    shards.deadline());
            return "it is there";
        });
    }

    private static DestinationKind kind(String kind) {
        return switch (Text.orEmpty(kind).toUpperCase(Locale.ROOT)) {
            case "QUEUE" -> DestinationKind.QUEUE;
            case "TOPIC" -> DestinationKind.TOPIC;
            default ->
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST, "'" + kind + "' is no kind: QUEUE or TOPIC is due");
        };
    }

    @Override
    public void addPartitions(String name, int total) {
        audit.change("adding of partitions to destination '" + name + "', up to " + total, () -> {
            shards.ask(ShardQuestions.CATALOGUE, new AddPartitions(Text.orEmpty(name), total), shards.deadline());
            return "it has so many";
        });
    }

    @Override
    public List<SettingRow> settings(String name) {
        return audit.look(
                "settings of destination '" + name + "'",
                () ->
                        shards
                                .ask(ShardQuestions.CATALOGUE, new FindSettings(Text.orEmpty(name)), shards.deadline())
                                .stream()
                                .map(one -> new SettingRow(one.key(), one.value(), one.changed()))
                                .toList());
    }

    @Override
    public void change(String name, String settings) {
        audit.change("change of destination '" + name + "' to " + settings, () -> {
            shards.ask(
                    ShardQuestions.CATALOGUE,
                    new ChangeDestination(Text.orEmpty(name), Text.orEmpty(settings)),
                    shards.deadline());
            return "they hold";
        });
    }

    @Override
    public void pause(String name) {
        audit.change("pause of destination '" + name + "'", () -> {
            pause(name, true);
            return "it is paused";
        });
    }

    @Override
    public void resume(String name) {
        audit.change("resumption of destination '" + name + "'", () -> {
            pause(name, false);
            return "it goes on";
        });
    }

    private void pause(String name, boolean paused) {
        shards.ask(ShardQuestions.CATALOGUE, new PauseDestination(Text.orEmpty(name), paused), shards.deadline());
    }

    @Override
    public void delete(String name) {
        audit.change("delete of destination '" + name + "'", () -> {
            Deadline deadline = shards.deadline();
            shards.askAll(new RequireUnused(Text.orEmpty(name)), deadline);
            shards.ask(ShardQuestions.CATALOGUE, new DeleteDestination(Text.orEmpty(name)), deadline);
            return "it is gone";
        });
    }

    @Override
    public MoveResult seek(String queue, String to) {
        return audit.change(
                "seek of queue '" + queue + "' to " + to,
                () -> new Seeking(shards, new Target.OfQueue(Text.orEmpty(queue))).seek(Text.orEmpty(to)));
    }

    @Override
    public MoveResult purge(String queue, String selector, long limit) {
        String what = "purge of queue '" + queue + "', selector '" + Text.orEmpty(selector) + "', limit " + limit;
        return audit.change(
                what,
                () -> new Sweeping(
                                shards,
                                new Sweeping.Task(
                                        new Target.OfQueue(Text.orEmpty(queue)),
                                        Text.orEmpty(selector),
                                        Action.DROP,
                                        limit))
                        .run());
    }
}
