package io.duramen.broker.kit;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.ForShard;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.record.Deliveries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** One connection to a {@link TestNode}, which remembers what it was sent; it speaks to each shard as a client does. */
public final class NodeClient implements ClientConnection {
    /** Something that one of its consumers was handed. */
    public record Handed(int shard, int consumer, int partition, long offset, int count, String text) {
        public ConsumerSettlement settlement() {
            return new ConsumerSettlement(consumer, partition, List.of(OffsetRange.of(offset)));
        }
    }

    private final TestNode node;
    private final long id;
    private final String clientId;
    private final Map<Long, Answer> answers = new HashMap<>();
    private final Map<String, List<PartitionRef>> places = new HashMap<>();
    private final List<Handed> handed = new ArrayList<>();
    private long lastCorrelation;
    private int drained;
    private int lastConsumer;
    private boolean gone;
    private boolean superseded;

    NodeClient(TestNode node, long id, String clientId) {
        this.node = node;
        this.id = id;
        this.clientId = clientId;
    }

    /** Asks, and lets the node work until it rests. */
    public Answer asks(Record request) {
        Answer answer = says(request);
        node.run();
        return answer;
    }

    /** Asks, and lets nothing happen. */
    public Answer says(Record request) {
        long correlation = ++lastCorrelation;
        Answer answer = new Answer();
        answers.put(correlation, answer);
        node.takes(this, Frame.request(correlation, request));
        return answer;
    }

    public NodeClient knows(String name, DestinationKind kind) {
        ResolveDestination.Response found =
                asks(new ResolveDestination.Request(name, kind, true)).response(ResolveDestination.Response.class);
        places.put(name, found.partitions());
        return this;
    }

    public NodeClient knowsQueue(String name) {
        return knows(name, DestinationKind.QUEUE);
    }

    public void knowsTemporary(String name, List<PartitionRef> partitions) {
        places.put(name, partitions);
    }

    public List<PartitionRef> places(String destination) {
        return places.get(destination);
    }

    public PartitionRef place(String destination) {
        return places.get(destination).get(0);
    }

    public PartitionBatch aSend(String destination, String... texts) {
        return new PartitionBatch(
                place(destination).partition(), Batches.of(texts).batch());
    }

    public Answer publishes(PartitionRef place, String... texts) {
        return asks(new Publish.Request(
                place.shard(), place.partition(), Acks.ALL, Batches.of(texts).batch()));
    }

    /**
     * Attaches to the shard with the catalogue and to those that carry partitions, and grants credit.
     *
     * @return by its shard, the id of each of its consumers
     */
    public Map<Integer, Integer> consumes(String destination, SubscriptionKind kind, String name, int credit) {
        TreeSet<Integer> shards = new TreeSet<>(List.of(ForShard.CATALOGUE));
        places.get(destination).forEach(place -> shards.add(place.shard()));
        Map<Integer, Integer> consumers = new HashMap<>();
        for (int shard : shards) {
            int consumer = ++lastConsumer;
            attaches(shard, consumer, destination, kind, name).isSuccess();
            consumers.put(shard, consumer);
            node.takes(this, Frame.push(new Credit.Push(shard, consumer, credit, Integer.MAX_VALUE, 0, false)));
        }
        node.run();
        return consumers;
    }

    public Answer attaches(int shard, int consumer, String destination, SubscriptionKind kind, String name) {
        DestinationKind destinationKind =
                kind == SubscriptionKind.QUEUE ? DestinationKind.QUEUE : DestinationKind.TOPIC;
        return asks(new Attach.Request(
                shard, consumer, destination, destinationKind, kind, name, "", false, "", List.of()));
    }

    /** Grants credit to a consumer, and asks to be told when there is nothing more; lets nothing happen. */
    public void drains(int shard, int consumer, int credit) {
        node.takes(this, Frame.push(new Credit.Push(shard, consumer, credit, Integer.MAX_VALUE, 0, true)));
    }

    @Override
    public void supersede() {
        superseded = true;
    }

    /** Whether it was to end since its client is back on another connection. */
    public boolean isSuperseded() {
        return superseded;
    }

    /** How often it was told that there is nothing more. */
    public int drained() {
        return drained;
    }

    /** What its consumers were handed, in order. */
    public List<Handed> handed() {
        return handed;
    }

    public List<String> texts() {
        return handed.stream().map(Handed::text).sorted().toList();
    }

    public void closes() {
        gone = true;
        node.loses(this, true);
        node.run();
    }

    public void vanishes() {
        gone = true;
        node.loses(this, false);
        node.run();
    }

    /** The node is gone. */
    void cut() {
        gone = true;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public String user() {
        return "anonymous";
    }

    @Override
    public boolean isAdmin() {
        return false;
    }

    @Override
    public Optional<String> clientId() {
        return Optional.ofNullable(clientId);
    }

    @Override
    public void send(Frame frame) {
        if (gone) {
            return;
        }
        if (frame.payload() instanceof Deliver.Push push) {
            Deliveries.forEach(
                    push.deliveries(),
                    push.count(),
                    (offset, count, record) -> handed.add(new Handed(
                            push.shard(), push.consumerId(), push.partition(), offset, count, Batches.textOf(record))));
        } else if (frame.payload() instanceof Drained.Push) {
            drained++;
        } else if (frame.kind() != Frame.Kind.PUSH) {
            answers.get(frame.correlation()).arrived(frame);
        }
    }

    @Override
    public void handled(Frame frame) {
        // Nothing is held back.
    }
}
