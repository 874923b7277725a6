package io.duramen.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe: guarded by itself. Feeds the beans of one activation from when it is started until it is stopped, whatever
 * becomes of connections meanwhile. Each change of state is logged once.
 */
public final class Endpoint {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

    private final ServerThreads threads;
    private final MessageEndpointFactory factory;
    private final DuramenActivationSpec spec;
    private final String name;
    private final UncountedReturns returns;
    private Crew crew;
    private int failures;
    private boolean ended;

    /** @param spec that is valid */
    public Endpoint(ServerThreads threads, MessageEndpointFactory factory, DuramenActivationSpec spec) {
        this.threads = threads;
        this.factory = factory;
        this.spec = spec;
        this.name = name(factory.getActivationName(), spec);
        this.returns = new UncountedReturns(name);
    }

    private static String name(String activation, DuramenActivationSpec spec) {
        return activation == null ? spec.toString() : activation;
    }

    /** Returns at once: what is not there yet is waited for. */
    public void start() {
        threads.run(this::connect);
    }

    /** Returns when what is in hand has ended. */
    public synchronized void stop() {
        ended = true;
        closeCrew();
    }

    private void closeCrew() {
        Crew left = crew;
        crew = null;
        if (left != null) {
            left.close();
        }
    }

    private synchronized void connect() {
        if (ended || crew != null) {
            return;
        }
        try {
            crew = Crew.open(
                    spec,
                    new Crew.Members(factory, guard(), returns),
                    threads,
                    (lost, problem) -> threads.run(() -> replace(lost, problem)));
            if (failures > 0) {
                LOG.info("{} is fed again, after {} attempts that failed", name, failures);
            } else {
                LOG.debug("{} is fed", name);
            }
            failures = 0;
        } catch (ResourceException e) {
            onFailure(e);
        }
    }

    private FailureGuard guard() {
        FailureGuard.Limits limits = new FailureGuard.Limits(
                spec.getSequentialFailuresMax(), spec.getFailurePauseMillis(), spec.getFailurePauseMaxMillis());
        return new FailureGuard(name, limits, threads);
    }

    private void onFailure(ResourceException e) {
        failures++;
        if (spec.getConnectAttempts() > 0 && failures >= spec.getConnectAttempts()) {
            LOG.error("{} gets no messages: given up after {} attempts", name, failures, e);
            return;
        }
        long millis =
                Math.min(spec.getConnectDelayMaxMillis(), spec.getConnectDelayMillis() << Math.min(failures - 1, 20));
        if (failures == 1) {
            LOG.warn("{} gets no messages yet; it is tried again until it does: {}", name, e.getMessage());
        }
        LOG.debug("{}: attempt {} failed, the next is in {} ms", name, failures, millis, e);
        threads.runLater(millis, this::connect);
    }

    private synchronized void replace(Crew lost, JMSException problem) {
        if (crew == lost) {
            LOG.warn("{} has lost its connection, and makes another: {}", name, problem.toString());
            closeCrew();
            connect();
        }
    }
}
