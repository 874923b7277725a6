package io.duramen.node.relay;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.broker.talk.TalkFrame;
import io.duramen.broker.talk.Talks;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Inbox;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that passes between this node and the others where each leads some of the shards: what shards say to each other, and what clients of
 * one node say to a shard of another. From any thread.
 */
public final class Crossings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Crossings.class);

    // What a frame is for, on the wire. Never reused.
    private static final byte TO_SHARD = 1;
    private static final byte TO_DESK = 2;
    private static final byte TO_PORT = 3;

    /** Of a {@link TalkFrame}: where it says which shard it is for, and what stands before that and of it. */
    private static final int LISTENER_AT = 5;

    private static final int HEAD_LENGTH = LISTENER_AT + Integer.BYTES;
    private static final int CLOSE_SECONDS_MAX = 10;

    private static Refusal unreached(int shard) {
        return new Refusal(
                ErrorCode.NO_MAJORITY,
                "shard " + shard + " has no leader that this node reaches: too few of the nodes that it is on answer");
    }

    /** Of a connection's id, which tell its node. */
    private static final int NODE_BITS = 20;

    /** The other nodes. From any thread; none of it waits. */
    public interface Nodes {
        String self();

        /** Name of who leads a shard, as far as this node knows. */
        Optional<String> leader(int shard);

        /** Tells another node; it may not arrive. */
        void tell(String node, byte number, byte[] content);

        /** Has what others tell heard from here on. */
        void onTold(Listener listener);

        /** What is told; must not wait. */
        interface Listener {
            void told(String node, byte number, byte[] content);
        }
    }

    /** A shard, as clients of this node and of others see it. */
    private static final class Crossing {
        private final Inbox<ShardRequest> inbox;
        private final RelayPort relay;
        private final ShardPort port;

        /** Null where this node does not lead. */
        private volatile RelayDesk desk;

        Crossing(Inbox<ShardRequest> inbox, RelayPort relay, ShardPort port) {
            this.inbox = inbox;
            this.relay = relay;
            this.port = port;
        }

        void tick() {
            relay.tick();
            RelayDesk open = desk;
            if (open != null) {
                open.tick();
            }
        }
    }

    private final Nodes nodes;
    private final Clock clock;
    private final RelayLoop loop;
    private final AtomicLong lastConnection = new AtomicLong();
    private volatile List<Crossing> crossings = List.of();
    private volatile LongConsumer cut = connection -> {};

    /** @param inboxes of the shards, by number; the same for one leadership after the other */
    public Crossings(List<? extends Inbox<ShardRequest>> inboxes, Nodes nodes, Clock clock) {
        this.nodes = nodes;
        this.clock = clock;
        this.loop = new RelayLoop(clock, () -> crossings.forEach(Crossing::tick));
        long start = clock.millis();
        this.crossings = IntStream.range(0, inboxes.size())
                .mapToObj(shard -> crossing(shard, inboxes.get(shard), start))
                .toList();
        nodes.onTold(this::told);
    }

    private Crossing crossing(int shard, Inbox<ShardRequest> inbox, long start) {
        RelayPort.Ways ways = new RelayPort.Ways() {
            @Override
            public void send(ByteBuffer frame) {
                elsewhere(shard).ifPresent(node -> nodes.tell(node, TO_DESK, frame.array()));
            }

            @Override
            public void cut(ClientConnection connection) {
                cut.accept(connection.id());
            }
        };
        RelayPort relay = new RelayPort(shard, start, clock, ways, loop);
        return new Crossing(inbox, relay, new ShardPort(relay, id -> cut.accept(id)));
    }

    private Optional<String> elsewhere(int shard) {
        return nodes.leader(shard).filter(node -> !node.equals(nodes.self()));
    }

    /** Has connections end, by their ids, that have lost something; must not wait. */
    public void onCut(LongConsumer ends) {
        cut = ends;
    }

    /** Where clients of this node hand over what is for each shard, by its number. */
    public List<Inbox<ShardRequest>> ports() {
        return crossings.stream()
                .map(crossing -> (Inbox<ShardRequest>) crossing.port)
                .toList();
    }

    /**
     * An id for a connection of this node, which none of another node has, and higher than those given before: anywhere, as far as the nodes' clocks
     * agree.
     */
    public long nextConnection() {
        long tick = lastConnection.updateAndGet(last -> Math.max(last + 1, clock.millis()));
        return tick << NODE_BITS | nodes.self().hashCode() & ((1 << NODE_BITS) - 1);
    }

    // ---- between shards --------------------------------------------------------------------------------------------

    /** Brings what shards of this node say to whoever leads the others. */
    public Talks.Carrier carrier() {
        return (shard, frame) -> nodes.leader(shard).ifPresent(node -> {
            if (node.equals(nodes.self())) {
                crossings.get(shard).inbox.offer(new ShardRequest.FromAfar(frame));
            } else {
                nodes.tell(node, TO_SHARD, frame.array());
            }
        });
    }

    private void told(String node, byte number, byte[] content) {
        ByteBuffer frame = ByteBuffer.wrap(content);
        try {
            switch (number) {
                case TO_SHARD -> listener(frame).inbox.offer(new ShardRequest.FromAfar(frame));
                case TO_DESK -> {
                    RelayDesk desk = listener(frame).desk;
                    if (desk != null) {
                        desk.hear(node, TalkFrame.decode(frame));
                    }
                }
                case TO_PORT -> {
                    TalkFrame read = TalkFrame.decode(frame);
                    of(read.from()).relay.hear(read);
                }
                default -> throw new MalformedFrameException("nothing is told under number " + number);
            }
        } catch (RuntimeException e) {
            // Record constructors refuse what contradicts itself by various exceptions.
            LOG.error("Node {} tells what this one does not understand: {}", node, e.getMessage());
        }
    }

    private Crossing listener(ByteBuffer frame) {
        if (frame.remaining() < HEAD_LENGTH) {
            throw new MalformedFrameException("a frame of " + frame.remaining() + " bytes");
        }
        return of(frame.getInt(LISTENER_AT));
    }

    private Crossing of(int shard) {
        if (shard < 0 || shard >= crossings.size()) {
            throw new MalformedFrameException("there is no shard " + shard);
        }
        return crossings.get(shard);
    }

    // ---- who leads -------------------------------------------------------------------------------------------------

    /** This node leads a shard from here on, and that takes requests: of clients of all nodes. */
    public void leads(int shard, long epoch) {
        Crossing crossing = crossings.get(shard);
        crossing.desk = new RelayDesk(
                shard, epoch, clock, crossing.inbox, (node, frame) -> nodes.tell(node, TO_PORT, frame.array()), loop);
        crossing.port.leads(crossing.inbox);
    }

    /**
     * This node leads a shard no more. When this returns nothing of other nodes' clients is handed over to it.
     *
     * @return connections of this node that are to end: once they have, nothing of its own clients is
     */
    public Collection<Long> leadsNoMore(int shard) {
        Crossing crossing = crossings.get(shard);
        List<Long> lost = crossing.port.leadsNoMore();
        RelayDesk desk = crossing.desk;
        if (desk != null) {
            crossing.desk = null;
            desk.close();
            awaitLoop();
        }
        return lost;
    }

    /** Until all that was to be done before is. */
    private void awaitLoop() {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(done::countDown);
        try {
            if (!done.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("Relays have not ended within {} s", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A shard has another leader, or none any more. */
    public void leaderChanges(int shard) {
        crossings.get(shard).relay.leaderChanges();
    }

    /** Whether clients of this node reach a shard, as far as is known. */
    public boolean isReached(int shard) {
        Crossing crossing = crossings.get(shard);
        return crossing.port.leads() || crossing.relay.isMet();
    }

    /** Whether clients are refused what they ask of a shard, while nobody is reached who leads it; they are not before this was called. By one thread. */
    public void refuses(int shard, boolean now) {
        if (now) {
            crossings.get(shard).port.refuses(unreached(shard));
        } else {
            crossings.get(shard).port.relays();
        }
    }

    /** Whatever is under way is lost. */
    @Override
    public void close() {
        loop.close();
    }
}
