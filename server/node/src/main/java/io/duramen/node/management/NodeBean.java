package io.duramen.node.management;

import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.NodeMXBean;
import io.duramen.node.network.NetworkServer;
import java.util.List;

/** Thread-safe. */
final class NodeBean implements NodeMXBean {
    private final NodeManagement.Identity identity;
    private final int port;
    private final long startedMillis = System.currentTimeMillis();
    private final long startedNanos = System.nanoTime();
    private final List<ShardCounters> counters;
    private final List<ShardBean> shards;
    private final NetworkServer network;

    /** @param port on which clients connect */
    NodeBean(
            NodeManagement.Identity identity,
            int port,
            List<ShardCounters> counters,
            List<ShardBean> shards,
            NetworkServer network) {
        this.identity = identity;
        this.port = port;
        this.counters = counters;
        this.shards = shards;
        this.network = network;
    }

    @Override
    public String getName() {
        return identity.name();
    }

    @Override
    public String getVersion() {
        return identity.version();
    }

    @Override
    public String getAddress() {
        return identity.host() + ":" + port;
    }

    @Override
    public String getDataDirectory() {
        return identity.data().toAbsolutePath().toString();
    }

    @Override
    public long getStartedMillis() {
        return startedMillis;
    }

    @Override
    public long getUptimeMillis() {
        return (System.nanoTime() - startedNanos) / 1_000_000;
    }

    @Override
    public int getShards() {
        return shards.size();
    }

    @Override
    public int getShardsLeading() {
        return (int) shards.stream()
                .filter(shard -> shard.getState().equals("LEADING"))
                .count();
    }

    @Override
    public long getDestinations() {
        return counters.get(ShardQuestions.CATALOGUE).get(Counter.DESTINATIONS);
    }

    @Override
    public long getDurableSubscriptions() {
        return counters.get(ShardQuestions.CATALOGUE).get(Counter.DURABLE_SUBSCRIPTIONS);
    }

    @Override
    public int getConnections() {
        return network.connections();
    }

    @Override
    public long getMessagesStored() {
        return Counts.sum(counters, Counter.MESSAGES_STORED);
    }

    @Override
    public long getMessagesSettled() {
        return Counts.sum(counters, Counter.MESSAGES_SETTLED);
    }

    @Override
    public long getLogBytes() {
        return Counts.sum(counters, Counter.LOG_BYTES);
    }

    @Override
    public boolean isDiskFull() {
        return Counts.sum(counters, Counter.LOG_FULL) > 0;
    }

    @Override
    public String[] getChangedSettings() {
        return identity.changedSettings().toArray(String[]::new);
    }
}
