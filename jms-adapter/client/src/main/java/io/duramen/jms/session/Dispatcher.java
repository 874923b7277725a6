package io.duramen.jms.session;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Thread-safe. Runs the listeners of one session on one thread, which starts with the first listener, or on one that an
 * application server lends. A consumer stands
 * in line once, however much has arrived for it, and is served many messages at a time.
 */
final class Dispatcher {
    /** Something that has listeners to call; on the dispatcher's thread. */
    interface Source {
        /**
         * Calls its listener for what has arrived, for a while.
         *
         * @param mayGoOn asked before each message
         * @return whether more may have arrived
         */
        boolean dispatch(BooleanSupplier mayGoOn);
    }

    private final String name;
    /** Held while listeners run. */
    private final Object serving = new Object();

    private final AtomicInteger waitingForListeners = new AtomicInteger();
    /** The calling thread of {@link #runListeners}. */
    private volatile Thread lent;

    // Guarded by this, but read without it between messages.
    private volatile boolean running;
    private volatile boolean closed;
    // Guarded by this.
    private final ArrayDeque<Source> line = new ArrayDeque<>();
    private Thread thread;
    private boolean idle;

    Dispatcher(String name) {
        this.name = name;
    }

    /** The source may have something. Cheap where it stands in line already. */
    synchronized void signal(Source source) {
        if (closed || line.contains(source)) {
            return;
        }
        line.add(source);
        if (thread == null) {
            thread = new Thread(this::loop, name);
            thread.setDaemon(false);
            thread.start();
        } else if (idle) {
            notifyAll();
        }
    }

    /** Whether the current thread is the one that runs listeners. */
    boolean isCurrent() {
        return Thread.currentThread() == lent || isOwnThread();
    }

    private synchronized boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    /** Runs listeners on the calling thread, while no others run. */
    void runListeners(Runnable listeners) {
        synchronized (serving) {
            lent = Thread.currentThread();
            try {
                listeners.run();
            } finally {
                lent = null;
            }
        }
    }

    synchronized void start() {
        running = true;
        notifyAll();
    }

    /** Returns once no listener runs. */
    void stop() {
        running = false;
        awaitListeners();
    }

    /** Returns once no listener runs and none will; from a listener, at once. */
    void close() {
        synchronized (this) {
            closed = true;
            running = false;
            line.clear();
            notifyAll();
        }
        awaitListeners();
    }

    /** Returns once the listener that runs now, if any, has returned; from a listener, at once. */
    void awaitListeners() {
        if (isCurrent()) {
            return;
        }
        waitingForListeners.incrementAndGet();
        synchronized (serving) {
            waitingForListeners.decrementAndGet(); // to have come in is all that is wanted
        }
    }

    private void loop() {
        for (Source source = next(); source != null; source = next()) {
            boolean more;
            synchronized (serving) {
                more = source.dispatch(this::mayGoOn);
            }
            if (more) {
                signal(source);
            }
        }
    }

    private boolean mayGoOn() {
        return running && waitingForListeners.get() == 0;
    }

    private synchronized Source next() {
        while (!closed && (!running || line.isEmpty())) {
            idle = true;
            try {
                wait();
            } catch (InterruptedException e) {
                // Listener threads end by close() alone; an interrupt meant a listener that has returned.
                continue;
            } finally {
                idle = false;
            }
        }
        return closed ? null : line.poll();
    }
}
