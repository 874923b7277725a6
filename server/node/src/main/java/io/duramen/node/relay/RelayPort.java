package io.duramen.node.relay;

import io.duramen.broker.shard.ClientConnection;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.broker.talk.Talk;
import io.duramen.broker.talk.TalkFrame;
import io.duramen.broker.talk.Word;
import io.duramen.node.relay.RelayWords.Answered;
import io.duramen.node.relay.RelayWords.Asked;
import io.duramen.node.relay.RelayWords.FrameOf;
import io.duramen.node.relay.RelayWords.Gone;
import io.duramen.node.relay.RelayWords.Handled;
import io.duramen.node.relay.RelayWords.Opened;
import io.duramen.node.relay.RelayWords.Refused;
import io.duramen.node.relay.RelayWords.Superseded;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.ProtocolException;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Inbox;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where clients of this node hand over what is for a shard that another node leads. Each frame goes there once and in order, or its connection
 * is ended, and no later frame of it goes there: what was decided, the client asks who leads then. What waits there counts here, as what waits in an inbox of this node does.
 * Nothing of it survives this process. From any thread; all else is confined to the loop, an executor with one thread.
 */
public final class RelayPort implements Inbox<ShardRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(RelayPort.class);

    /** Stands for a node's clients where shards have their numbers. */
    static final int CLIENTS = 1_000;

    static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long SILENT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    /** The way to the node that leads the shard, and what becomes of clients that have lost something by it. */
    public interface Ways {
        /** Brings a frame there. Never blocks; it may lose it. */
        void send(ByteBuffer frame);

        /** What the client had with the shard is gone: its connection is to end, without a word. */
        void cut(ClientConnection connection);
    }

    private static final class Relayed {
        private final ClientConnection connection;
        private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
        private Optional<String> clientId;

        Relayed(ClientConnection connection) {
            this.connection = connection;
            this.clientId = connection.clientId();
        }
    }

    private final int shard;
    private final Clock clock;
    private final Ways ways;
    private final Executor loop;
    private final Talk talk;
    private final Map<Long, Relayed> connections = new TreeMap<>();

    /** That have lost something and are to end: nothing of them may come behind what was lost. */
    private final Set<Long> cut = new TreeSet<>();

    /** What operators have asked and were not answered. */
    private final Map<Long, ShardRequest.FromOperator<?>> asked = new TreeMap<>();

    private long lastAsked;
    private volatile boolean isMet;
    private long heardNanos;
    private long aliveNanos;

    /**
     * @param start of this node: later ones have higher numbers
     * @param loop runs one task after the other, in their order
     */
    public RelayPort(int shard, long start, Clock clock, Ways ways, Executor loop) {
        this.shard = shard;
        this.clock = clock;
        this.ways = ways;
        this.loop = loop;
        this.talk = new Talk(CLIENTS, shard, start, new Hearing(), frame -> ways.send(frame.encode()));
        this.heardNanos = clock.nanos();
    }

    // ---- from any thread -------------------------------------------------------------------------------------------

    @Override
    public void put(ShardRequest request) {
        loop.execute(() -> take(request));
    }

    @Override
    public void wake() {
        loop.execute(this::flush);
    }

    /** A frame of the node that leads has come. */
    public void hear(TalkFrame frame) {
        loop.execute(() -> {
            heardNanos = clock.nanos();
            try {
                talk.hear(frame);
            } catch (MalformedFrameException e) {
                LOG.error("Shard {} says what this node does not understand: {}", shard, e.getMessage());
                talk.beginAnew();
            }
            flush();
        });
    }

    /** Time has gone by; to be called some ten times a second. */
    public void tick() {
        loop.execute(() -> {
            long now = clock.nanos();
            if (talk.isMet() && now - heardNanos > SILENT_NANOS_MAX) {
                LOG.warn("Clients are sent away from shard {}: who leads it is silent", shard);
                talk.beginAnew();
            }
            if (now - aliveNanos >= ALIVE_NANOS) {
                aliveNanos = now;
                talk.say(RelayWords.IS_ALIVE);
            }
            flush();
        });
    }

    /** Whether what is put here reaches the shard, unless that is lost meanwhile. */
    public boolean isMet() {
        return isMet;
    }

    /** Another node leads from here on, or nobody does. */
    public void leaderChanges() {
        loop.execute(() -> {
            talk.beginAnew();
            flush();
        });
    }

    /** Nothing: it is another node's agent that takes what was put here. */
    @Override
    public int drain(Consumer<? super ShardRequest> handler, int limit) {
        return 0;
    }

    @Override
    public boolean isEmpty() {
        return true;
    }

    // ---- the loop's ------------------------------------------------------------------------------------------------

    private void flush() {
        talk.doWork(clock.nanos());
    }

    private void take(ShardRequest request) {
        if (request instanceof ShardRequest.FromClient from) {
            take(from.connection(), from.frame());
        } else if (request instanceof ShardRequest.Disconnected gone) {
            cut.remove(gone.connection().id());
            if (connections.remove(gone.connection().id()) != null) {
                talk.say(RelayWords.word(
                        RelayWords.GONE, new Gone(gone.connection().id(), gone.clean())));
            }
        } else if (request instanceof ShardRequest.FromOperator<?> from) {
            ask(from);
        }
    }

    private void ask(ShardRequest.FromOperator<?> from) {
        if (!talk.isMet()) {
            from.answer()
                    .completeExceptionally(new ProtocolException(
                            ErrorCode.NOT_LEADER, "this node reaches nobody who leads shard " + shard));
            return;
        }
        asked.put(++lastAsked, from);
        talk.say(RelayWords.word(RelayWords.ASKED, new Asked(lastAsked, OperatorWords.request(from.request()))));
    }

    private void take(ClientConnection connection, Frame frame) {
        if (!talk.isMet() || cut.contains(connection.id())) {
            connection.handled(frame);
            cut(connection);
            return;
        }
        Relayed relayed = connections.get(connection.id());
        if (relayed == null || !relayed.clientId.equals(connection.clientId())) {
            if (relayed == null) {
                relayed = new Relayed(connection);
                connections.put(connection.id(), relayed);
            }
            relayed.clientId = connection.clientId();
            talk.say(RelayWords.word(
                    RelayWords.OPENED,
                    new Opened(
                            connection.id(), connection.user(), connection.isAdmin(), relayed.clientId.orElse(null))));
        }
        relayed.waiting.add(frame);
        talk.say(RelayWords.frame(connection.id(), frame));
    }

    private void cut(ClientConnection connection) {
        if (cut.add(connection.id())) {
            ways.cut(connection);
        }
    }

    private final class Hearing implements Talk.Listener {
        @Override
        public void met() {
            isMet = true;
            heardNanos = clock.nanos();
        }

        @Override
        public void lost() {
            isMet = false;
            List<Relayed> ended = List.copyOf(connections.values());
            connections.clear();
            for (Relayed one : ended) {
                one.waiting.forEach(one.connection::handled);
                cut(one.connection);
            }
            asked.values()
                    .forEach(from -> from.answer()
                            .completeExceptionally(new ProtocolException(
                                    ErrorCode.NOT_LEADER,
                                    "shard " + shard + " gets another leader; whether it has done what it was asked is"
                                            + " not known")));
            asked.clear();
        }

        @Override
        public void heard(Word word) {
            switch (word.type()) {
                case RelayWords.FRAME -> {
                    FrameOf frame = RelayWords.readFrame(word);
                    Relayed to = connections.get(frame.connection());
                    if (to != null) {
                        to.connection.send(RelayWords.frame(frame));
                    }
                }
                case RelayWords.HANDLED -> handled(RelayWords.read(Handled.class, word));
                case RelayWords.SUPERSEDED -> {
                    Superseded superseded = RelayWords.read(Superseded.class, word);
                    Relayed of = connections.get(superseded.connection());
                    if (of != null) {
                        of.connection.supersede();
                    }
                }
                case RelayWords.ANSWERED -> answered(RelayWords.read(Answered.class, word));
                case RelayWords.REFUSED -> refused(RelayWords.read(Refused.class, word));
                case RelayWords.ALIVE -> heardNanos = clock.nanos();
                default -> throw new MalformedFrameException("no word has the number " + word.type());
            }
        }

        private void handled(Handled handled) {
            Relayed of = connections.get(handled.connection());
            for (int i = 0; of != null && i < handled.frames() && !of.waiting.isEmpty(); i++) {
                of.connection.handled(of.waiting.poll());
            }
        }

        private void answered(Answered answered) {
            ShardRequest.FromOperator<?> from = asked.remove(answered.number());
            if (from != null) {
                complete(from, answered.answer());
            }
        }

        private <A> void complete(ShardRequest.FromOperator<A> from, ByteBuffer answer) {
            try {
                from.answer().complete(OperatorWords.answerOf(from.request(), answer));
            } catch (IllegalArgumentException e) {
                from.answer()
                        .completeExceptionally(new ProtocolException(
                                ErrorCode.INTERNAL,
                                "who leads shard " + shard + " answers in another version: " + e.getMessage()));
            }
        }

        private void refused(Refused refused) {
            ShardRequest.FromOperator<?> from = asked.remove(refused.number());
            if (from != null) {
                from.answer()
                        .completeExceptionally(new ProtocolException(
                                ErrorCode.of(refused.code()), refused.detail() == null ? "" : refused.detail()));
            }
        }
    }
}
