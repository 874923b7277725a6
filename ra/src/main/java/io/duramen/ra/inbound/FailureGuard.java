package io.duramen.ra.inbound;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe: guarded by itself. Stops an endpoint whose deliveries fail one after the other, as when the bean's database
 * is away, or do not reach the bean, as when it is being undeployed (which nothing counts, so one is enough): after a pause one session tries one message, and when that succeeds, all go on.
 */
final class FailureGuard {
    /**
     * @param failuresMax of the bean in a row before the endpoint pauses; 0 for never
     * @param pauseMillis before the first try; doubles with each that fails
     */
    record Limits(int failuresMax, long pauseMillis, long pauseMaxMillis) {}

    private enum State {
        RUNNING,
        PAUSED,
        PROBING,
        ENDED
    }

    private static final Logger LOG = LoggerFactory.getLogger(FailureGuard.class);

    private final String name;
    private final Limits limits;
    private final ServerThreads threads;
    private List<Listening> listenings = List.of();
    /** Volatile, as the next, so that a success where all go well takes no lock. */
    private volatile State state = State.PAUSED;

    private volatile int failures;
    private int pauses;

    FailureGuard(String name, Limits limits, ServerThreads threads) {
        this.name = name;
        this.limits = limits;
        this.threads = threads;
    }

    synchronized void start(List<Listening> all) throws JMSException {
        listenings = List.copyOf(all);
        state = State.RUNNING;
        for (Listening listening : listenings) {
            listening.hear();
        }
    }

    synchronized void end() {
        state = State.ENDED;
    }

    /** One more session; it hears where the others do. */
    synchronized void joined(Listening listening) {
        List<Listening> all = new ArrayList<>(listenings);
        all.add(listening);
        listenings = List.copyOf(all);
        if (state == State.RUNNING) {
            change(listening, true);
        }
    }

    /** A session is about to be closed; never the one that tries. */
    synchronized void left(Listening listening) {
        listenings = listenings.stream().filter(each -> each != listening).toList();
    }

    void onOutcome(Listening.Outcome outcome) {
        if (outcome != Listening.Outcome.SUCCEEDED || failures > 0 || state != State.RUNNING) {
            heed(outcome);
        }
    }

    private synchronized void heed(Listening.Outcome outcome) {
        if (outcome == Listening.Outcome.SUCCEEDED) {
            failures = 0;
            if (state == State.PROBING) {
                resume();
            }
        } else if (limits.failuresMax > 0 || outcome == Listening.Outcome.UNSEEN) {
            failures++;
            boolean enough = failures >= limits.failuresMax || outcome == Listening.Outcome.UNSEEN;
            if (state == State.PROBING || state == State.RUNNING && enough) {
                pause(outcome);
            }
        }
    }

    private void pause(Listening.Outcome last) {
        state = State.PAUSED;
        long millis = Math.min(limits.pauseMaxMillis, limits.pauseMillis << Math.min(pauses, 30));
        if (pauses++ > 0) {
            LOG.debug("{}: still failing; it pauses for {} ms", name, millis);
        } else if (last == Listening.Outcome.UNSEEN) {
            LOG.warn(
                    "{}: the application server does not pass it a message; it pauses, and tries one from time to time",
                    name);
        } else {
            LOG.warn(
                    "{}: {} deliveries failed in a row; it pauses, and tries one message from time to time",
                    name,
                    failures);
        }
        for (Listening listening : listenings) {
            change(listening, false);
        }
        threads.runLater(millis, this::probe);
    }

    private synchronized void probe() {
        if (state == State.PAUSED) {
            state = State.PROBING;
            change(listenings.get(0), true);
        }
    }

    private void resume() {
        state = State.RUNNING;
        LOG.info("{}: a delivery has succeeded after {} pauses; it goes on", name, pauses);
        pauses = 0;
        for (Listening listening : listenings) {
            change(listening, true);
        }
    }

    private void change(Listening listening, boolean hears) {
        try {
            if (hears) {
                listening.hear();
            } else {
                listening.stopHearing();
            }
        } catch (JMSException e) {
            LOG.debug("{}: a session has ended", name, e);
        }
    }
}
