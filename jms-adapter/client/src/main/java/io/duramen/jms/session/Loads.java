package io.duramen.jms.session;

import io.duramen.jms.delivery.ConsumerFeed;
import io.duramen.jms.delivery.Delivery;
import io.duramen.jms.delivery.Feed;
import io.duramen.jms.delivery.Owing;
import io.duramen.jms.delivery.Portion;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe. What connection consumers have loaded into a session of an application server, and the listener that gets
 * it when the server's thread runs the session (Jakarta Messaging 11.2).
 */
final class Loads {
    private static final Logger LOG = LoggerFactory.getLogger(Loads.class);

    private record Loaded(Portion portion, DuramenDestination destination, Delivery delivery) {}

    private final DuramenSession session;
    private final Map<Integer, Portion> portions = new ConcurrentHashMap<>();
    private final Queue<Loaded> waiting = new ConcurrentLinkedQueue<>();
    private volatile MessageListener listener;

    Loads(DuramenSession session) {
        this.session = session;
    }

    MessageListener listener() {
        return listener;
    }

    void listener(MessageListener next) {
        listener = next;
    }

    void add(Feed feed, DuramenDestination destination, List<Delivery> deliveries) {
        for (Delivery delivery : deliveries) {
            ConsumerFeed origin = feed.origin(delivery);
            Portion portion = portions.computeIfAbsent(origin.consumerId(), id -> new Portion(origin));
            waiting.add(new Loaded(portion, destination, delivery));
        }
    }

    /** What the session was given and owes a settlement. */
    Collection<? extends Owing> owing() {
        return portions.values();
    }

    /** Calls the listener for all that was loaded. */
    void run() {
        MessageListener current = listener;
        if (current == null) {
            throw new jakarta.jms.IllegalStateRuntimeException("the session has no listener of its own to run");
        }
        for (Loaded next = waiting.poll(); next != null; next = waiting.poll()) {
            listen(current, next);
        }
    }

    private void listen(MessageListener current, Loaded next) {
        Acknowledgement acknowledgement = session.acknowledgement();
        next.portion.give(next.delivery);
        try {
            current.onMessage(session.consumers().message(next.portion, next.delivery, next.destination));
            acknowledgement.onListened(next.portion, next.delivery);
        } catch (JMSException | RuntimeException | Error e) {
            LOG.warn("A session's listener threw; the message is {}", acknowledgement.afterFailure(), e);
            if (acknowledgement.acceptsOnReceive()) {
                settle(next, Settle.Outcome.REJECTED, e.toString());
            }
        }
    }

    private void settle(Loaded loaded, Settle.Outcome outcome, String reason) {
        try {
            Settlement.one(session.conversation().link(), loaded.portion, loaded.delivery, outcome, reason);
        } catch (JMSException e) {
            LOG.warn("A message could not be given back and comes again later", e);
        }
    }

    /** What no listener saw goes back, uncounted; what one saw and nobody settled goes back as given. */
    void giveBackAll() throws JMSException {
        for (Loaded next = waiting.poll(); next != null; next = waiting.poll()) {
            settle(next, Settle.Outcome.RELEASED, "");
        }
        Settlement.giveBack(session.conversation().link(), portions.values());
    }
}
