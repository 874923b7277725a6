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

/** Opened and closed by one thread at a time. A connection, and the sessions over it that feed an endpoint. */
final class Crew {
    private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

    private final XAConnection connection;
    private final FailureGuard guard;
    private final List<Listening> listenings = new ArrayList<>();

    private Crew(XAConnection connection, FailureGuard guard) {
        this.connection = connection;
        this.guard = guard;
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
            BiConsumer<Crew, JMSException> onLost)
            throws ResourceException {
        XAConnection connection = null;
        Crew crew = null;
        try {
            Source source = spec.source();
            connection = spec.factory().createXAConnection();
            crew = new Crew(connection, guard);
            crew.start(spec, source, factory, onLost);
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

    private void start(
            DuramenActivationSpec spec,
            Source source,
            MessageEndpointFactory factory,
            BiConsumer<Crew, JMSException> onLost)
            throws JMSException, ResourceException {
        connection.setExceptionListener(problem -> onLost.accept(this, problem));
        for (int i = source.sessions(spec.getMaxSessions()); i > 0; i--) {
            listenings.add(Listening.open(connection, spec, source, factory, guard));
        }
        guard.start(listenings);
        connection.start();
    }

    /** Returns when what is in hand has ended; what was sent ahead goes back untouched. */
    void close() {
        guard.end();
        for (Listening listening : listenings) {
            try {
                listening.stopHearing();
            } catch (JMSException e) {
                LOG.debug("A session has ended before its endpoint", e);
            }
        }
        listenings.forEach(Listening::close);
        try {
            connection.close();
        } catch (JMSException e) {
            LOG.debug("The connection of an endpoint did not end cleanly", e);
        }
    }
}
