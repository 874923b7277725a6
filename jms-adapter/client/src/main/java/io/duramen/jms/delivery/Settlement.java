package io.duramen.jms.delivery;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Reply;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Made and waited for by the application's thread, carried out by the link's. Settles what the consumers of a session
 * were given, and waits until the node has it on disk.
 */
public final class Settlement implements Outgoing {
    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private record Part(Owing owing, Settle.Request request) {}

    private final List<Part> parts = new ArrayList<>();
    private final Call.Waiter waiter = new Call.Waiter();
    // The link's thread only.
    private int unanswered;
    private RuntimeException failure;

    private Settlement() {}

    /** Accepts all that was given. */
    public static void accept(Link link, Collection<? extends Owing> owings) throws JMSException {
        Settlement settlement = new Settlement();
        for (Owing owing : owings) {
            settlement.add(owing, owing.settleGiven(Settle.Outcome.ACCEPTED, ""));
        }
        settlement.carryOut(link);
    }

    /** Accepts one delivery; does nothing where it is no longer given. */
    public static void accept(Link link, Owing owing, Delivery delivery) throws JMSException {
        Settlement settlement = new Settlement();
        settlement.add(owing, owing.settleGiven(delivery, Settle.Outcome.ACCEPTED, ""));
        settlement.carryOut(link);
    }

    /** Refuses one delivery, for good; false, and nothing is done, where it is no longer given. */
    public static boolean refuse(Link link, Owing owing, Delivery delivery, String reason) throws JMSException {
        List<Settle.Request> requests = owing.settleGiven(delivery, Settle.Outcome.REFUSED, reason);
        Settlement settlement = new Settlement();
        settlement.add(owing, requests);
        settlement.carryOut(link);
        return !requests.isEmpty();
    }

    /**
     * Gives back all that was given, counted, and what of the same consumers waits unseen, uncounted; both will be
     * delivered again before anything newer (see {@link ConsumerFeed}).
     */
    public static void giveBack(Link link, Collection<? extends Owing> owings) throws JMSException {
        giveBack(link, owings, "");
    }

    /**
     * As {@link #giveBack(Link, Collection)}.
     *
     * @param reason why; empty for nothing
     */
    public static void giveBack(Link link, Collection<? extends Owing> owings, String reason) throws JMSException {
        giveBack(link, owings, Settle.Outcome.REJECTED, reason);
    }

    /** As {@link #giveBack(Link, Collection)}, nothing of it counted: what was given has not been seen either. */
    public static void release(Link link, Collection<? extends Owing> owings) throws JMSException {
        giveBack(link, owings, Settle.Outcome.RELEASED, "");
    }

    private static void giveBack(Link link, Collection<? extends Owing> owings, Settle.Outcome outcome, String reason)
            throws JMSException {
        List<? extends Owing> concerned =
                owings.stream().filter(Owing::hasGiven).toList();
        giveBack(link, concerned, owing -> owing.settleGiven(outcome, reason), () -> {});
    }

    /**
     * As {@link #giveBack(Link, Collection)}, of what a branch accepted.
     *
     * @param outcome rejected, refused for good, or released
     * @param reason why; empty for nothing
     */
    public static void giveBack(
            Link link, Map<Owing, List<Commit.ConsumerSettlement>> enlisted, Settle.Outcome outcome, String reason)
            throws JMSException {
        giveBack(
                link,
                enlisted.keySet(),
                owing -> enlisted.get(owing).stream()
                        .map(settlement -> owing.settle(settlement, outcome, reason))
                        .toList(),
                () -> {});
    }

    /** Something said to the node. */
    @FunctionalInterface
    public interface Step {
        void run() throws JMSException;
    }

    /**
     * Gives back, uncounted, what of the consumers waits unseen, after the node has brought back by itself what the
     * application had of them.
     *
     * @param bringBack has the node do so
     */
    public static void giveBackUnseen(Link link, Collection<? extends Owing> concerned, Step bringBack)
            throws JMSException {
        giveBack(link, concerned, owing -> List.of(), bringBack);
    }

    private static void giveBack(
            Link link,
            Collection<? extends Owing> concerned,
            Function<Owing, List<Settle.Request>> rejecting,
            Step before)
            throws JMSException {
        concerned.forEach(Owing::pause);
        try {
            Settlement settlement = new Settlement();
            for (Owing owing : concerned) {
                owing.awaitDrained(link);
            }
            before.run();
            for (Owing owing : concerned) {
                settlement.add(owing, rejecting.apply(owing));
                settlement.add(owing, owing.releaseUnseen());
            }
            settlement.carryOut(link);
        } finally {
            concerned.forEach(Owing::resume);
        }
    }

    /** Settles one delivery that a session was loaded with. */
    public static void one(Link link, Portion portion, Delivery delivery, Settle.Outcome outcome, String reason)
            throws JMSException {
        Settlement settlement = new Settlement();
        settlement.add(portion, List.of(portion.settle(delivery, outcome, reason)));
        settlement.carryOut(link);
    }

    private void add(Owing owing, List<Settle.Request> requests) {
        for (Settle.Request request : requests) {
            parts.add(new Part(owing, request));
        }
    }

    private void carryOut(Link link) throws JMSException {
        if (!parts.isEmpty()) {
            unanswered = parts.size();
            link.sendAwaited(this);
            waiter.await(link, "Settle");
        }
    }

    @Override
    public void write(FrameSink sink) {
        for (Part part : parts) {
            sink.request(part.request, new Reply() {
                @Override
                public void answered(Record response) {
                    if (!((Settle.Response) response).stale().isEmpty()) {
                        LOG.warn("{} came too late for some: they had been settled or lent to another", part.request);
                    }
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
        part.owing.settled(part.request, cause);
        boolean isBack = part.owing.isEnded() && part.request.outcome() != Settle.Outcome.ACCEPTED;
        if (cause != null && !isBack) {
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
