package io.duramen.broker.subscription;

import io.duramen.broker.selector.Equality;
import io.duramen.broker.selector.MessageFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * The consumers of a subscription that take the same messages, in turn, and their lane through each partition. Soft
 * state of the leader; confined to the shard's agent.
 */
final class Audience {
    private static final long[] NO_VALUES = {};

    private final MessageFilter filter;
    private final List<PartitionDispatch> partitions;
    private final long[] values;

    /** That feed the lanes, one for each; empty where the lanes look by themselves. */
    private final List<EqualityIndex> indexes = new ArrayList<>(0);

    private final List<Lane> lanes = new ArrayList<>();
    private final List<Consumer> consumers = new ArrayList<>();
    private boolean own;
    private int turn;
    private long handouts;
    private boolean watched;

    /** Whether it is among those whose turn comes, as the subscription keeps it. */
    private boolean due;

    private Audience(MessageFilter filter, List<PartitionDispatch> partitions, long[] values) {
        this.filter = filter;
        this.partitions = partitions;
        this.values = values;
    }

    /** @param own whether what the filter leaves out is of no use to the subscription at all */
    Audience(MessageFilter filter, boolean own, List<PartitionDispatch> partitions) {
        this(filter, partitions, NO_VALUES);
        this.own = own;
        partitions.forEach(this::add);
    }

    /** There is a partition more. */
    void add(PartitionDispatch partition) {
        add(partition.openLane(filter, own));
    }

    /** Whose turn has come. */
    @FunctionalInterface
    interface WhenDue {
        void due(Audience audience);
    }

    /**
     * One whose lanes are fed by the partitions' indexes of a field.
     *
     * @param window most messages that it may begin with, for each partition
     * @return null where an index cannot feed it
     */
    static Audience fed(
            MessageFilter filter, Equality equality, List<PartitionDispatch> partitions, int window, WhenDue whenDue) {
        Audience audience = new Audience(filter, partitions, equality.values());
        for (PartitionDispatch partition : partitions) {
            if (!audience.addFed(partition, equality.field(), window, whenDue)) {
                audience.close();
                return null;
            }
        }
        return audience;
    }

    /**
     * There is a partition more, and its index feeds this one, too.
     *
     * @return false where it cannot: nothing was added
     */
    boolean addFed(PartitionDispatch partition, int window, WhenDue whenDue) {
        return addFed(partition, indexes.get(0).field(), window, whenDue);
    }

    private boolean addFed(PartitionDispatch partition, String field, int window, WhenDue whenDue) {
        Lane lane = partition.openFedLane(filter, () -> whenDue.due(this));
        EqualityIndex index = partition.index(field);
        if (index == null || !index.join(lane, values, window)) {
            return false;
        }
        add(lane);
        indexes.add(index);
        return true;
    }

    private void add(Lane lane) {
        lane.belongsTo(this);
        lanes.add(lane);
    }

    boolean isFed() {
        return !indexes.isEmpty();
    }

    /** Its lanes look by themselves from now on. */
    void release() {
        for (int i = 0; i < indexes.size(); i++) {
            indexes.get(i).release(lanes.get(i), values);
            partitions.get(i).opened(lanes.get(i));
        }
        indexes.clear();
    }

    /** Whether something that came back is not yet with its lanes. */
    boolean isTakingBack() {
        for (EqualityIndex index : indexes) {
            if (index.isTakingBack()) {
                return true;
            }
        }
        return false;
    }

    boolean isDue() {
        return due;
    }

    void due(boolean now) {
        due = now;
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
        for (int i = 0; i < indexes.size(); i++) {
            indexes.get(i).leave(lanes.get(i), values);
        }
        lanes.forEach(Lane::close);
    }

    /** Whether it stands with {@link Recalls} already. */
    boolean isWatched() {
        return watched;
    }

    void watched(boolean now) {
        watched = now;
    }

    /** Numbers what is handed out, in its order. */
    long nextHandout() {
        return ++handouts;
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

    /** Whether its lanes have something that could be handed out now or as soon as it is fetched. */
    boolean hasAvailable() {
        for (Lane lane : lanes) {
            if (lane.available() > 0) {
                return true;
            }
        }
        return false;
    }

    /** As {@link #hasAvailable}, or may still be fed something. */
    boolean mayHaveMore() {
        return mayBeFed() || hasAvailable();
    }

    /** As {@link #mayHaveMore()}, to one consumer. */
    boolean mayHaveMore(Consumer consumer) {
        for (Lane lane : lanes) {
            if (lane.availableTo(consumer) > 0) {
                return true;
            }
        }
        return mayBeFed();
    }

    private boolean mayBeFed() {
        for (EqualityIndex index : indexes) {
            if (index.isBehind()) {
                return true;
            }
        }
        return false;
    }
}
