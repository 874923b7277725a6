package io.duramen.jms.link;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.Redirect;
import io.duramen.protocol.frame.Identify;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Confined to the link's thread. Rounds over the addresses, with growing delays between them. */
final class Attempts {
    /** While a cluster chooses who leads, which takes a few seconds, the next round is not put off by those before. */
    private static final long CHOOSING_DELAY_MILLIS_MAX = 250;

    private static final long CHOOSING_MILLIS_MAX = 15_000;

    private final LinkOptions options;
    private final EventLoop loop;
    private final Turn turn;
    private Future<?> next;
    private boolean stopped;
    private int rounds;
    private long startNanos;

    /** What a node of this round has said of the cluster: that nobody can lead it. */
    private ProtocolException noMajority;

    /** Called when a round has failed, or a node has said so. */
    private Runnable onNews = () -> {};

    /** Whether a node of this round has said that it does not lead. */
    private boolean choosing;

    Attempts(LinkOptions options, EventLoop loop, Turn turn) {
        this.options = options;
        this.loop = loop;
        this.turn = turn;
    }

    /** Rounds that were begun since the connection was lost. */
    int rounds() {
        return rounds;
    }

    void stop() {
        stopped = true;
        if (next != null) {
            next.cancel(false);
        }
    }

    /** Tries each address once, and the leader that it names. */
    void oneRound(Identify.Request identity, BiConsumer<Wire, Throwable> result) {
        noMajority = null;
        choosing = false;
        tryFrom(0, identity, null, result);
    }

    /** Why no node of the last round can lead, where one has said that it is so. */
    Optional<String> noMajority() {
        return Optional.ofNullable(noMajority).map(Throwable::getMessage);
    }

    private void tryFrom(int index, Identify.Request identity, Throwable last, BiConsumer<Wire, Throwable> result) {
        if (index == options.nodes().size() || isFinal(last)) {
            result.accept(null, noMajority == null || isFinal(last) ? last : noMajority);
            return;
        }
        NodeAddress address = options.nodes().get(index);
        dial(address, identity, result, cause -> {
            Optional<NodeAddress> leader = leader(address, cause);
            if (leader.isPresent()) {
                // Whom that one names instead is not asked: the next round asks all again.
                dial(leader.get(), identity, result, refusal -> tryFrom(index + 1, identity, refusal, result));
            } else {
                tryFrom(index + 1, identity, cause, result);
            }
        });
    }

    private void dial(
            NodeAddress address,
            Identify.Request identity,
            BiConsumer<Wire, Throwable> result,
            Consumer<Throwable> onFailure) {
        new Dialer(address, options, identity, turn, (wire, cause) -> {
                    if (wire == null) {
                        note(cause);
                        onFailure.accept(cause);
                    } else if (stopped) {
                        wire.close(null);
                    } else {
                        result.accept(wire, null);
                    }
                })
                .dial(loop);
    }

    private void note(Throwable cause) {
        if (cause instanceof ProtocolException said) {
            choosing |= said.code() == ErrorCode.NOT_LEADER;
            if (said.code() == ErrorCode.NO_MAJORITY) {
                noMajority = said;
                onNews.run();
            }
        }
    }

    /** Who leads, where a node of a cluster that does not has said so. */
    private static Optional<NodeAddress> leader(NodeAddress asked, Throwable cause) {
        return asked instanceof NodeAddress.Tcp && cause instanceof ProtocolException refusal
                ? Redirect.of(refusal).map(NodeAddress.Tcp::parse)
                : Optional.empty();
    }

    /** Whether every other node would say the same. */
    private static boolean isFinal(Throwable cause) {
        return cause instanceof ProtocolException refusal
                && (refusal.code() == ErrorCode.AUTHENTICATION_FAILED
                        || refusal.code() == ErrorCode.UNSUPPORTED_VERSION);
    }

    /**
     * Tries until a node lets us in or the limits of the options are reached.
     *
     * @param news run when a round has failed, or a node has told {@link #noMajority}
     */
    void rounds(
            Supplier<Identify.Request> identity,
            Consumer<Wire> up,
            Consumer<LinkLostException> givenUp,
            Runnable news) {
        onNews = news;
        rounds = 0;
        startNanos = System.nanoTime();
        round(identity, up, givenUp);
    }

    private void round(Supplier<Identify.Request> identity, Consumer<Wire> up, Consumer<LinkLostException> givenUp) {
        if (stopped) {
            return;
        }
        rounds++;
        oneRound(identity.get(), (wire, cause) -> {
            if (wire != null) {
                up.accept(wire);
            } else if (isFinal(cause) || isExhausted()) {
                givenUp.accept(new LinkLostException(
                        "gave up reconnecting to " + options.nodes() + " after " + rounds + " round(s): " + cause,
                        true,
                        cause));
            } else if (!stopped) {
                onNews.run();
                Runnable again = () -> turn.run(() -> round(identity, up, givenUp));
                next = loop.schedule(again, delayMillis(), TimeUnit.MILLISECONDS);
            }
        });
    }

    private boolean isExhausted() {
        LinkOptions.Reconnect reconnect = options.reconnect();
        return (reconnect.attemptsMax() > 0 && rounds >= reconnect.attemptsMax())
                || (reconnect.timeMaxMillis() > 0 && elapsedMillis() >= reconnect.timeMaxMillis());
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    private long delayMillis() {
        LinkOptions.Reconnect reconnect = options.reconnect();
        long grown = reconnect.delayMillis() << Math.min(20, rounds - 1);
        long most = choosing && elapsedMillis() < CHOOSING_MILLIS_MAX
                ? Math.min(CHOOSING_DELAY_MILLIS_MAX, reconnect.delayMaxMillis())
                : reconnect.delayMaxMillis();
        long delay = Math.min(Math.max(1, grown), most);
        return delay - ThreadLocalRandom.current().nextLong(delay / 2 + 1); // so that clients don't come all at once
    }
}
