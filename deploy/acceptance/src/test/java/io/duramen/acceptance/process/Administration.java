package io.duramen.acceptance.process;

import java.util.OptionalLong;

/**
 * An operator who asks one node of a cluster after the other until one answers: the one that serves. Used by one thread, beside the one
 * that uses the cluster.
 */
public final class Administration implements AutoCloseable {
    private final ClusterProcess cluster;
    private final ClusterFigures nodes;

    public Administration(ClusterProcess cluster) {
        this.cluster = cluster;
        this.nodes = new ClusterFigures(cluster::name);
    }

    /** Whether a node says that it has made the queue. */
    public boolean hasMadeQueue(String name) {
        return ask(node -> node.makesQueue(name)).isPresent();
    }

    /** Whether a node says that the setting holds; otherwise it may, or not. */
    public boolean hasChanged(String destination, String key, long value) {
        return ask(node -> node.changes(destination, key, value)).isPresent();
    }

    /** What the node that serves says of a setting; empty where none has answered. */
    public OptionalLong setting(String destination, String key) {
        return ask(node -> node.setting(destination, key));
    }

    private OptionalLong ask(ClusterFigures.Figure question) {
        for (ServerProcess node : cluster.nodes()) {
            long answer = node.isReady() ? nodes.of(node, question) : -1;
            if (answer >= 0) {
                return OptionalLong.of(answer);
            }
        }
        return OptionalLong.empty();
    }

    @Override
    public void close() {
        nodes.close();
    }
}
