package io.duramen.simulation.broker;

import io.duramen.broker.shard.ShardRequest;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Deliver;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that led and has not heard yet that another leads: it goes on with the clients that it has, and whatever it appends is on
 * its own disks alone. Confined to the simulation.
 */
final class FormerLeader {
    private final List<SimulatedShard> shards;
    private final List<SimulatedLink> links;

    /** @param left links that are no more, of which its shards need not have heard yet */
    FormerLeader(List<SimulatedShard> shards, List<SimulatedLink> links, List<SimulatedLink> left) {
        this.shards = List.copyOf(shards);
        this.links = new ArrayList<>(links);
        this.links.addAll(left);
    }

    boolean owns(SimulatedLink link) {
        return links.contains(link);
    }

    /** A client still takes it for the leader. */
    void connect(SimulatedLink link) {
        links.add(link);
    }

    List<SimulatedLink> links() {
        return links;
    }

    void offer(int shard, ShardRequest request) {
        shards.get(shard).offer(request);
    }

    void disconnected(SimulatedLink link) {
        shards.forEach(shard -> shard.offer(new ShardRequest.Disconnected(link, false)));
    }

    /** The other may have handed it out already, or does so next. */
    void requireNoDelivery(Frame frame) {
        if (frame.payload() instanceof Deliver.Push deliver) {
            throw new AssertionError("a leader that was succeeded hands out messages: " + deliver);
        }
    }

    /** It hears of the other. */
    void depose() {
        shards.forEach(SimulatedShard::depose);
    }

    void end() {
        shards.forEach(SimulatedShard::kill);
        links.forEach(SimulatedLink::serverGone);
    }
}
