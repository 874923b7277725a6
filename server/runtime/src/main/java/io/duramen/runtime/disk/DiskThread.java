package io.duramen.runtime.disk;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jctools.queues.SpscUnboundedArrayQueue;

/**
 * Carries tasks out one after the other; sleeps only when none is left. {@link #submit} and {@link #finish} by the agent
 * alone.
 *
 * <p>While this thread sleeps the agent carries a short write out itself, and, where it has nothing else to do, a short
 * sync: two wake-ups less, which cost more than a fast disk does. How long they lately took tells whether the disk is fast.
 *
 * <p>While this thread syncs and nothing else waits for it, the agent carries a write out itself: what is written is safe
 * from the death of the process, however long the disk takes.
 */
final class DiskThread {
    /** Writes and syncs whose time is averaged. */
    private static final int AVERAGED = 8;

    /** What more than this is written to is not synced in a moment. */
    private static final long SHORT_BYTES = 128 * 1024;

    /** Copying so little to the page cache takes no longer than waking another thread. */
    private static final int SHORT_WRITE_BYTES = 32 * 1024;

    private final SpscUnboundedArrayQueue<DiskTask<?>> tasks = new SpscUnboundedArrayQueue<>(256);
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final Completions completions;
    private final Thread thread;
    // The agent's.
    private BooleanSupplier submitterIsIdle = () -> false;
    private long shortNanos;
    private long unsyncedBytes;

    private volatile boolean syncing;

    // Of whoever carries tasks out, one thread at a time, handed over with the tasks and with asleep.
    private SyncTimes syncTimes = new SyncTimes();
    private long syncNanos = TimeUnit.MILLISECONDS.toNanos(2);
    private long writeNanos;
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

    /**
     * Says when the agent would only wait for what it submits.
     *
     * @param shortSyncNanos the disk is fast while its syncs take no longer than this, on average of the last few, and
     *     writes of little no longer than a quarter of it
     */
    void lendItself(BooleanSupplier agentIsIdle, long shortSyncNanos) {
        submitterIsIdle = agentIsIdle;
        shortNanos = shortSyncNanos;
    }

    /** Has its syncs counted there from now on; before the first one. */
    void countSyncs(SyncTimes times) {
        syncTimes = times;
    }

    void submit(DiskTask<?> task) {
        count(task);
        if (tasks.isEmpty() && asleep.get() && isShort(task)) {
            carryOut(task);
            completions.add(task, false);
        } else if (task instanceof WriteTask && syncing && tasks.isEmpty()) {
            task.run();
            completions.add(task, false);
        } else {
            tasks.offer(task);
            if (asleep.getAndSet(false)) {
                LockSupport.unpark(thread);
            }
        }
    }

    private void count(DiskTask<?> task) {
        if (task instanceof WriteTask write) {
            unsyncedBytes += write.bytes();
        } else if (task instanceof SyncTask sync) {
            sync.covers(unsyncedBytes);
            unsyncedBytes = 0;
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
                carryOut(task);
                DiskTask<?> next = tasks.peek();
                completions.add(task, next == null || !task.completesWith(next));
            }
        }
    }

    private boolean isShort(DiskTask<?> task) {
        if (task instanceof WriteTask write) {
            return write.bytes() < SHORT_WRITE_BYTES && writeNanos < shortNanos / 4;
        }
        return task instanceof SyncTask sync
                && sync.bytes() < SHORT_BYTES
                && syncNanos < shortNanos
                && submitterIsIdle.getAsBoolean();
    }

    private void carryOut(DiskTask<?> task) {
        long began = System.nanoTime();
        if (task instanceof SyncTask sync) {
            syncing = true;
            task.run();
            syncing = false;
            long took = System.nanoTime() - began;
            syncTimes.took(took);
            if (sync.bytes() < SHORT_BYTES) {
                syncNanos += (took - syncNanos) / AVERAGED;
            }
        } else if (task instanceof WriteTask write) {
            task.run();
            if (write.bytes() < SHORT_WRITE_BYTES) {
                writeNanos += (System.nanoTime() - began - writeNanos) / AVERAGED;
            }
        } else {
            task.run();
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
