package io.duramen.ra.inbound;

import io.duramen.ra.address.Failures;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opened and closed by one thread at a time; the rest is guarded by itself. A connection, and the sessions over it that feed
 * an endpoint: as many as are to be there at least, and more, up to as many as may be, while all of them are busy.
 */
final class Crew {
    private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

    /** All are busy for so long before another joins. */
    private static final long BUSY_MILLIS = 100;

    private final XAConnection connection;
    private final FailureGuard guard;
    private final ServerThreads threads;
    private final Opening opening;
    private final int max;
    private final int min;
    private final long idleMillis;
    private final List<Listening> listenings = new ArrayList<>();
    private boolean closed;
    private boolean looking;
    private boolean leaving;
    private int busiest;

    /** Makes a session more. */
    private interface Opening {
        Listening open(XAConnection over, Listening.Outcomes outcomes) throws JMSException, ResourceException;
    }

    private Crew(
            XAConnection connection,
            FailureGuard guard,
            ServerThreads threads,
            DuramenActivationSpec spec,
            Source source,
            Opening opening) {
        this.connection = connection;
        this.guard = guard;
        this.threads = threads;
        this.opening = opening;
        this.max = source.sessions(spec.getMaxSessions());
        this.min = Math.min(max, spec.getMinSessions());
        this.idleMillis = spec.getSessionIdleMillis();
    }

    /**
     * Connects, subscribes and begins to deliver.
     *
     * @param onLost told once the connection is given up, or a consumer of it is
     */
    static Crew open(
            DuramenActivationSpec spec,
            MessageEndpointFactory factory,
            FailureGuard guard,
            ServerThreads threads,
            BiConsumer<Crew, JMSException> onLost)
            throws ResourceException {
        XAConnection connection = null;
        Crew crew = null;
        try {
            Source source = spec.source();
            connection = spec.factory().createXAConnection();
            crew = new Crew(
                    connection,
                    guard,
                    threads,
                    spec,
                    source,
                    (over, outcomes) -> Listening.open(over, spec, source, factory, outcomes));
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
        guard.start(listenings);
        connection.start();
    }

    private Listening open() throws JMSException, ResourceException {
        return opening.open(connection, new Listening.Outcomes() {
            @Override
            public void onBegin() {
                look();
            }

            @Override
            public void onOutcome(Listening listening, Listening.Outcome outcome) {
                guard.onOutcome(listening, outcome);
            }
        });
    }

    // ---- more and fewer --------------------------------------------------------------------------------------------

    /** A delivery has begun, on whichever session's thread. */
    private synchronized void look() {
        int busy = busy();
        busiest = Math.max(busiest, busy);
        if (!looking && busy == listenings.size() && busy < max && !closed) {
            looking = true;
            threads.runLater(BUSY_MILLIS, this::joinIfBusy);
        }
    }

    private int busy() {
        return (int) listenings.stream().filter(Listening::isBusy).count();
    }

    private void joinIfBusy() {
        Listening more = null;
        try {
            if (areAllBusy()) {
                more = open(); // may take its time: others go on
            }
        } catch (JMSException | ResourceException | RuntimeException e) {
            LOG.debug("A session more could not be had", e);
        }
        if (!joins(more) && more != null) {
            more.close();
        }
    }

    private synchronized boolean areAllBusy() {
        return !closed && busy() == listenings.size();
    }

    /** @param more null where there is none */
    private synchronized boolean joins(Listening more) {
        looking = false;
        if (more == null || closed) {
            return false;
        }
        listenings.add(more);
        guard.joined(more);
        if (!leaving) {
            leaving = true;
            threads.runLater(idleMillis, this::leaveWhereIdle);
        }
        look();
        return true;
    }

    /** Those leave that were not needed for a while; on a thread of the server's. */
    private void leaveWhereIdle() {
        List<Listening> left = new ArrayList<>();
        synchronized (this) {
            int needed = Math.max(min, Math.max(busiest, busy()));
            for (int i = listenings.size() - 1; i >= 0 && listenings.size() > needed && !closed; i--) {
                if (!listenings.get(i).isBusy()) {
                    left.add(listenings.remove(i));
                }
            }
            left.forEach(guard::left);
            busiest = 0;
            leaving = listenings.size() > min && !closed;
            if (leaving) {
                threads.runLater(idleMillis, this::leaveWhereIdle);
            }
        }
        left.forEach(Listening::close);
    }

    /** Returns when what is in hand has ended; what was sent ahead goes back untouched. */
    void close() {
        guard.end();
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
