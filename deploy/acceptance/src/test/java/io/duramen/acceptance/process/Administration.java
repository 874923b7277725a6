package io.duramen.acceptance.process;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * An operator who asks one node of a cluster after the other until one answers: the one that serves. Used by one thread, beside the one
 * that uses the cluster.
 */
public final class Administration implements AutoCloseable {
    private final ClusterFigures nodes;

    /** Who answered last is asked first. */
    private final List<ServerProcess> order;

    public Administration(ClusterProcess cluster) {
        this.nodes = new ClusterFigures(cluster::name);
        this.order = new ArrayList<>(cluster.nodes());
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
        for (ServerProcess node : List.copyOf(order)) {
            long answer = node.isReady() ? nodes.of(node, question) : -1;
            if (answer >= 0) {
                order.remove(node);
                order.add(0, node);
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
