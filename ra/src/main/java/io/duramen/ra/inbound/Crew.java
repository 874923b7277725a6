package io.duramen.ra.inbound;

import io.duramen.ra.address.Failures;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opened and closed by one thread at a time; what each delivery tells it takes no lock, the rest is guarded by itself. A
 * connection, and the sessions over it that feed an endpoint: as many as are to be there at least, and more, up to as many as
 * may be, while those that are there have enough to do.
 */
final class Crew implements Listening.Outcomes {
    private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

    /** How long it is looked at what all do before another joins. */
    private static final long LOOK_MILLIS = 100;

    /** Share of that time for which all have to be at work; the rest is what passes between one delivery and the next. */
    private static final double BUSY_SHARE = 0.75;

    /** What all sessions have in common. */
    record Members(MessageEndpointFactory factory, FailureGuard guard, UncountedReturns returns) {}

    private final XAConnection connection;
    private final DuramenActivationSpec spec;
    private final Source source;
    private final Members members;
    private final ServerThreads threads;
    private final int max;
    private final int min;
    private final List<Listening> listenings = new ArrayList<>();
    private final AtomicInteger busy = new AtomicInteger();
    /** At a time, since it was last asked which are idle. */
    private final AtomicInteger busiest = new AtomicInteger();
    /** Of {@link #listenings}. */
    private volatile int size;

    private volatile boolean looking;
    private boolean closed;
    private boolean leaving;

    private Crew(
            XAConnection connection,
            DuramenActivationSpec spec,
            Source source,
            Members members,
            ServerThreads threads) {
        this.connection = connection;
        this.spec = spec;
        this.source = source;
        this.members = members;
        this.threads = threads;
        this.max = source.sessions(spec.getMaxSessions());
        this.min = Math.min(max, spec.getMinSessions());
    }

    /**
     * Connects, subscribes and begins to deliver.
     *
     * @param onLost told once the connection is given up, or a consumer of it is
     */
    static Crew open(
            DuramenActivationSpec spec, Members members, ServerThreads threads, BiConsumer<Crew, JMSException> onLost)
            throws ResourceException {
        XAConnection connection = null;
        Crew crew = null;
        try {
            Source source = spec.source();
            connection = spec.factory().createXAConnection();
            crew = new Crew(connection, spec, source, members, threads);
            crew.start(onLost);
            return crew;
        } catch (JMSException | ResourceException | RuntimeException e) {
            if (crew != null) {
                crew.close();
            }
            throw e instanceof ResourceException known
                    ? known
                    : e instanceof JMSException refused ? Failures.toServer(refused) : new ResourceException(e);
        }
    }

    private void start(BiConsumer<Crew, JMSException> onLost) throws JMSException, ResourceException {
        connection.setExceptionListener(problem -> onLost.accept(this, problem));
        for (int i = 0; i < min; i++) {
            listenings.add(open());
        }
        size = min;
        members.guard.start(listenings);
        connection.start();
    }

    private Listening open() throws JMSException, ResourceException {
        return Listening.open(connection, spec, source, members.factory, this, members.returns);
    }

    // ---- what deliveries tell --------------------------------------------------------------------------------------

    @Override
    public void onBegin() {
        int now = busy.incrementAndGet();
        if (now > busiest.get()) {
            busiest.accumulateAndGet(now, Math::max);
        }
        if (now >= size && size < max && !looking) {
            look();
        }
    }

    @Override
    public void onEnd() {
        busy.decrementAndGet();
    }

    @Override
    public void onOutcome(Listening.Outcome outcome) {
        members.guard.onOutcome(outcome);
    }

    // ---- more and fewer --------------------------------------------------------------------------------------------

    /** All are at work; whether they go on so is seen a moment later. */
    private synchronized void look() {
        if (!looking && !closed && size < max && busy.get() >= size) {
            looking = true;
            WorkTime.Total before = total();
            threads.runLater(LOOK_MILLIS, () -> joinIfBusySince(before));
        }
    }

    private WorkTime.Total total() {
        return WorkTime.Total.of(listenings.stream().map(Listening::work).toList(), System.nanoTime());
    }

    private void joinIfBusySince(WorkTime.Total before) {
        Listening more = null;
        try {
            if (isBusySince(before)) {
                more = open(); // may take its time: others go on
            }
        } catch (JMSException | ResourceException | RuntimeException e) {
            LOG.debug("A session more could not be had", e);
        }
        if (!joins(more) && more != null) {
            more.close();
        }
        look(); // where all are at work for long there is no other occasion
    }

    private synchronized boolean isBusySince(WorkTime.Total before) {
        return !closed && total().isBusySince(before, size, BUSY_SHARE);
    }

    /** @param more null where there is none */
    private synchronized boolean joins(Listening more) {
        looking = false;
        if (more == null || closed) {
            return false;
        }
        listenings.add(more);
        size = listenings.size();
        members.guard.joined(more);
        if (!leaving) {
            leaving = true;
            threads.runLater(spec.getSessionIdleMillis(), this::leaveWhereIdle);
        }
        return true;
    }

    /** Those leave that were not needed for a while; on a thread of the server's. */
    private void leaveWhereIdle() {
        List<Listening> left = new ArrayList<>();
        synchronized (this) {
            int needed = Math.max(min, Math.max(busiest.getAndSet(0), busy.get()));
            for (int i = size - 1; i >= 0 && size > needed && !closed; i--) {
                if (!listenings.get(i).work().isAtWork()) {
                    left.add(listenings.remove(i));
                    size = listenings.size();
                }
            }
            left.forEach(members.guard::left);
            leaving = size > min && !closed;
            if (leaving) {
                threads.runLater(spec.getSessionIdleMillis(), this::leaveWhereIdle);
            }
        }
        left.forEach(Listening::close);
    }

    /** Returns when what is in hand has ended; what was sent ahead goes back untouched. */
    void close() {
        members.guard.end();
        List<Listening> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(listenings);
        }
        for (Listening listening : all) {
            try {
                listening.stopHearing();
            } catch (JMSException e) {
                LOG.debug("A session has ended before its endpoint", e);
            }
        }
        all.forEach(Listening::close);
        try {
            connection.close();
        } catch (JMSException e) {
            LOG.debug("The connection of an endpoint did not end cleanly", e);
        }
    }
}
