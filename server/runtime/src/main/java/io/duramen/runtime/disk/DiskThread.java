package io.duramen.runtime.disk;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.SpscUnboundedArrayQueue;

/**
 * Carries tasks out one after the other; sleeps only when none is left. {@link #submit} and {@link #finish} by the agent
 * alone.
 */
final class DiskThread {
    private final SpscUnboundedArrayQueue<DiskTask<?>> tasks = new SpscUnboundedArrayQueue<>(256);
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final Completions completions;
    private final Thread thread;
    private final DiskTask<Void> end = new DiskTask<>(null) {
        @Override
        Void carryOut() {
            return null;
        }
    };

    DiskThread(String name, Completions completions) {
        this.completions = completions;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    void submit(DiskTask<?> task) {
        tasks.offer(task);
        if (asleep.getAndSet(false)) {
            LockSupport.unpark(thread);
        }
    }

    /** Waits until everything submitted has been carried out and ends the thread; later tasks are never carried out. */
    void finish() {
        submit(end);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (true) {
            DiskTask<?> task = tasks.poll();
            if (task == end) {
                return;
            }
            if (task == null) {
                sleep();
            } else {
                task.run();
                DiskTask<?> next = tasks.peek();
                completions.add(task, next == null || !task.completesWith(next));
            }
        }
    }

    private void sleep() {
        asleep.set(true);
        if (tasks.isEmpty()) {
            LockSupport.park(this);
        }
        asleep.set(false);
    }
}
