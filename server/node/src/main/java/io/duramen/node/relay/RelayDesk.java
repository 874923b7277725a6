package io.duramen.node.relay;

import io.duramen.broker.shard.OperatorRequest;
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
import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.frame.Deliver;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Inbox;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where what clients of other nodes say to a shard of this one arrives, for one leadership. Each of them is a connection to the shard, which is
 * lost, and not clean, once its node is. Nothing of it survives this process. From any thread; all else is confined to the loop, an executor with one
 * thread.
 */
public final class RelayDesk {
    private static final Logger LOG = LoggerFactory.getLogger(RelayDesk.class);

    /** Brings frames to another node. Never blocks; it may lose them. */
    public interface Ways {
        void send(String node, ByteBuffer frame);
    }

    private final int shard;
    private final long epoch;
    private final Clock clock;
    private final Inbox<ShardRequest> inbox;
    private final Ways ways;
    private final Executor loop;
    private final Map<String, Guest> guests = new TreeMap<>();
    private boolean closed;

    /**
     * @param epoch of the shard's leadership
     * @param inbox of the shard
     * @param loop runs one task after the other, in their order
     */
    public RelayDesk(int shard, long epoch, Clock clock, Inbox<ShardRequest> inbox, Ways ways, Executor loop) {
        this.shard = shard;
        this.epoch = epoch;
        this.clock = clock;
        this.inbox = inbox;
        this.ways = ways;
        this.loop = loop;
    }

    /** A frame of another node has come, for its clients. */
    public void hear(String node, TalkFrame frame) {
        loop.execute(() -> {
            if (!closed) {
                guests.computeIfAbsent(node, Guest::new).hear(frame);
            }
        });
    }

    /** Time has gone by; to be called some ten times a second. */
    public void tick() {
        loop.execute(() -> guests.values().forEach(Guest::tick));
    }

    /** The leadership has ended: nothing more is taken, and nothing more is answered. */
    public void close() {
        loop.execute(() -> {
            closed = true;
            guests.clear();
        });
    }

    /** Another node, and its clients. The loop's. */
    private final class Guest implements Talk.Listener {
        private final String node;
        private final Talk talk;
        private final Map<Long, RelayedConnection> connections = new TreeMap<>();

        /** Connections that are over here, whose node has perhaps not heard of it, or is no more. */
        private final Set<Long> superseded = new TreeSet<>();

        private long heardNanos;
        private long aliveNanos;

        Guest(String node) {
            this.node = node;
            this.talk = new Talk(shard, RelayPort.CLIENTS, epoch, this, frame -> ways.send(node, frame.encode()));
        }

        void hear(TalkFrame frame) {
            heardNanos = clock.nanos();
            try {
                talk.hear(frame);
            } catch (MalformedFrameException e) {
                LOG.error("Node {} says what shard {} does not understand: {}", node, shard, e.getMessage());
                talk.beginAnew();
            }
            inbox.wake();
            flush();
        }

        void tick() {
            long now = clock.nanos();
            if (talk.isMet() && now - heardNanos > RelayPort.SILENT_NANOS_MAX) {
                LOG.warn("Node {} is silent, and its clients are lost to shard {}", node, shard);
                talk.beginAnew();
            }
            if (now - aliveNanos >= RelayPort.ALIVE_NANOS) {
                aliveNanos = now;
                talk.say(RelayWords.IS_ALIVE);
            }
            flush();
        }

        private void flush() {
            talk.doWork(clock.nanos());
        }

        @Override
        public void met() {
            // Its clients say who they are when they say something.
        }

        @Override
        public void lost() {
            List<RelayedConnection> ended = List.copyOf(connections.values());
            connections.clear();
            superseded.clear();
            ended.forEach(one -> inbox.put(new ShardRequest.Disconnected(one, false)));
            inbox.wake();
        }

        @Override
        public void heard(Word word) {
            switch (word.type()) {
                case RelayWords.OPENED -> opened(RelayWords.read(Opened.class, word));
                case RelayWords.FRAME -> {
                    FrameOf frame = RelayWords.readFrame(word);
                    if (!superseded.contains(frame.connection())) {
                        inbox.put(new ShardRequest.FromClient(from(frame.connection()), RelayWords.frame(frame)));
                    }
                }
                case RelayWords.GONE -> {
                    Gone gone = RelayWords.read(Gone.class, word);
                    if (!superseded.remove(gone.connection())) {
                        inbox.put(new ShardRequest.Disconnected(from(gone.connection()), gone.clean()));
                        connections.remove(gone.connection());
                    }
                }
                case RelayWords.ASKED -> asked(RelayWords.read(Asked.class, word));
                case RelayWords.ALIVE -> heardNanos = clock.nanos();
                default -> throw new MalformedFrameException("no word has the number " + word.type());
            }
        }

        private void asked(Asked asked) {
            try {
                ask(asked.number(), OperatorWords.request(asked.request()));
            } catch (IllegalArgumentException e) {
                refuse(
                        asked.number(),
                        new ProtocolException(
                                ErrorCode.INVALID_REQUEST,
                                "who leads shard " + shard + " has another version: " + e.getMessage()));
            }
        }

        /** Who asked is told by its own node where no answer comes since this leadership ends. */
        private <A> void ask(long number, OperatorRequest<A> request) {
            long meeting = talk.meetings();
            CompletableFuture<A> answer = new CompletableFuture<>();
            answer.whenComplete((value, failure) -> loop.execute(() -> {
                if (closed || talk.meetings() != meeting) {
                    return;
                }
                if (failure == null) {
                    talk.say(RelayWords.word(
                            RelayWords.ANSWERED, new Answered(number, OperatorWords.answer(request, value))));
                } else {
                    refuse(number, failure);
                }
                flush();
            }));
            inbox.put(new ShardRequest.FromOperator<>(request, answer));
        }

        private void refuse(long number, Throwable why) {
            ErrorCode code = why instanceof ProtocolException refusal ? refusal.code() : ErrorCode.INTERNAL;
            talk.say(RelayWords.word(
                    RelayWords.REFUSED, new Refused(number, code.number(), String.valueOf(why.getMessage()))));
        }

        private RelayedConnection from(long connection) {
            RelayedConnection known = connections.get(connection);
            if (known == null) {
                throw new MalformedFrameException("a word of connection " + connection + ", which was not opened");
            }
            return known;
        }

        private void opened(Opened opened) {
            if (superseded.contains(opened.connection())) {
                return;
            }
            RelayedConnection known = connections.get(opened.connection());
            if (known == null) {
                connections.put(
                        opened.connection(),
                        new RelayedConnection(
                                opened, this::send, () -> loop.execute(this::tellHandled), this::supersede));
            } else {
                known.identified(opened.clientId());
            }
        }

        /** From any thread. */
        private void send(RelayedConnection to, Frame frame) {
            loop.execute(() -> {
                if (!closed && connections.get(to.id()) == to) {
                    talk.say(RelayWords.frame(to.id(), frame));
                    loop.execute(this::flush);
                }
                if (frame.payload() instanceof Deliver.Push push) {
                    SpareBuffers.SHARED.give(push.deliveries());
                }
            });
        }

        /** From any thread. */
        private void supersede(RelayedConnection one) {
            loop.execute(() -> {
                if (!closed && connections.remove(one.id(), one)) {
                    superseded.add(one.id());
                    inbox.offer(new ShardRequest.Disconnected(one, false));
                    talk.say(RelayWords.word(RelayWords.SUPERSEDED, new Superseded(one.id())));
                    flush();
                }
            });
        }

        private void tellHandled() {
            if (closed) {
                return;
            }
            for (RelayedConnection one : connections.values()) {
                int frames = one.takeHandled();
                if (frames > 0) {
                    talk.say(RelayWords.word(RelayWords.HANDLED, new Handled(one.id(), frames)));
                }
            }
            flush();
        }
    }
}
