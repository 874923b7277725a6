package io.duramen.jms.delivery;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.protocol.frame.Detach;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Thread-safe: guarded by itself, but for {@code attachedOn}, which is the link's thread's. A consumer's place in a
 * subscription, in the shard with the catalogue, where that carries none of the consumer's messages: it decides who may
 * consume, and whether a subscription is in use.
 */
public final class Membership implements Outgoing {
    private final Link link;
    private final Subscribing subscribing;
    private final Consumer<RuntimeException> onRefused;
    private Call.Waiter attaching;
    private Call.Waiter detaching;
    private boolean attached;
    private boolean over;
    private boolean detachAsked;
    private int attachedOn;

    /** @param onRefused called on the link's thread where the node does not have it back after a reconnect */
    public Membership(Link link, Subscribing subscribing, Consumer<RuntimeException> onRefused) {
        this.link = link;
        this.subscribing = subscribing;
        this.onRefused = onRefused;
    }

    int consumerId() {
        return subscribing.consumerId();
    }

    /** Attaches and waits for the answer; it must be known to whoever resumes it before. */
    public void attach() throws JMSException {
        Call.Waiter waiter = new Call.Waiter();
        synchronized (this) {
            attaching = waiter;
        }
        link.send(this);
        waiter.await(link, "Attach");
    }

    /** Leaves, and waits until it has left, unless the node is away; any number of times. */
    public void detach() throws JMSException {
        Call.Waiter waiter = detachSoon();
        if (waiter != null) {
            waiter.awaitUnlessDown(link, "Detach");
        }
    }

    /** Leaves without waiting. @return null where it has left, or is about to */
    Call.Waiter detachSoon() {
        Call.Waiter waiter = new Call.Waiter();
        synchronized (this) {
            if (over || detaching != null) {
                return null;
            }
            detaching = waiter;
        }
        link.send(this);
        return waiter;
    }

    /** Whether nothing more is to be said about it. */
    public synchronized boolean isOver() {
        return over;
    }

    public synchronized void onLost() {
        attachedOn = 0;
        detachAsked = false;
    }

    /** A new connection: attaches again. */
    public void onResume(FrameSink sink) {
        write(sink);
    }

    @Override
    public synchronized void write(FrameSink sink) {
        if (over) {
            return;
        }
        if (attachedOn != sink.connection()) {
            attachedOn = sink.connection();
            if (detaching != null) {
                end(null); // the node has forgotten it with the connection
                return;
            }
            sink.request(subscribing.attach(List.of()), new UnrepeatedReply(answer -> onAttached(), this::onFailed));
        } else if (detaching != null && !detachAsked) {
            detachAsked = true;
            sink.request(
                    new Detach.Request(subscribing.shard(), subscribing.consumerId(), 0, false),
                    new UnrepeatedReply(answer -> end(null), this::end));
        }
    }

    private synchronized void onAttached() {
        attached = true;
        if (!attaching.isDone()) {
            attaching.done(null);
        }
    }

    private void onFailed(RuntimeException cause) {
        boolean again;
        synchronized (this) {
            if (cause instanceof LinkLostException && attached) {
                return; // it attaches again
            }
            again = attached;
            over = true;
            if (!attaching.isDone()) {
                attaching.done(cause);
            }
        }
        if (again) {
            onRefused.accept(cause);
        }
    }

    private synchronized void end(RuntimeException cause) {
        if (cause instanceof LinkLostException) {
            over = true;
            detaching.done(null);
            return;
        }
        over = true;
        detaching.done(cause);
    }

    @Override
    public synchronized void abandoned(LinkLostException cause) {
        over = true;
        if (attaching != null && !attaching.isDone()) {
            attaching.done(cause);
        }
        if (detaching != null && !detaching.isDone()) {
            detaching.done(null);
        }
    }
}
