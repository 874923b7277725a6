package io.duramen.node.management;

import io.duramen.management.ConnectionRow;
import io.duramen.management.ConnectionsMXBean;
import io.duramen.node.network.NetworkServer;
import io.duramen.node.network.OpenConnection;
import java.util.List;

/** Thread-safe. */
final class ConnectionsBean implements ConnectionsMXBean {
    private final NetworkServer network;
    private final Audit audit;

    ConnectionsBean(NetworkServer network, Audit audit) {
        this.network = network;
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
}
