package io.duramen.node.shard;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Who leads the shards that several nodes have, as this node knows it, and what it may do about it. From any thread. */
public interface Leaderships {
    /** Name of this node. */
    String self();

    /** How long the others wait for a word of a leader, which every pause here is measured by. */
    Duration electionTimeout();

    /** Name of the node that leads a shard, as far as this one knows: its own where the engine has chosen it. */
    Optional<String> leader(int shard);

    /** Whether so many of the nodes that a shard is on answer that one of them may lead it; true where these are not known. */
    boolean mayBeLed(int shard);

    /** Names of the nodes that decide who leads, and may. */
    List<String> voters();

    /** Whether another node has what is committed of a shard, which this one leads: else it could not be chosen in its place. */
    boolean canTake(int shard, String node);

    /**
     * Has another node lead a shard, where this one does; its host here is over then. Returns at once; where nothing comes of it, it is
     * asked for again.
     *
     * @param to who is to lead; empty for whoever is furthest
     */
    void handOn(int shard, Optional<String> to);

    /** Hands on whatever this node leads, all to the same node where that can be; returns when it leads nothing, or a while later. */
    void leadNoMore();

    /** This node ends: chooses who is to lead then what it leads, all the same node where that can be. */
    void chooseSuccessor();

    /** A shard of this node is broken: it does not stand for election any more, in none of them, before it is started again. */
    void standAside();
}
