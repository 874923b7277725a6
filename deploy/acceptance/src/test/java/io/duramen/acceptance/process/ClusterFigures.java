package io.duramen.acceptance.process;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import javax.management.JMException;
import javax.management.JMRuntimeException;

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
            if (!(e.getCause() instanceof JMException) && !(e.getCause() instanceof JMRuntimeException)) {
                forget(node);
            }
            return -1;
        }
    }

    /** The connection is gone, or of no use: the next question is asked over another. */
    private void forget(ServerProcess node) {
        NodeFigures figures = known.remove(node);
        if (figures != null) {
            figures.close();
        }
    }

    @Override
    public void close() {
        known.values().forEach(NodeFigures::close);
    }
}
