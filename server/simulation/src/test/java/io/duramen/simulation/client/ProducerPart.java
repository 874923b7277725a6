package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.SimulatedClock;
import io.duramen.simulation.message.TestMessage;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Sends to one destination, several batches in flight, and sends the unanswered ones again after a reconnect. */
public final class ProducerPart implements ClientPart {
    private static final int IN_FLIGHT_MAX = 6;

    /** Shorter than a run watches for what is still on its way. */
    private static final int DELAY_MILLIS_MAX = 20;

    private static final int GROUPS = 5;

    private static final class Batch {
        private final Publish.Request request;

        Batch(Publish.Request request) {
            this.request = request;
        }
    }

    private final SimulatedClient client;
    private final SeededRandom random;
    private final String destination;
    private final DestinationKind kind;
    private final long sender;
    private final long producerId;
    private final boolean ordered;
    private final ArrayDeque<Batch> unanswered = new ArrayDeque<>();
    private final TreeMap<Integer, Long> nextSequences = new TreeMap<>();
    private List<PartitionRef> partitions = List.of();
    private long nextNumber = 1;
    private long toSend;

    /** @param sender unique in the simulation; @param toSend messages in all */
    public ProducerPart(SimulatedClient client, String destination, DestinationKind kind, long sender, long toSend) {
        this.client = client;
        this.random = client.random().split();
        this.destination = destination;
        this.kind = kind;
        this.sender = sender;
        this.producerId = random.nextLong() | 1;
        this.ordered = random.oneIn(3);
        this.toSend = toSend;
    }

    @Override
    public void connected() {
        partitions = List.of();
        new Destinations(client).resolve(destination, kind, found -> {
            partitions = found;
            List.copyOf(unanswered).forEach(batch -> send(batch, true));
        });
    }

    @Override
    public void lost() {
        partitions = List.of();
    }

    @Override
    public void work() {
        while (!partitions.isEmpty() && toSend > 0 && unanswered.size() < IN_FLIGHT_MAX && random.oneIn(2)) {
            publish();
        }
    }

    private void publish() {
        boolean persistent = !random.oneIn(4);
        Acks acks = persistent ? random.oneIn(10) ? Acks.LEADER : Acks.ALL : random.oneIn(2) ? Acks.NONE : Acks.LEADER;
        PartitionRef partition = random.pick(partitions);
        List<TestMessage> messages = new ArrayList<>();
        for (int count = random.between(1, 4); count > 0; count--) {
            messages.add(new TestMessage(sender, nextNumber++, 0, persistent, random.below(120), ordering()));
        }
        long sequence = nextSequences.getOrDefault(partition.partition(), 0L);
        nextSequences.put(partition.partition(), sequence + messages.size());
        toSend = Math.max(0, toSend - messages.size());
        ByteBuffer bytes = TestMessage.batch(producerId, sequence, messages);
        Batch batch = new Batch(new Publish.Request(partition.shard(), partition.partition(), acks, bytes));
        if (acks == Acks.NONE) {
            client.tell(batch.request);
        } else {
            unanswered.add(batch);
            send(batch, false);
        }
    }

    private TestMessage.Ordering ordering() {
        int priority = ordered && random.oneIn(2) ? random.below(10) : MessageRecord.PRIORITY_USUAL;
        long delayMillis = ordered && random.oneIn(4) ? random.between(1, DELAY_MILLIS_MAX) : 0;
        int group = ordered && random.oneIn(2) ? random.between(1, GROUPS) : 0;
        long now = SimulatedClock.START_MILLIS + client.simulation().nowNanos() / 1_000_000;
        return new TestMessage.Ordering(priority, delayMillis == 0 ? 0 : now + delayMillis, group);
    }

    /** @param again whether it was sent over a connection that is gone */
    private void send(Batch batch, boolean again) {
        client.ask(batch.request, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                unanswered.remove(batch);
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.RESOURCE_EXHAUSTED) {
                    unanswered.remove(batch); // the application is told; it may send another
                } else if (code == ErrorCode.DESTINATION_NOT_FOUND && kind.isTemporary()) {
                    unanswered.remove(batch);
                } else if (code == ErrorCode.OUT_OF_ORDER_SEQUENCE && again) {
                    unanswered.remove(batch); // refused, and the refusal lost with the connection
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    @Override
    public void windDown() {
        toSend = 0;
    }

    @Override
    public boolean isIdle() {
        return unanswered.isEmpty() && toSend == 0;
    }

    @Override
    public String describe() {
        return "producer " + sender + " to " + destination + ": " + unanswered.size() + " unanswered, " + toSend
                + " to send";
    }
}
