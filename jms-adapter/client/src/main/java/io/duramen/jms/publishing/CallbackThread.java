package io.duramen.jms.publishing;

import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Any thread. The one thread of a connection that tells CompletionListeners and the ExceptionListener; started when it
 * first has something to tell, a daemon.
 */
public final class CallbackThread {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackThread.class);

    private final String name;

    // Guarded by this.
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private Thread thread;
    private boolean idle;
    private boolean closed;

    public CallbackThread(String name) {
        this.name = name;
    }

    /** Runs the task behind those before it; dropped once {@link #close closed}. */
    public synchronized void run(Runnable task) {
        if (closed) {
            return;
        }
        tasks.add(task);
        if (thread == null) {
            thread = new Thread(this::loop, name);
            thread.setDaemon(true);
            thread.start();
        } else if (idle) {
            notifyAll();
        }
    }

    public synchronized boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Ends the thread once it has run what it was given. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void loop() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.warn("A listener threw", e);
            }
        }
    }

    private synchronized Runnable next() {
        while (tasks.isEmpty()) {
            if (closed) {
                return null;
            }
            idle = true;
            try {
                wait();
            } catch (InterruptedException e) {
                LOG.debug("Interrupts of {} are ignored", name);
            } finally {
                idle = false;
            }
        }
        return tasks.poll();
    }
}
