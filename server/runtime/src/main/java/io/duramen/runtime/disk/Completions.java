package io.duramen.runtime.disk;

import org.jctools.queues.MpscUnboundedArrayQueue;

/** What has been carried out and waits for the agent. {@link #add} from any disk thread; {@link #poll} by the agent. */
final class Completions {
    private final MpscUnboundedArrayQueue<DiskTask<?>> carriedOut = new MpscUnboundedArrayQueue<>(256);
    private volatile Runnable wake = () -> {};

    void onDue(Runnable newWake) {
        wake = newWake;
    }

    void add(DiskTask<?> task, boolean wakeAgent) {
        carriedOut.offer(task);
        if (wakeAgent) {
            wake.run();
        }
    }

    int poll() {
        int completed = 0;
        for (DiskTask<?> task = carriedOut.poll(); task != null; task = carriedOut.poll()) {
            task.complete();
            completed++;
        }
        return completed;
    }
}
