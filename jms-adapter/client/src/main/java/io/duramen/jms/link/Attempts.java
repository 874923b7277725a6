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
    private final LinkOptions options;
    private final EventLoop loop;
    private final Turn turn;
    private Future<?> next;
    private boolean stopped;
    private int rounds;
    private long startNanos;

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
    void firstRound(Identify.Request identity, BiConsumer<Wire, Throwable> result) {
        tryFrom(0, identity, null, result);
    }

    private void tryFrom(int index, Identify.Request identity, Throwable last, BiConsumer<Wire, Throwable> result) {
        if (index == options.nodes().size() || isFinal(last)) {
            result.accept(null, last);
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
                        onFailure.accept(cause);
                    } else if (stopped) {
                        wire.close(null);
                    } else {
                        result.accept(wire, null);
                    }
                })
                .dial(loop);
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

    /** Tries until a node lets us in or the limits of the options are reached. */
    void rounds(Supplier<Identify.Request> identity, Consumer<Wire> up, Consumer<LinkLostException> givenUp) {
        rounds = 0;
        startNanos = System.nanoTime();
        round(identity, up, givenUp);
    }

    private void round(Supplier<Identify.Request> identity, Consumer<Wire> up, Consumer<LinkLostException> givenUp) {
        if (stopped) {
            return;
        }
        rounds++;
        tryFrom(0, identity.get(), null, (wire, cause) -> {
            if (wire != null) {
                up.accept(wire);
            } else if (isFinal(cause) || isExhausted()) {
                givenUp.accept(new LinkLostException(
                        "gave up reconnecting to " + options.nodes() + " after " + rounds + " round(s): " + cause,
                        true,
                        cause));
            } else if (!stopped) {
                Runnable again = () -> turn.run(() -> round(identity, up, givenUp));
                next = loop.schedule(again, delayMillis(), TimeUnit.MILLISECONDS);
            }
        });
    }

    private boolean isExhausted() {
        LinkOptions.Reconnect reconnect = options.reconnect();
        long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        return (reconnect.attemptsMax() > 0 && rounds >= reconnect.attemptsMax())
                || (reconnect.timeMaxMillis() > 0 && elapsedMillis >= reconnect.timeMaxMillis());
    }

    private long delayMillis() {
        LinkOptions.Reconnect reconnect = options.reconnect();
        long grown = reconnect.delayMillis() << Math.min(20, rounds - 1);
        long delay = Math.min(Math.max(1, grown), reconnect.delayMaxMillis());
        return delay - ThreadLocalRandom.current().nextLong(delay / 2 + 1); // so that clients don't come all at once
    }
}
