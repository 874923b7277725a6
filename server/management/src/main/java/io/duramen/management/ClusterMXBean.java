package io.duramen.management;

import java.util.List;

/** The cluster that a node is one of, as this node sees it: {@code type=Cluster}; not there on a node by itself. */
public interface ClusterMXBean {
    /** Id of the cluster. */
    String getId();

    /**
     * LEADING where this node leads all shards, and serves clients, or where several nodes lead, one at least, BEGINS_ANEW while it copies another's log in place of one of its own, which is damaged, and takes no
     * part meanwhile, else FOLLOWING.
     */
    String getRole();

    /** Name of the node that leads shard 0, and the rest before long, as far as this one knows; empty where it knows of none. */
    String getLeader();

    /** Number of the leadership of shard 0, which ascends with every change of leaders. */
    long getEpoch();

    /** Index of the last entry of shard 0 that is committed, as far as this node knows. */
    long getCommittedIndex();

    /**
     * Names of the nodes that have all that is committed, of every shard that they have, the leader among them; empty where this node does not lead, and
     * one leads all.
     */
    List<String> getInSync();

    /** How many nodes have to have a persistent message on disk before it is confirmed; while fewer are in sync none is taken. */
    int getMinInSync();

    /** Whether this node is kept from leading, see {@link #drain}. */
    boolean isDrained();

    /**
     * Which change of the nodes is under way, and how far it is, or how the last one ended; empty for none since this node leads.
     */
    String getChange();

    /** Level of the formats in which the nodes write; where shards differ, the lowest. Raised by {@link #finishUpgrade} alone. */
    int getFormatLevel();

    /** Level up to which this node reads: the one that its version would write. */
    int getFormatMax();

    /** All nodes; how far the others are is known to the leader alone, whom this node asks where several lead. */
    List<ClusterNodeRow> list();

    /** How each shard stands, by number: one node leads all of them, but while leaders change, or where several lead. */
    List<ClusterShardRow> listShards();

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

    /**
     * After all nodes were started with a new version, where this one leads, or several do: from here on they write in the level of that version. There
     * is no way back to the version before. Refused while a node runs another version, or has not been seen. Again, it does nothing.
     *
     * @return what holds
     */
    String finishUpgrade();

    /**
     * Adds a node, where this one leads; where several do, at any. The new one is started on an empty directory, with cluster.join=true and all nodes in
     * cluster.nodes. It copies what this one has, and decides with the others once it has all of it: {@link #getChange} and {@link #list} tell
     * how far that is.
     *
     * @param node {@code NAME@HOST:PORT}, with the port for the nodes' talk with each other
     * @return what was begun
     */
    String add(String node);

    /**
     * Removes a node, where this one leads; where it is this one, another leads then. Where several lead, at any but the one that is removed. A node that was to be added is given up. A name that was
     * removed is not used again.
     *
     * @param node its name
     * @return what was done
     */
    String remove(String node);

    /**
     * As {@link #add}, and the new node takes the place of another, which may be dead, when it decides with the others.
     *
     * @param node name of the one that is replaced
     * @param by {@code NAME@HOST:PORT} of the new one
     * @return what was begun
     */
    String replace(String node, String by);

    /**
     * Gives a node of the cluster a replica of a shard that it has none of. It copies what the others have, and decides with them once it has all of it:
     * {@link #getChange} and {@link #listShards} tell how far that is. Where several nodes lead, alone.
     *
     * @param shard not 0, which has the catalogue and is on all nodes
     * @param node its name
     * @return what was begun
     */
    String addReplica(int shard, String node);

    /**
     * Has a node have no replica of a shard any more: what it has of it is deleted. Another leads it then. As {@link #addReplica}.
     *
     * @return what was done
     */
    String removeReplica(int shard, String node);

    /**
     * As {@link #addReplica}, and the new replica takes the place of another, which may be that of a dead node, when it decides with the others.
     *
     * @param from name of the node that has one
     * @param to name of the node that is to have one
     * @return what was begun
     */
    String moveReplica(int shard, String from, String to);
}
