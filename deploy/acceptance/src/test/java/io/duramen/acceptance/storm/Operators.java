package io.duramen.acceptance.storm;

import io.duramen.acceptance.history.Register;
import io.duramen.acceptance.history.Report;
import io.duramen.acceptance.process.Administration;
import io.duramen.acceptance.process.ClusterProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Two operators: one raises a setting of a queue again and again, and both ask what it is, whichever node answers. Used by the thread that
 * runs the storm; the operators have theirs.
 */
final class Operators implements Company {
    private static final String QUEUE = "storm.register";
    private static final String SETTING = "max-messages";
    private static final long PAUSE_MILLIS = 250;
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final ClusterProcess cluster;
    private final Register register = new Register();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();

    Operators(ClusterProcess cluster) {
        this.cluster = cluster;
    }

    /** What an operator does over and over. */
    private interface Habit {
        void once(Administration administration, long turn);
    }

    @Override
    public void start() {
        try (Administration administration = new Administration(cluster)) {
            if (!administration.hasMadeQueue(QUEUE)) {
                throw new IllegalStateException("no node has made " + QUEUE);
            }
        }
        start("raising-operator", (administration, turn) -> {
            Register.Write write = register.writing(turn, System.nanoTime());
            if (administration.hasChanged(QUEUE, SETTING, turn)) {
                write.done(System.nanoTime());
            }
            read(administration);
        });
        start("reading-operator", (administration, turn) -> read(administration));
    }

    private void read(Administration administration) {
        long beganNanos = System.nanoTime();
        administration.setting(QUEUE, SETTING).ifPresent(value -> register.read(value, beganNanos, System.nanoTime()));
    }

    private void start(String name, Habit habit) {
        Thread thread = new Thread(() -> work(habit), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void work(Habit habit) {
        try (Administration administration = new Administration(cluster)) {
            for (long turn = 1; !stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS); turn++) {
                habit.once(administration, turn);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure.set(e);
        }
    }

    @Override
    public void stop() throws InterruptedException {
        stop.countDown();
        for (Thread thread : threads) {
            thread.join(PATIENCE_MILLIS);
            if (thread.isAlive()) {
                AssertionError stuck = new AssertionError(thread.getName() + " is stuck");
                stuck.setStackTrace(thread.getStackTrace());
                throw stuck;
            }
        }
        if (failure.get() != null) {
            throw new AssertionError("an operator broke", failure.get());
        }
    }

    @Override
    public void judge(Report report) {
        report.fact(String.format("setting raised %,d times, read %,d times", register.written(), register.answers()));
        register.violations().forEach(found -> report.violated(Report.Promise.BACK_IN_TIME, found));
    }

    @Override
    public void close() {
        stop.countDown();
    }
}
