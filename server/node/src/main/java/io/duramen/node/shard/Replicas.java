package io.duramen.node.shard;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** How this node stands in its cluster, and what an operator may have it do there. From any thread. */
public interface Replicas {
    /**
     * @param drained whether this node is kept from leading
     * @param minInSync nodes that have to have what is persistent
     * @param leads whether this node leads all shards, and so serves; where several nodes lead, whether it leads any
     * @param leader name of the node that leads shard 0, as far as this one knows: it leads the rest before long
     * @param epoch of shard 0, as is {@code committedIndex}
     * @param nodes all of them, by name
     * @param change of the nodes that is under way, and how far it is, or how the last one ended; empty for none since this node leads
     * @param shards by number
     * @param format in which the nodes write
     * @param beginsAnew name of the node that copies another's log in place of its own, which is damaged, as far as this one knows
     */
    record Standing(
            String cluster,
            boolean leads,
            Optional<String> leader,
            long epoch,
            long committedIndex,
            boolean drained,
            int minInSync,
            List<Member> nodes,
            String change,
            List<OfShard> shards,
            Format format,
            Optional<String> beginsAnew) {}

    /**
     * @param level {@link io.duramen.protocol.FormatLevel} in which the logs are written: the lowest of all shards
     * @param max up to which this node reads
     */
    record Format(int level, int max) {}

    /**
     * How this node's replica of a shard stands.
     *
     * @param replicas names of the nodes that decide in it
     * @param inSync names of the nodes that have all that is committed; empty where its leader has not said so
     * @param lagEntries that the leader has and the node that is furthest behind has not
     * @param change as that of all shards
     */
    record OfShard(
            int shard,
            Optional<String> leader,
            long epoch,
            long committedIndex,
            List<String> replicas,
            List<String> inSync,
            OptionalLong lagEntries,
            String change) {}

    /**
     * A node of the cluster; how far it is, the leader alone knows.
     *
     * @param address HOST:PORT for the nodes' talk with each other
     * @param votes whether it decides with the others, in every shard; if not, it is to be added
     * @param inSync whether it has all that is committed, of every shard
     * @param lagEntries that the leader has and it has not, of all shards
     * @param silentMillis since it was asked what it has answered last
     * @param formatMax level up to which it reads; empty where it has not said so since this node started
     */
    record Member(
            String name,
            String address,
            Optional<String> clientAddress,
            boolean votes,
            boolean inSync,
            OptionalLong lagEntries,
            OptionalLong silentMillis,
            OptionalInt formatMax) {}

    Standing standing();

    /**
     * The level in which all nodes can write from here on: the latest that this one knows.
     *
     * @throws io.duramen.protocol.ProtocolException where this node does not lead, or one of them cannot read that, or has not said whether
     *     it can
     */
    int formatToFinish();

    /**
     * Has another node lead; returns when this one leads no more.
     *
     * @param to empty for the one that is furthest
     * @throws io.duramen.protocol.ProtocolException where this node does not lead, or the other is not to be had
     */
    void stepDown(Optional<String> to);

    /**
     * This node leads no more, and does not stand for election again before {@link #resume} or its end.
     *
     * @throws io.duramen.protocol.ProtocolException where it leads, and no other is in sync: nothing has changed then
     */
    void drain();

    /** This node may lead again. */
    void resume();

    /**
     * Adds a node; returns once it may begin to follow, and it decides with the others once it has what this one has.
     *
     * @param node {@code NAME@HOST:PORT}
     * @return what was begun
     * @throws io.duramen.protocol.ProtocolException where this node does not lead, or that cannot be; nothing has changed then, but where it
     *     says that it is not decided
     */
    String add(String node);

    /** Removes a node, this one maybe, or gives up adding it; as {@link #add}, but returns when it is done. */
    String remove(String name);

    /** Adds a node, which takes the place of another once it has what this one has; as {@link #add}. */
    String replace(String name, String by);

    /**
     * Gives a node of the cluster a replica of a shard that it has none of; as {@link #add}.
     *
     * @param shard not the one with the catalogue, which is on all nodes
     */
    String addReplica(int shard, String node);

    /** Has a node have no replica of a shard any more; as {@link #remove}. */
    String removeReplica(int shard, String node);

    /** Gives a node a replica of a shard, which takes the place of another node's; as {@link #add}. */
    String moveReplica(int shard, String from, String to);
}
