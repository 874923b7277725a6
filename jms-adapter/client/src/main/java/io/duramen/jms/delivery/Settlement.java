package io.duramen.jms.delivery;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Reply;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Made and waited for by the application's thread, carried out by the link's. Settles what the consumers of a session
 * were given, and waits until the node has it on disk.
 */
public final class Settlement implements Outgoing {
    private record Part(ConsumerFeed feed, Settle.Request request) {}

    private final List<Part> parts = new ArrayList<>();
    private final Call.Waiter waiter = new Call.Waiter();
    // The link's thread only.
    private int unanswered;
    private RuntimeException failure;

    private Settlement() {}

    /** Accepts all that was given. */
    public static void accept(Link link, Collection<ConsumerFeed> feeds) throws JMSException {
        Settlement settlement = new Settlement();
        for (ConsumerFeed feed : feeds) {
            settlement.add(feed, feed.settleGiven(Settle.Outcome.ACCEPTED));
        }
        settlement.carryOut(link);
    }

    /** Accepts one delivery; does nothing where it is no longer given. */
    public static void accept(Link link, ConsumerFeed feed, Delivery delivery) throws JMSException {
        Settlement settlement = new Settlement();
        settlement.add(feed, feed.settleGiven(delivery));
        settlement.carryOut(link);
    }

    /**
     * Gives back all that was given, counted, and what of the same consumers waits unseen, uncounted; both will be
     * delivered again before anything newer (see {@link ConsumerFeed}).
     */
    public static void giveBack(Link link, Collection<ConsumerFeed> feeds) throws JMSException {
        List<ConsumerFeed> concerned =
                feeds.stream().filter(ConsumerFeed::hasGiven).toList();
        concerned.forEach(ConsumerFeed::pause);
        try {
            Settlement settlement = new Settlement();
            for (ConsumerFeed feed : concerned) {
                feed.awaitDrained();
            }
            for (ConsumerFeed feed : concerned) {
                settlement.add(feed, feed.settleGiven(Settle.Outcome.REJECTED));
                settlement.add(feed, feed.releaseUnseen());
            }
            settlement.carryOut(link);
        } finally {
            concerned.forEach(ConsumerFeed::resume);
        }
    }

    private void add(ConsumerFeed feed, List<Settle.Request> requests) {
        for (Settle.Request request : requests) {
            parts.add(new Part(feed, request));
        }
    }

    private void carryOut(Link link) throws JMSException {
        if (!parts.isEmpty()) {
            unanswered = parts.size();
            link.send(this);
            waiter.await(link, "Settle");
        }
    }

    @Override
    public void write(FrameSink sink) {
        for (Part part : parts) {
            sink.request(part.request, new Reply() {
                @Override
                public void answered(Record response) {
                    done(part, null);
                }

                @Override
                public void failed(RuntimeException cause) {
                    done(part, cause);
                }
            });
        }
    }

    private void done(Part part, RuntimeException cause) {
        part.feed.settled(part.request, cause);
        if (cause != null) {
            failure = cause;
        }
        if (--unanswered == 0) {
            waiter.done(failure);
        }
    }

    @Override
    public void abandoned(LinkLostException cause) {
        waiter.done(cause);
    }
}
