package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.AttachedEntry;
import io.duramen.broker.shard.OperatorRequest.EndConsumer;
import io.duramen.broker.shard.OperatorRequest.ListAttached;
import io.duramen.management.AttachedRow;
import io.duramen.management.ConnectionRow;
import io.duramen.management.ConnectionsMXBean;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.node.network.NetworkServer;
import io.duramen.node.network.OpenConnection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Thread-safe. */
final class ConnectionsBean implements ConnectionsMXBean {
    private final NetworkServer network;
    private final ShardQuestions shards;
    private final Audit audit;

    ConnectionsBean(NetworkServer network, ShardQuestions shards, Audit audit) {
        this.network = network;
        this.shards = shards;
        this.audit = audit;
    }

    @Override
    public int getCount() {
        return network.connections();
    }

    @Override
    public List<ConnectionRow> list(long after, int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw new IllegalArgumentException("a page of " + limit + ": 1 to " + PAGE_MAX + " are allowed");
        }
        return audit.look(
                "list of connections",
                () -> network.open(after, limit).stream()
                        .map(ConnectionsBean::row)
                        .toList());
    }

    private static ConnectionRow row(OpenConnection one) {
        return new ConnectionRow(
                one.id(), one.user().orElse(""), one.clientId().orElse(""), one.address(), one.openedMillis());
    }

    @Override
    public void close(long id) {
        audit.change("close of connection " + id, () -> {
            if (!network.close(id)) {
                throw new IllegalArgumentException("no connection " + id + " is open");
            }
            return "it is closed";
        });
    }

    @Override
    public List<AttachedRow> consumers(long id, int after, int limit) {
        return audit.look("list of consumers of connection " + id, () -> {
            List<AttachedRow> rows = new ArrayList<>();
            List<List<AttachedEntry>> ofShards = shards.askAll(new ListAttached(id, after, limit), shards.deadline());
            for (int shard = 0; shard < ofShards.size(); shard++) {
                for (AttachedEntry one : ofShards.get(shard)) {
                    rows.add(new AttachedRow(one.consumer(), shard, one.destination(), one.subscription(), one.held()));
                }
            }
            rows.sort(Comparator.comparingInt(AttachedRow::consumer));
            return rows.stream().limit(limit).toList();
        });
    }

    @Override
    public void closeConsumer(long id, int consumer) {
        audit.change("close of consumer " + consumer + " of connection " + id, () -> {
            Deadline deadline = shards.deadline();
            Optional<List<Boolean>> left = shards.tryAll(new EndConsumer(id, consumer, false), deadline.half());
            if (left.isPresent() && !left.get().contains(true)) {
                throw new IllegalArgumentException("connection " + id + " has no consumer " + consumer);
            }
            if (left.isPresent()) {
                return "it has left";
            }
            shards.askAll(new EndConsumer(id, consumer, true), deadline);
            return "its client has not had it leave in time: it was cut off";
        });
    }
}
