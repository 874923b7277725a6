package io.duramen.node.network;

import io.duramen.protocol.Api;
import io.duramen.protocol.Frame;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/**
 * Sees to it that answers which wait for something to travel with leave in time though nothing comes: the answers to
 * settlements. Confined to the event loop. It is told of the requests as they come in, on the event loop, so that no other
 * thread has to wake that for the sake of such an answer.
 */
final class Stragglers {
    private static final long WAIT_MILLIS = 10;

    private final Channel channel;
    private final Outbound outbound;
    private int unanswered;
    private boolean ticking;

    Stragglers(Channel channel, Outbound outbound) {
        this.channel = channel;
        this.outbound = outbound;
    }

    void onRequest(Frame request) {
        if (request.api() == Api.SETTLE) {
            unanswered++;
            tickLater();
        }
    }

    void onAnswered(Frame answer) {
        if (answer.api() == Api.SETTLE && unanswered > 0) {
            unanswered--;
        }
    }

    private void tickLater() {
        if (!ticking) {
            ticking = true;
            channel.eventLoop().schedule(this::tick, WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tick() {
        ticking = false;
        outbound.drain();
        if (unanswered > 0 && channel.isActive()) {
            tickLater();
        }
    }
}
