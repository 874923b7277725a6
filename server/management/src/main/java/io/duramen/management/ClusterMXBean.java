package io.duramen.management;

import java.util.List;

/** The cluster that a node is one of, as this node sees it: {@code type=Cluster}; not there on a node by itself. */
public interface ClusterMXBean {
    /** Id of the cluster. */
    String getId();

    /** LEADING where this node serves clients, else FOLLOWING. */
    String getRole();

    /** Name of the node that leads, as far as this one knows; empty where it knows of none. */
    String getLeader();

    /** Number of the leadership, which ascends with every change of leaders. */
    long getEpoch();

    /** Index of the last entry that is committed, as far as this node knows. */
    long getCommittedIndex();

    /** Names of the nodes that have all that is committed, the leader among them; empty where this node does not lead. */
    List<String> getInSync();

    /** How many nodes have to have a persistent message on disk before it is confirmed; while fewer are in sync none is taken. */
    int getMinInSync();

    /** Whether this node is kept from leading, see {@link #drain}. */
    boolean isDrained();

    /** All nodes; how far the others are is known to the leader alone. */
    List<ClusterNodeRow> list();

    /**
     * Has another node lead in place of this one, which has to. Clients follow, as when a node dies; what they had in hand and did not
     * acknowledge comes again.
     *
     * @param node name of the one that is to lead; empty for the one that is furthest
     */
    void stepDown(String node);

    /**
     * Before maintenance: this node leads no more, and is not chosen again before {@link #resume} or a restart. It goes on replicating.
     */
    void drain();

    /** This node may lead again. */
    void resume();
}
