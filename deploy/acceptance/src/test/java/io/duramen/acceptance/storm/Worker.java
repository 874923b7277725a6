package io.duramen.acceptance.storm;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One client with one connection, on a thread of its own. The client reconnects by itself; where a call fails all the
 * same, that is noted and the worker opens a new connection.
 */
abstract class Worker {
    private static final long PAUSE_MILLIS = 100;

    private final String name;
    private final Field field;
    private final CountDownLatch stop;
    private final SplittableRandom random;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    /** @param stop what this worker ends at */
    Worker(String name, Field field, CountDownLatch stop, SplittableRandom random) {
        this.name = name;
        this.field = field;
        this.stop = stop;
        this.random = random;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Works with a connection until {@link #isStopped} or a call fails. */
    abstract void work(Connection connection) throws JMSException, InterruptedException;

    /** Before the connection is used for the first time. */
    void prepare(Connection connection) throws JMSException {}

    final Worker start() {
        thread.start();
        return this;
    }

    /** Waits for the thread to end; says where it is stuck if it does not, and what broke it if something did. */
    final void awaitEnd(long seconds) throws InterruptedException {
        thread.join(TimeUnit.SECONDS.toMillis(seconds));
        if (thread.isAlive()) {
            AssertionError stuck = new AssertionError(name + " is stuck");
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        }
        if (failure.get() != null) {
            throw new AssertionError(name + " broke", failure.get());
        }
    }

    private void run() {
        try {
            while (!isStopped()) {
                try (Connection connection = field.factory().createConnection()) {
                    prepare(connection);
                    connection.start();
                    work(connection);
                } catch (JMSException | JMSRuntimeException e) {
                    field.history().disturbed(name.replaceAll("[0-9]", "") + ": " + e);
                    stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure.set(e);
        }
    }

    final boolean isStopped() {
        return stop.getCount() == 0;
    }

    final String name() {
        return name;
    }

    final Field field() {
        return field;
    }

    final SplittableRandom random() {
        return random;
    }
}
