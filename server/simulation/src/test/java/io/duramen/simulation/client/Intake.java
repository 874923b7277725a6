package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.HeldDeliveries;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.OffsetRange;
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

    private record Unseen(Place place, TestMessage message, long number) {}

    private final SimulatedClient client;
    private final SeededRandom random;
    private final Source source;
    private final ArrayDeque<Unseen> unseen = new ArrayDeque<>();
    private final TreeMap<Place, TestMessage> held = new TreeMap<>();
    private final ArrayDeque<Settle.Request> unanswered = new ArrayDeque<>();
    private int consumerId;
    private State state = State.AWAY;
    private boolean wanted;
    private long received;
    private long seen;
    private long creditMessages;
    private long creditBytes;
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
            new Destinations(client).resolve(source.destination, source.destinationKind, found -> attach());
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

    private void attach() {
        received = 0;
        seen = 0;
        creditMessages = 0;
        creditBytes = 0;
        client.ask(
                new Attach.Request(
                        0,
                        consumerId,
                        source.destination,
                        source.destinationKind,
                        source.kind,
                        source.name,
                        "",
                        false,
                        "",
                        heldByPartition()),
                new SimulatedClient.Answer() {
                    @Override
                    public void answered(Record response) {
                        joined((Attach.Response) response);
                    }

                    @Override
                    public void refused(ErrorCode code, String detail) {
                        notJoined(code, detail);
                    }
                });
    }

    private void joined(Attach.Response response) {
        state = State.JOINED;
        for (HeldDeliveries lost : response.lost()) {
            Attachment.places(lost.partition(), lost.ranges()).forEach(held::remove);
        }
        List.copyOf(unanswered).forEach(this::send);
    }

    private void notJoined(ErrorCode code, String detail) {
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

    private List<HeldDeliveries> heldByPartition() {
        TreeMap<Integer, TreeSet<Long>> offsets = new TreeMap<>();
        held.keySet()
                .forEach(place -> offsets.computeIfAbsent(place.partition(), p -> new TreeSet<>())
                        .add(place.offset()));
        List<HeldDeliveries> all = new ArrayList<>();
        offsets.forEach((partition, at) -> all.add(new HeldDeliveries(partition, ranges(at))));
        return all;
    }

    void deliver(Deliver.Push push) {
        Deliveries.forEach(push.deliveries(), push.count(), (offset, count, record) -> {
            creditMessages--;
            creditBytes -= record.remaining();
            unseen.add(new Unseen(new Place(push.partition(), offset), TestMessage.read(record), ++received));
        });
    }

    /** Gives back of what was not seen what was asked for, and says what was. */
    void recall(Recall.Push push) {
        creditMessages = 0;
        creditBytes = 0;
        if (state != State.JOINED) {
            return;
        }
        TreeSet<Place> places = new TreeSet<>();
        while (places.size() < push.count() && !unseen.isEmpty()) {
            places.add(unseen.pollLast().place);
        }
        if (unseen.isEmpty()) {
            seen = received;
        }
        settle(places, Settle.Outcome.RELEASED);
        client.push(new Credit.Push(0, consumerId, 0, 0, seen, false));
    }

    /** Gives the application the next message, if there is one. */
    Optional<Place> take() {
        Unseen next = unseen.poll();
        if (next == null) {
            return Optional.empty();
        }
        seen = next.number;
        held.put(next.place, next.message);
        return Optional.of(next.place);
    }

    void topUp() {
        if (creditMessages < CREDIT_LOW || creditBytes <= 0) {
            creditMessages += CREDIT_MESSAGES;
            creditBytes += CREDIT_BYTES;
            client.push(new Credit.Push(0, consumerId, CREDIT_MESSAGES, CREDIT_BYTES, seen, false));
        }
    }

    /** Ends the application's holding of the places. */
    void settle(Collection<Place> places, Settle.Outcome outcome) {
        byPartition(places).forEach((partition, offsets) -> {
            Settle.Request request =
                    new Settle.Request(0, consumerId, partition, ranges(offsets), outcome, seen, random.oneIn(2));
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
                if (code == ErrorCode.INVALID_REQUEST && source.destinationKind.isTemporary()) {
                    unanswered.remove(request); // made anew since, with another partition
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    /** Leaves the subscription; all that it holds goes back. */
    void leave() {
        wanted = false;
        state = State.LEAVING;
        client.ask(new Detach.Request(0, consumerId, seen, false), new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                state = State.AWAY;
                unseen.clear();
                consumerId = client.nextConsumerId();
                if (wanted) {
                    join();
                }
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                client.retryLater(code);
            }
        });
        unseen.clear();
        held.clear();
        unanswered.clear();
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
