package io.duramen.broker.kit;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Commit.ConsumerSettlement;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.EndConsumer;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.SendAgain;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One connection to a {@link TestShard}, which remembers what it was sent. */
public final class TestClient implements ClientConnection {
    public static final String ADMIN = "admin";

    private final TestShard shard;
    private final long id;
    private final String clientId;
    private final Map<Long, Answer> answers = new HashMap<>();
    private final Map<Long, Record> asked = new HashMap<>();
    private final List<Integer> ended = new ArrayList<>();
    private final ArrayDeque<Long> called = new ArrayDeque<>();
    private final Map<Integer, TestConsumer> consumers = new HashMap<>();
    private final Map<String, List<Integer>> partitions = new HashMap<>();
    private final List<Frame> sent = new ArrayList<>();
    private long lastCorrelation;
    private int lastConsumer;
    private int handled;
    private final List<ByteBuffer> stored = new ArrayList<>();
    private boolean gone;
    private String user = "anonymous";

    TestClient(TestShard shard, long id, String clientId) {
        this.shard = shard;
        this.id = id;
        this.clientId = clientId;
    }

    /** Who logged in. */
    public TestClient as(String name) {
        user = name;
        return this;
    }

    public Answer asks(Record request) {
        long correlation = ++lastCorrelation;
        Answer answer = new Answer();
        answers.put(correlation, answer);
        asked.put(correlation, request);
        shard.takes(this, Frame.request(correlation, request));
        return answer;
    }

    /** Consumers that were to leave, each time. */
    public List<Integer> ended() {
        return ended;
    }

    /** How many requests it was told to send again, and has not sent since. */
    public int called() {
        return called.size();
    }

    /** Sends the first request that it was told to send again. */
    public Answer sendsAgain() {
        long correlation = called.remove();
        Answer answer = new Answer();
        answers.put(correlation, answer);
        shard.takes(this, Frame.request(correlation, asked.get(correlation)));
        return answer;
    }

    public void says(Record push) {
        shard.takes(this, Frame.push(push));
    }

    public TestClient knowsQueue(String name) {
        knows(name, DestinationKind.QUEUE);
        return this;
    }

    public TestClient knowsTopic(String name) {
        knows(name, DestinationKind.TOPIC);
        return this;
    }

    public void knowsTemporary(String name, DestinationKind kind, long incarnation) {
        learns(asks(new CreateTemporary.Request(kind, name, incarnation)));
    }

    private void knows(String name, DestinationKind kind) {
        learns(asks(new ResolveDestination.Request(name, kind, true)));
    }

    private void learns(Answer answer) {
        ResolveDestination.Response found = answer.response(ResolveDestination.Response.class);
        partitions.put(
                found.name(),
                found.partitions().stream().map(PartitionRef::partition).toList());
    }

    /** The first partition of a destination that this client knows. */
    public int partitionOf(String destination) {
        return partitionOf(destination, 0);
    }

    public int partitionOf(String destination, int index) {
        return partitions.get(destination).get(index);
    }

    public Answer publishes(String destination, String... texts) {
        return publishes(destination, Acks.ALL, Batches.of(texts));
    }

    public Answer publishes(String destination, Acks acks, Batches batch) {
        return publishes(partitionOf(destination), acks, batch);
    }

    public Answer publishes(int partition, Acks acks, Batches batch) {
        return asks(new Publish.Request(0, partition, acks, batch.batch()));
    }

    public Answer commits(long sequence, List<PartitionBatch> batches, List<ConsumerSettlement> settlements) {
        return asks(new Commit.Request(0, 1000 + id, 0, sequence, batches, settlements));
    }

    public PartitionBatch aSend(String destination, String... texts) {
        return new PartitionBatch(partitionOf(destination), Batches.of(texts).batch());
    }

    /** A consumer that is attached; it has no credit yet. */
    public TestConsumer consumes(String queue) {
        TestConsumer consumer = consumer(queue, SubscriptionKind.QUEUE, "");
        consumer.attaches().isSuccess();
        return consumer;
    }

    /** A consumer that is attached to a topic; it has no credit yet. */
    public TestConsumer subscribes(String topic, SubscriptionKind kind, String name) {
        TestConsumer consumer = consumer(topic, kind, name);
        consumer.attaches().isSuccess();
        return consumer;
    }

    /** A consumer that is not attached yet. */
    public TestConsumer consumer(String destination, SubscriptionKind kind, String name) {
        TestConsumer consumer = new TestConsumer(this, ++lastConsumer, destination, kind, name);
        consumers.put(consumer.id(), consumer);
        return consumer;
    }

    public void closes() {
        gone = true;
        shard.loses(this, true);
    }

    public void vanishes() {
        gone = true;
        shard.loses(this, false);
    }

    /** Everything it was sent, in order. */
    public List<Frame> sent() {
        return sent;
    }

    /** Forgets what it asked and was sent, so that a long run fits into memory. */
    public void forgets() {
        sent.clear();
        answers.values().removeIf(Answer::isThere);
        asked.clear();
    }

    /** Frames that the shard said it has handled. */
    public int handledFrames() {
        return handled;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public boolean isAdmin() {
        return ADMIN.equals(user);
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
        sent.add(frame);
        if (frame.payload() instanceof Deliver.Push push) {
            consumers.get(push.consumerId()).isHanded(push);
        } else if (frame.payload() instanceof Drained.Push push) {
            consumers.get(push.consumerId()).isDrained();
        } else if (frame.payload() instanceof Recall.Push push) {
            consumers.get(push.consumerId()).isRecalled(push.count());
        } else if (frame.payload() instanceof EndConsumer.Push push) {
            ended.add(push.consumerId());
        } else if (frame.payload() instanceof SendAgain.Push push) {
            push.requests().forEach(one -> called.add(one.correlation()));
        } else {
            Answer answer = answers.get(frame.correlation());
            if (answer == null) {
                throw new AssertionError("nothing was asked that is answered by " + frame);
            }
            answer.arrived(frame);
        }
    }

    @Override
    public void handled(Frame frame) {
        handled++;
    }

    @Override
    public void stored(ByteBuffer batch) {
        stored.add(batch);
    }

    /** Of which long batches the shard said that it does not need their memory any more. */
    public List<ByteBuffer> storedBatches() {
        return stored;
    }
}
