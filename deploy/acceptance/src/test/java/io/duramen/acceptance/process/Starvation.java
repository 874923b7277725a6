package io.duramen.acceptance.process;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Leaves a node a fifth of its time: it is halted (SIGSTOP) four times as long as it runs in between, in turns of different length.
 * {@link #close} has it go on.
 */
public final class Starvation implements AutoCloseable {
    private static final int RUNS_ONE_IN = 5;
    private static final long END_SECONDS = 10;

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private final ServerProcess node;
    private final Duration turnMax;
    private final SplittableRandom random;
    private boolean over;
    private ScheduledFuture<?> next;
    private RuntimeException failure;

    private Starvation(ServerProcess node, Duration turnMax, long seed) {
        this.node = node;
        this.turnMax = turnMax;
        this.random = new SplittableRandom(seed);
    }

    /** @param turnMax longest time from one halt to the next */
    public static Starvation of(ServerProcess node, Duration turnMax, long seed) {
        Starvation begun = new Starvation(node, turnMax, seed);
        begun.executor.execute(begun::halt);
        return begun;
    }

    private void halt() {
        long turnMillis = random.nextLong(turnMax.toMillis() / 10, turnMax.toMillis());
        signal(true);
        after(turnMillis - turnMillis / RUNS_ONE_IN, () -> {
            signal(false);
            after(turnMillis / RUNS_ONE_IN, this::halt);
        });
    }

    private synchronized void signal(boolean halts) {
        try {
            if (halts && !over) {
                node.halt();
            } else {
                node.goOn();
            }
        } catch (Exception e) {
            failure = new IllegalStateException(e);
        }
    }

    private synchronized void after(long millis, Runnable step) {
        if (!over) {
            next = executor.schedule(step, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Waits so long while it starves. */
    public void last(Duration time) throws InterruptedException {
        try {
            executor.schedule(() -> {}, time.toMillis(), TimeUnit.MILLISECONDS)
                    .get(time.toMillis() + TimeUnit.SECONDS.toMillis(END_SECONDS), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** It goes on. */
    @Override
    public synchronized void close() {
        if (over) {
            return;
        }
        over = true;
        if (next != null) {
            next.cancel(false);
        }
        executor.shutdownNow();
        signal(false);
        if (failure != null) {
            throw failure;
        }
    }
}
