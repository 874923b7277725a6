package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.shard.ControlRecord.DeliveryPaused;
import io.duramen.broker.shard.ControlRecord.DestinationChanged;
import io.duramen.broker.shard.ControlRecord.DestinationCreated;
import io.duramen.broker.shard.ControlRecord.PartitionsAdded;
import io.duramen.broker.shard.ControlRecord.SubscriptionCreated;
import io.duramen.broker.shard.ShardMessage.Define;
import io.duramen.broker.shard.ShardMessage.DefineAll;
import io.duramen.broker.shard.ShardMessage.Defined;
import io.duramen.broker.shard.ShardMessage.QueueWanted;
import io.duramen.broker.shard.ShardMessage.WantQueue;
import io.duramen.broker.subscription.Subscription;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.PartitionRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Brings the other shards in line with the catalogue: with each change when it is on disk here, and with all of it when
 * this shard begins to lead, since the node may have ended between the two. By the shard with the catalogue, whose
 * records are the truth; other shards ask it here for queues of their own. Confined to the agent.
 */
final class Definitions {
    private static final class Waiting {
        final Appender.Waiter after;
        int unanswered;
        ProtocolException refusal;

        Waiting(Appender.Waiter after) {
            this.after = after;
        }
    }

    private final ShardPlace place;
    private final ShardState state;
    private final Map<Long, Waiting> waiting = new HashMap<>();
    private final Map<String, List<Runnable>> wanted = new HashMap<>();
    private final Map<String, ProtocolException> unwanted = new HashMap<>();
    private long lastNumber;
    private int unaligned;

    Definitions(ShardPlace place, ShardState state) {
        this.place = place;
        this.state = state;
    }

    /** Changes that other shards have to follow, by shard. */
    static final class Elsewhere {
        private final TreeMap<Integer, List<ControlRecord>> byShard = new TreeMap<>();

        boolean isEmpty() {
            return byShard.isEmpty();
        }

        void add(int shard, ControlRecord change) {
            byShard.computeIfAbsent(shard, none -> new ArrayList<>()).add(change);
        }
    }

    /** The other shards that carry partitions of the destination. */
    Set<Integer> shardsOf(Destination destination) {
        Set<Integer> shards = new TreeSet<>();
        destination.places().forEach(partition -> shards.add(partition.shard()));
        shards.remove(place.shard());
        return shards;
    }

    /** Has it made in every other shard that carries partitions of it. */
    Elsewhere created(DestinationCreated created) {
        Elsewhere elsewhere = new Elsewhere();
        Set<Integer> shards = new TreeSet<>();
        created.destination().partitions().forEach(partition -> shards.add(partition.home()));
        shards.remove(place.shard());
        String name = created.destination().name();
        List<DeliveryPaused> pauses = pauses(name);
        String settings = state.settings.of(name);
        shards.forEach(shard -> {
            elsewhere.add(shard, partOf(created, shard));
            if (!settings.isEmpty()) {
                elsewhere.add(shard, new DestinationChanged(name, settings));
            }
            pauses.forEach(paused -> elsewhere.add(shard, paused));
        });
        return elsewhere;
    }

    private List<DeliveryPaused> pauses(String destination) {
        return state.pauses.of(destination).stream()
                .map(one -> new DeliveryPaused(one.destination(), one.subscription(), true))
                .toList();
    }

    /** Has partitions that a destination gets made in every other shard that carries some of it already. */
    Elsewhere added(String name, List<PartitionRow> partitions) {
        Elsewhere elsewhere = new Elsewhere();
        Map<Integer, List<PartitionRow>> byShard = new TreeMap<>();
        partitions.forEach(partition -> byShard.computeIfAbsent(partition.home(), none -> new ArrayList<>())
                .add(partition));
        byShard.remove(place.shard());
        byShard.forEach((shard, there) -> elsewhere.add(shard, new PartitionsAdded(name, there)));
        return elsewhere;
    }

    private static DestinationCreated partOf(DestinationCreated created, int shard) {
        DestinationRow row = created.destination();
        return new DestinationCreated(
                new DestinationRow(
                        row.name(),
                        row.kind(),
                        row.incarnation(),
                        row.partitions().stream()
                                .filter(partition -> partition.home() == shard)
                                .toList()),
                created.subscription());
    }

    /** Has a change made in other shards; {@code after} runs when all have it. */
    void tell(Elsewhere elsewhere, Appender.Waiter after) {
        long number = ++lastNumber;
        Waiting one = new Waiting(after);
        one.unanswered = elsewhere.byShard.size();
        waiting.put(number, one);
        elsewhere.byShard.forEach((shard, changes) -> place.others().tell(shard, new Define(number, changes)));
    }

    void defined(Defined answer) {
        Waiting one = waiting.get(answer.number());
        if (one == null) {
            return;
        }
        if (answer.refusal().isPresent()) {
            one.refusal = answer.refusal().get();
        }
        if (--one.unanswered == 0) {
            waiting.remove(answer.number());
            if (one.refusal == null) {
                one.after.reached();
            } else {
                one.after.failed(one.refusal);
            }
        }
    }

    /** Starts a leadership: tells every other shard all that concerns it. */
    void lead() {
        for (int shard = 0; shard < place.shards(); shard++) {
            if (shard != place.shard()) {
                unaligned++;
                long number = ++lastNumber;
                Waiting one = new Waiting(new Appender.Waiter() {
                    @Override
                    public void reached() {
                        unaligned--;
                    }

                    @Override
                    public void failed(ProtocolException reason) {
                        unaligned--; // it is stopped, and says so to everyone
                    }
                });
                one.unanswered = 1;
                waiting.put(number, one);
                place.others().tell(shard, allOf(shard, number));
            }
        }
    }

    private DefineAll allOf(int shard, long number) {
        List<DestinationCreated> destinations = new ArrayList<>();
        List<SubscriptionCreated> subscriptions = new ArrayList<>();
        List<DeliveryPaused> pauses = new ArrayList<>();
        List<DestinationChanged> changed = new ArrayList<>();
        for (Destination destination : state.catalogue.destinations()) {
            if (isIn(destination, shard)) {
                destinations.add(partOf(
                        new DestinationCreated(
                                destination.toRow(), destination.kind().isQueue() ? queueOf(destination) : 0),
                        shard));
                pauses.addAll(pauses(destination.name()));
                if (!state.settings.of(destination.name()).isEmpty()) {
                    changed.add(new DestinationChanged(destination.name(), state.settings.of(destination.name())));
                }
            }
        }
        for (Subscription subscription : state.subscriptions.durables()) {
            if (!subscription.row().name().isEmpty() && isIn(subscription.destination(), shard)) {
                subscriptions.add(new SubscriptionCreated(subscription.row(), List.of()));
            }
        }
        return new DefineAll(number, destinations, subscriptions, new DefineAll.Besides(pauses, changed));
    }

    private int queueOf(Destination queue) {
        return state.subscriptions.ofQueue(queue.name()).row().subscription();
    }

    private static boolean isIn(Destination destination, int shard) {
        for (PartitionRef partition : destination.places()) {
            if (partition.shard() == shard) {
                return true;
            }
        }
        return false;
    }

    // ---- queues that shards need for themselves --------------------------------------------------------------------

    /**
     * Asks the shard with the catalogue for a queue with a partition in every shard; {@code done} runs when it has answered.
     *
     * @throws ProtocolException what it answered last, where that was a refusal
     */
    void want(String name, Runnable done) {
        ProtocolException before = unwanted.remove(name);
        if (before != null) {
            throw before;
        }
        wanted.computeIfAbsent(name, none -> new ArrayList<>()).add(done);
        place.others().tell(ForShard.CATALOGUE, new WantQueue(name));
    }

    void wanted(QueueWanted answer) {
        answer.refusal().ifPresent(refusal -> unwanted.put(answer.name(), refusal));
        List<Runnable> waiters = wanted.remove(answer.name());
        if (waiters != null) {
            waiters.forEach(Runnable::run);
        }
    }

    /** Answers another shard that asked for a queue, once all shards have it. */
    void answer(int to, String name, DestinationDecisions destinations) {
        try {
            destinations.createQueue(
                    name, () -> place.others().tell(to, new QueueWanted(name, refusal(name, to, destinations))));
        } catch (ProtocolException refusal) {
            place.others()
                    .tell(
                            to,
                            new QueueWanted(
                                    name, refusal(name, to, destinations).map(missing -> refusal)));
        }
    }

    private Optional<ProtocolException> refusal(String name, int shard, DestinationDecisions destinations) {
        Optional<ProtocolException> failure = destinations.failure(name);
        if (failure.isPresent()) {
            return failure;
        }
        boolean there =
                state.catalogue.find(name).filter(queue -> isIn(queue, shard)).isPresent();
        return there
                ? Optional.empty()
                : Optional.of(new ProtocolException(
                        ErrorCode.INVALID_REQUEST, "'" + name + "' has no partition in shard " + shard));
    }

    /** Whether every other shard has had all definitions since this leadership began. */
    boolean isClear() {
        return unaligned == 0;
    }
}
