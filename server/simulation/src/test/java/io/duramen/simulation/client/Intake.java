package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.HeldDeliveries;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.record.Deliveries;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.message.TestMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One consumer of a client: joins, grants credit, keeps what came unseen, what the application holds, and settlements
 * without an answer; joins again with what it holds after a reconnect. Confined to the simulation.
 */
final class Intake {
    private static final int CREDIT_LOW = 4;
    private static final int CREDIT_MESSAGES = 10;
    private static final int CREDIT_BYTES = 1500;
    private static final int RETRY_NANOS = 3_000_000;

    /** @param name of the subscription; empty for a queue's */
    record Source(String destination, DestinationKind destinationKind, Attach.SubscriptionKind kind, String name) {}

    private enum State {
        AWAY,
        JOINING,
        JOINED,
        LEAVING
    }

    /** What of it there is in one shard, over one connection. */
    private static final class Feed {
        private final int shard;
        private boolean joined;
        private long received;
        private long seen;
        private long creditMessages;
        private long creditBytes;

        Feed(int shard) {
            this.shard = shard;
        }
    }

    private record Unseen(Place place, TestMessage message, Feed feed, long number) {}

    private final SimulatedClient client;
    private final SeededRandom random;
    private final Source source;
    private final ArrayDeque<Unseen> unseen = new ArrayDeque<>();
    private final TreeMap<Place, TestMessage> held = new TreeMap<>();
    private final ArrayDeque<Settle.Request> unanswered = new ArrayDeque<>();
    private int consumerId;
    private State state = State.AWAY;
    private boolean wanted;
    private final TreeMap<Integer, Feed> feeds = new TreeMap<>();
    private final Map<Integer, Integer> shardOfPartition = new HashMap<>();
    private long powerCuts;

    Intake(SimulatedClient client, Source source) {
        this.client = client;
        this.random = client.random().split();
        this.source = source;
        this.consumerId = client.nextConsumerId();
    }

    boolean owns(int id) {
        return id == consumerId;
    }

    boolean isJoined() {
        return state == State.JOINED;
    }

    /** Whether it has left, wholly, and does not come back by itself. */
    boolean isAway() {
        return state == State.AWAY && !wanted;
    }

    int consumerId() {
        return consumerId;
    }

    TreeMap<Place, TestMessage> held() {
        return held;
    }

    boolean isSettled() {
        return unanswered.isEmpty() && held.isEmpty() && unseen.isEmpty();
    }

    /** Joins now, or as soon as there is a connection. */
    void join() {
        wanted = true;
        if (client.isConnected() && state == State.AWAY) {
            state = State.JOINING;
            new Destinations(client).resolve(source.destination, source.destinationKind, this::attach);
        }
    }

    void connected() {
        state = State.AWAY;
        if (powerCuts != client.powerCuts() && !Boolean.getBoolean("simulation.hold-on")) {
            // Offsets behind what was on disk may belong to other messages by now, and the protocol has no word for
            // that
            // yet: what is held is given up, and comes again where it is still there. With -Dsimulation.hold-on=true
            // the
            // client does as the protocol says, and messages are lost.
            powerCuts = client.powerCuts();
            held.clear();
            unanswered.clear();
        }
        if (wanted) {
            join();
        }
    }

    void lost() {
        state = State.AWAY;
        unseen.clear();
        if (!source.kind.isDurable()) {
            held.clear();
            unanswered.clear();
        }
        // What was to be given back comes back by itself.
        unanswered.removeIf(settle -> settle.outcome() != Settle.Outcome.ACCEPTED);
    }

    /** In the shard with the catalogue first, which decides; then in all others that have something of the destination. */
    private void attach(List<PartitionRef> partitions) {
        if (source.destinationKind.isTemporary()) {
            forgetAllBut(partitions);
        }
        feeds.clear();
        feeds.put(ForShard.CATALOGUE, new Feed(ForShard.CATALOGUE));
        for (PartitionRef partition : partitions) {
            shardOfPartition.put(partition.partition(), partition.shard());
            feeds.computeIfAbsent(partition.shard(), Feed::new);
        }
        attach(feeds.get(ForShard.CATALOGUE));
    }

    /** A temporary destination that was made anew has other partitions, maybe elsewhere: what came from those is gone. */
    private void forgetAllBut(List<PartitionRef> partitions) {
        shardOfPartition.clear();
        partitions.forEach(partition -> shardOfPartition.put(partition.partition(), partition.shard()));
        held.keySet().removeIf(place -> !shardOfPartition.containsKey(place.partition()));
        unanswered.removeIf(settle -> !shardOfPartition.containsKey(settle.partition()));
    }

    private void attach(Feed feed) {
        client.ask(
                new Attach.Request(
                        feed.shard,
                        consumerId,
                        source.destination,
                        source.destinationKind,
                        source.kind,
                        source.name,
                        "",
                        false,
                        "",
                        heldByPartition(feed.shard)),
                new SimulatedClient.Answer() {
                    @Override
                    public void answered(Record response) {
                        joined(feed, (Attach.Response) response);
                    }

                    @Override
                    public void refused(ErrorCode code, String detail) {
                        notJoined(feed, code, detail);
                    }
                });
    }

    private void joined(Feed feed, Attach.Response response) {
        feed.joined = true;
        for (HeldDeliveries lost : response.lost()) {
            Attachment.places(lost.partition(), lost.ranges()).forEach(held::remove);
        }
        if (feed.shard == ForShard.CATALOGUE) {
            feeds.tailMap(ForShard.CATALOGUE, false).values().forEach(this::attach);
        }
        if (feeds.values().stream().allMatch(one -> one.joined)) {
            state = State.JOINED;
            List.copyOf(unanswered).forEach(this::send);
        }
    }

    private void notJoined(Feed feed, ErrorCode code, String detail) {
        if (feed.shard != ForShard.CATALOGUE) {
            if (code == ErrorCode.RESOURCE_EXHAUSTED) {
                client.simulation().after(RETRY_NANOS, client::drop);
            } else {
                client.retryLater(code); // whom the catalogue has let in is in nobody's way
            }
            return;
        }
        state = State.AWAY;
        if (code == ErrorCode.SUBSCRIPTION_IN_USE
                || code == ErrorCode.RESOURCE_EXHAUSTED
                || code == ErrorCode.DESTINATION_NOT_FOUND && source.destinationKind.isTemporary()) {
            client.simulation().after(RETRY_NANOS, () -> {
                if (wanted) {
                    join();
                }
            });
        } else {
            client.retryLater(code);
        }
    }

    private List<HeldDeliveries> heldByPartition(int shard) {
        TreeMap<Integer, TreeSet<Long>> offsets = new TreeMap<>();
        held.keySet().stream()
                .filter(place -> shard(place.partition()) == shard)
                .forEach(place -> offsets.computeIfAbsent(place.partition(), p -> new TreeSet<>())
                        .add(place.offset()));
        List<HeldDeliveries> all = new ArrayList<>();
        offsets.forEach((partition, at) -> all.add(new HeldDeliveries(partition, ranges(at))));
        return all;
    }

    /** The shard that carries a partition of what is consumed. */
    int shard(int partition) {
        return shardOfPartition.get(partition);
    }

    /** Those that carry something of it. */
    Collection<Integer> shards() {
        return new TreeSet<>(shardOfPartition.values());
    }

    void deliver(Deliver.Push push) {
        shardOfPartition.put(push.partition(), push.shard()); // it may have come since this asked
        Feed feed = feeds.get(push.shard());
        Deliveries.forEach(push.deliveries(), push.count(), (offset, count, record) -> {
            feed.creditMessages--;
            feed.creditBytes -= record.remaining();
            Place place = new Place(push.partition(), offset);
            unseen.add(new Unseen(place, TestMessage.read(record), feed, ++feed.received));
        });
    }

    /** Gives back of what was not seen what was asked for, and says what was. */
    void recall(Recall.Push push) {
        Feed feed = feeds.get(push.shard());
        if (feed == null || !feed.joined || state == State.LEAVING) {
            return;
        }
        feed.creditMessages = 0;
        feed.creditBytes = 0;
        TreeSet<Place> places = new TreeSet<>();
        Iterator<Unseen> last = unseen.descendingIterator();
        while (places.size() < push.count() && last.hasNext()) {
            Unseen one = last.next();
            if (one.feed == feed) {
                places.add(one.place);
                last.remove();
            }
        }
        if (unseen.stream().noneMatch(one -> one.feed == feed)) {
            feed.seen = feed.received;
        }
        settle(places, Settle.Outcome.RELEASED);
        client.push(new Credit.Push(feed.shard, consumerId, 0, 0, feed.seen, false));
    }

    /** Gives the application the next message, if there is one. */
    Optional<Place> take() {
        Unseen next = unseen.poll();
        if (next == null) {
            return Optional.empty();
        }
        next.feed.seen = next.number;
        held.put(next.place, next.message);
        return Optional.of(next.place);
    }

    void topUp() {
        for (Feed feed : feeds.values()) {
            if (feed.creditMessages < CREDIT_LOW || feed.creditBytes <= 0) {
                feed.creditMessages += CREDIT_MESSAGES;
                feed.creditBytes += CREDIT_BYTES;
                client.push(new Credit.Push(feed.shard, consumerId, CREDIT_MESSAGES, CREDIT_BYTES, feed.seen, false));
            }
        }
    }

    /** Ends the application's holding of the places. */
    void settle(Collection<Place> places, Settle.Outcome outcome) {
        byPartition(places).forEach((partition, offsets) -> {
            int shard = shard(partition);
            Feed feed = feeds.get(shard);
            Settle.Request request = new Settle.Request(
                    shard,
                    consumerId,
                    partition,
                    ranges(offsets),
                    outcome,
                    feed == null ? 0 : feed.seen,
                    random.oneIn(2));
            unanswered.add(request);
            send(request);
        });
        places.forEach(held::remove);
    }

    /** Gives back what the application was not given. */
    void releaseUnseen() {
        TreeSet<Place> places = new TreeSet<>();
        unseen.forEach(one -> places.add(one.place));
        unseen.clear();
        settle(places, Settle.Outcome.RELEASED);
    }

    private void send(Settle.Request request) {
        client.ask(request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                unanswered.remove(request);
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                client.retryLater(code);
            }
        });
    }

    /** Leaves the subscription; all that it holds goes back. */
    void leave() {
        wanted = false;
        state = State.LEAVING;
        leaveNext();
        unseen.clear();
        held.clear();
        unanswered.clear();
    }

    /** In the shard with the catalogue last. */
    private void leaveNext() {
        Feed feed = feeds.lastEntry().getValue();
        client.ask(new Detach.Request(feed.shard, consumerId, feed.seen, false), new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                feeds.remove(feed.shard);
                if (feeds.isEmpty()) {
                    left();
                } else {
                    leaveNext();
                }
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                client.retryLater(code);
            }
        });
    }

    private void left() {
        state = State.AWAY;
        unseen.clear();
        consumerId = client.nextConsumerId();
        if (wanted) {
            join();
        }
    }

    static Map<Integer, TreeSet<Long>> byPartition(Collection<Place> places) {
        TreeMap<Integer, TreeSet<Long>> offsets = new TreeMap<>();
        places.forEach(place ->
                offsets.computeIfAbsent(place.partition(), p -> new TreeSet<>()).add(place.offset()));
        return offsets;
    }

    static List<OffsetRange> ranges(TreeSet<Long> offsets) {
        List<OffsetRange> ranges = new ArrayList<>();
        long first = -1;
        long last = -2;
        for (long offset : offsets) {
            if (offset != last + 1) {
                if (first >= 0) {
                    ranges.add(new OffsetRange(first, last));
                }
                first = offset;
            }
            last = offset;
        }
        if (first >= 0) {
            ranges.add(new OffsetRange(first, last));
        }
        return ranges;
    }

    @Override
    public String toString() {
        return state + " on " + source.destination + " " + source.name + ": " + unseen.size() + " unseen, "
                + held.size() + " held, " + unanswered.size() + " unanswered";
    }
}
