package io.duramen.management;

/** A node as a whole: {@code type=Node}. */
public interface NodeMXBean {
    /** {@code node.name}. */
    String getName();

    String getVersion();

    /** HOST:PORT on which clients connect. */
    String getAddress();

    /** The data directory, absolute. */
    String getDataDirectory();

    /** Milliseconds since 1970. */
    long getStartedMillis();

    long getUptimeMillis();

    /** How many shards the node has. */
    int getShards();

    /** How many of them take requests. */
    int getShardsLeading();

    /** Destinations, temporary ones included. */
    long getDestinations();

    /** Durable subscriptions of topics. */
    long getDurableSubscriptions();

    /** Connections that are open. */
    int getConnections();

    /** Messages stored since the node started. */
    long getMessagesStored();

    /** Messages settled since the node started, by queues and durable subscriptions, each for itself. */
    long getMessagesSettled();

    /** Bytes of all logs. */
    long getLogBytes();

    /** Whether a shard refuses messages for lack of disk space. */
    boolean isDiskFull();

    /** Settings that differ from their defaults, as {@code key=value (where)}; passwords are not shown. */
    String[] getChangedSettings();
}
