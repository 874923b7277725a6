package io.duramen.acceptance.branch;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;

/** Movers at work on a ring of queues, each on a thread of its own. Used by one thread; {@link #close} has them end. */
public final class TokenRing implements AutoCloseable {
    private static final long PROGRESS_MILLIS = TimeUnit.SECONDS.toMillis(120);

    private final String name;
    private final Ring ring;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<RingMover> movers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> tokens;
    private int undecided;
    private int late;

    /**
     * Puts tokens on a ring.
     *
     * @param name what failures say
     */
    public TokenRing(String name, String url, int tokens) throws JMSException {
        this.name = name;
        ring = new Ring(url);
        this.tokens = ring.fill(tokens);
    }

    /** Starts so many movers in branches of distributed transactions, and as many in local ones. */
    public void start(int each, SplittableRandom random) {
        for (int i = 0; i < each; i++) {
            start(new Mover(ring, random.split(), stop));
            start(new LocalMover(ring, random.split(), stop));
        }
    }

    private void start(RingMover mover) {
        movers.add(mover);
        Thread thread = new Thread(mover, "mover-" + threads.size());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /**
     * Waits for so many more moves.
     *
     * @param output what the nodes said, for a failure
     */
    public void awaitMoves(long more, String output) throws InterruptedException {
        long moves = ring.moves() + more;
        boolean there = ring.awaitMoves(moves, PROGRESS_MILLIS);
        requireNoFailure();
        if (!there) {
            throw new AssertionError(
                    name + ": " + ring.moves() + " of " + moves + " moves; the nodes said:\n" + output);
        }
    }

    /** Has all movers end what they are at. */
    public void stop() throws InterruptedException {
        stop.countDown();
        for (Thread thread : threads) {
            thread.join(PROGRESS_MILLIS);
            assertThat(thread.isAlive())
                    .as("%s: %s ends", name, thread.getName())
                    .isFalse();
        }
        requireNoFailure();
    }

    private void requireNoFailure() {
        for (RingMover mover : movers) {
            if (mover.failure() != null) {
                throw new AssertionError(name, mover.failure());
            }
        }
    }

    /**
     * Takes all tokens off the ring, once the movers have ended. Where some are missing it looks for branches once more, as managers do from time to time: one whose
     * prepare was on its way when its connection was lost may have been prepared after it was rolled back at another node.
     */
    public List<String> drain() throws JMSException, XAException {
        undecided = ring.rollBackUndecided();
        List<String> drained = new ArrayList<>(ring.drain(tokens.size()));
        if (drained.size() < tokens.size()) {
            late = ring.rollBackUndecided();
            drained.addAll(late > 0 ? ring.drain(tokens.size() - drained.size()) : List.of());
            drained.sort(null);
        }
        return drained;
    }

    /** All that there are, sorted. */
    public List<String> tokens() {
        return tokens;
    }

    @Override
    public String toString() {
        return String.format(
                "%,d moves, %d branches left undecided, and %d prepared later", ring.moves(), undecided, late);
    }

    @Override
    public void close() {
        stop.countDown();
    }
}
