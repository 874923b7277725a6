package io.duramen.acceptance.process;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Connections to the JMX of nodes that run, made where they are needed first. Used by one thread. */
final class ClusterFigures implements AutoCloseable {
    private final Map<ServerProcess, NodeFigures> known = new HashMap<>();
    private final Function<ServerProcess, String> names;

    /** A number that a node tells. */
    interface Figure {
        long of(NodeFigures node) throws IOException;
    }

    ClusterFigures(Function<ServerProcess, String> names) {
        this.names = names;
    }

    /** -1 where the node does not tell. */
    long of(ServerProcess node, Figure figure) {
        if (!node.isRunning()) {
            return -1;
        }
        try {
            NodeFigures figures = known.get(node);
            if (figures == null || !figures.areOf(node)) {
                if (figures != null) {
                    figures.close();
                }
                figures = NodeFigures.of(node, names.apply(node));
                known.put(node, figures);
            }
            return figure.of(figures);
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public void close() {
        known.values().forEach(NodeFigures::close);
    }
}
