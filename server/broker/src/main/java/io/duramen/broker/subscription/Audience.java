package io.duramen.broker.subscription;

import io.duramen.broker.selector.MessageFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * The consumers of a subscription that take the same messages, in turn, and their lane through each partition. Soft
 * state of the leader; confined to the shard's agent.
 */
final class Audience {
    private final MessageFilter filter;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Consumer> consumers = new ArrayList<>();
    private int turn;
    private boolean watched;

    /** @param own whether what the filter leaves out is of no use to the subscription at all */
    Audience(MessageFilter filter, boolean own, List<PartitionDispatch> partitions) {
        this.filter = filter;
        for (PartitionDispatch partition : partitions) {
            lanes.add(partition.openLane(filter, own));
        }
    }

    MessageFilter filter() {
        return filter;
    }

    /** In the order of the destination's partitions. */
    Lane lane(int partitionIndex) {
        return lanes.get(partitionIndex);
    }

    List<Consumer> consumers() {
        return consumers;
    }

    void add(Consumer consumer) {
        consumers.add(consumer);
    }

    boolean remove(Consumer consumer) {
        return consumers.remove(consumer);
    }

    /** Forgets what its lanes know; they begin anew with the next audience of this kind. */
    void close() {
        lanes.forEach(Lane::close);
    }

    /** Whether it stands with {@link Recalls} already. */
    boolean isWatched() {
        return watched;
    }

    void watched(boolean now) {
        watched = now;
    }

    /** How many consumers could be handed something. */
    int eligible() {
        int eligible = 0;
        for (int i = 0; i < consumers.size(); i++) {
            if (consumers.get(i).mayTake()) {
                eligible++;
            }
        }
        return eligible;
    }

    /** The next in turn of those; there is one. */
    Consumer nextEligible() {
        Consumer consumer;
        do {
            turn = turn + 1 < consumers.size() ? turn + 1 : 0;
            consumer = consumers.get(turn);
        } while (!consumer.mayTake());
        return consumer;
    }

    /** The one with the fewest groups of those that could be handed something; of several, the one given. */
    Consumer fewestGroups(Consumer eligible) {
        Consumer fewest = eligible;
        for (int i = 0; i < consumers.size(); i++) {
            Consumer consumer = consumers.get(i);
            if (consumer.groups() < fewest.groups() && consumer.mayTake()) {
                fewest = consumer;
            }
        }
        return fewest;
    }

    /** Whether somebody could be handed something, this consumer aside. */
    boolean hasIdle(Consumer aside) {
        for (int i = 0; i < consumers.size(); i++) {
            if (consumers.get(i) != aside && consumers.get(i).mayTake()) {
                return true;
            }
        }
        return false;
    }

    /** Whether something could be handed out now or as soon as it is fetched. */
    boolean mayHaveMore() {
        for (Lane lane : lanes) {
            if (lane.available() > 0) {
                return true;
            }
        }
        return false;
    }

    /** As {@link #mayHaveMore()}, to one consumer. */
    boolean mayHaveMore(Consumer consumer) {
        for (Lane lane : lanes) {
            if (lane.availableTo(consumer) > 0) {
                return true;
            }
        }
        return false;
    }
}
