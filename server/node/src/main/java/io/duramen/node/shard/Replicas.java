package io.duramen.node.shard;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** How this node stands in its cluster, and what an operator may have it do there. From any thread. */
public interface Replicas {
    /**
     * @param leads whether this node does
     * @param leader name of the node that does, as far as this one knows
     * @param drained whether this node is kept from leading
     * @param minInSync nodes that have to have what is persistent
     * @param nodes all of them, by name
     */
    record Standing(
            String cluster,
            boolean leads,
            Optional<String> leader,
            long epoch,
            long committedIndex,
            boolean drained,
            int minInSync,
            List<Member> nodes) {}

    /**
     * A node of the cluster; how far it is, the leader alone knows.
     *
     * @param address HOST:PORT for the nodes' talk with each other
     * @param inSync whether it has all that is committed
     * @param lagEntries that the leader has and it has not
     * @param silentMillis since it was asked what it has answered last
     */
    record Member(
            String name,
            String address,
            Optional<String> clientAddress,
            boolean inSync,
            OptionalLong lagEntries,
            OptionalLong silentMillis) {}

    Standing standing();

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
}
