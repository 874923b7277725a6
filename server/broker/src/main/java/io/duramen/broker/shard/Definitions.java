package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.Placement;
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
import io.duramen.runtime.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Brings the other shards in line with the catalogue: with each change when it is on disk here, and with all of it when
 * this shard begins to lead, since the node may have ended between the two. By the shard with the catalogue, whose
 * records are the truth; other shards ask it here for queues of their own. Confined to the agent.
 */
final class Definitions {
    /** Changes of one leadership are fewer than two to this. */
    private static final int NUMBER_BITS = 32;

    /** A shard that has had no leader for so long, and can have none, is not waited for: who is told of it cannot reach it either. */
    private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final class Waiting {
        final Appender.Waiter after;

        /** Shards that have not answered. */
        final Set<Integer> unanswered;

        ProtocolException refusal;

        Waiting(Collection<Integer> told, Appender.Waiter after) {
            this.unanswered = new TreeSet<>(told);
            this.after = after;
        }
    }

    private final ShardPlace place;
    private final ShardState state;
    private final Clock clock;
    private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
    private final Map<String, List<Runnable>> wanted = new HashMap<>();
    private final Map<String, ProtocolException> unwanted = new HashMap<>();
    private long lastNumber;

    /** Shards that have not had all definitions since this leadership began. */
    private final Set<Integer> unaligned = new TreeSet<>();

    /** Since when each of those that are not met is not, by shard. */
    private final Map<Integer, Long> missedSinceNanos = new HashMap<>();

    /** By each shard that is told of changes: the number under which it was told all of them. */
    private final Map<Integer, Long> told = new HashMap<>();

    Definitions(ShardPlace place, ShardState state, Clock clock) {
        this.place = place;
        this.state = state;
        this.clock = clock;
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
        waiting.put(number, new Waiting(elsewhere.byShard.keySet(), after));
        elsewhere.byShard.forEach((shard, changes) -> {
            if (told.containsKey(shard)) {
                place.others().tell(shard, new Define(number, changes));
            }
        });
    }

    void defined(int from, Defined answer) {
        if (answer.refusal().isPresent() && place.others().areFar()) {
            return; // The next leader of that shard has it from what it is told then.
        }
        answered(from, answer.number(), answer.refusal());
        if (answer.number() == told.getOrDefault(from, 0L)) {
            // All that was to be told to it before was among that.
            for (long number : List.copyOf(waiting.headMap(answer.number()).keySet())) {
                answered(from, number, answer.refusal());
            }
        }
    }

    private void answered(int from, long number, Optional<ProtocolException> refusal) {
        Waiting one = waiting.get(number);
        if (one == null || !one.unanswered.remove(from)) {
            return;
        }
        refusal.ifPresent(reason -> one.refusal = reason);
        if (one.unanswered.isEmpty()) {
            waiting.remove(number);
            if (one.refusal == null) {
                one.after.reached();
            } else {
                one.after.failed(one.refusal);
            }
        }
    }

    /** Starts a leadership: tells every other shard all that concerns it, once it is there. */
    void lead(long epoch) {
        if (place.others().areFar()) {
            lastNumber = epoch << NUMBER_BITS; // an answer to who led before answers nothing that is asked now
        }
        for (int shard = 0; shard < place.shards(); shard++) {
            if (shard != place.shard()) {
                unaligned.add(shard);
                if (place.others().hears(shard)) {
                    tellAll(shard);
                } else {
                    missedSinceNanos.put(shard, clock.nanos());
                }
            }
        }
    }

    /** Another shard, which is far, was met, and this one was not succeeded since. */
    void met(int shard) {
        missedSinceNanos.remove(shard);
        tellAll(shard);
    }

    /** Another shard was lost: it is told no change before it is told all. */
    void lost(int shard) {
        told.remove(shard);
        missedSinceNanos.put(shard, clock.nanos());
    }

    /** How shards stand that something is to be placed in. */
    Placement.Shards shards(int[] load) {
        int[] replicas =
                IntStream.range(0, place.shards()).map(place.others()::replicas).toArray();
        return new Placement.Shards(load, replicas, gone());
    }

    /** Shards that have not been met for long, and that nobody can lead. */
    private Set<Integer> gone() {
        Set<Integer> gone = new TreeSet<>();
        missedSinceNanos.forEach((shard, since) -> {
            if (clock.nanos() - since >= GONE_NANOS && !place.others().mayBeLed(shard)) {
                gone.add(shard);
            }
        });
        return gone;
    }

    private void tellAll(int shard) {
        long number = ++lastNumber;
        waiting.put(number, new Waiting(List.of(shard), new Appender.Waiter() {
            @Override
            public void reached() {
                unaligned.remove(shard);
            }

            @Override
            public void failed(ProtocolException reason) {
                unaligned.remove(shard); // it is stopped, and says so to everyone
            }
        }));
        told.put(shard, number);
        place.others().tell(shard, allOf(shard, number));
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

    /** The shard with the catalogue was met: it has perhaps not heard, or not answered, what this one wants. */
    void wantAgain() {
        wanted.keySet().forEach(name -> place.others().tell(ForShard.CATALOGUE, new WantQueue(name)));
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

    /** Whether every other shard that has a leader has had all definitions since this leadership began; one that gets one is told of them then. */
    boolean isClear() {
        return unaligned.isEmpty() || gone().containsAll(unaligned);
    }

    /** When {@link #isClear} is to be asked again, where nothing else happens. */
    long deadlineNanos() {
        return unaligned.isEmpty() ? Long.MAX_VALUE : clock.nanos() + LOOK_NANOS;
    }
}
