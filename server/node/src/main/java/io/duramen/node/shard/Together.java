package io.duramen.node.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the same with several shards at once, each on a thread of its own: each may wait for its disk, or for other nodes. */
final class Together {
    private static final Logger LOG = LoggerFactory.getLogger(Together.class);

    private Together() {}

    /** Returns once all of it is done; what one throws is logged, and does not keep the rest from being done. */
    static <T> void run(List<T> each, Consumer<? super T> work) {
        if (each.size() == 1) {
            attempt(each.get(0), work);
            return;
        }
        List<Thread> threads = new ArrayList<>();
        for (T one : each) {
            Thread thread = new Thread(() -> attempt(one, work), "duramen-succession-" + threads.size());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true; // Half of it done would be worse.
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> void attempt(T one, Consumer<? super T> work) {
        try {
            work.accept(one);
        } catch (RuntimeException | Error e) {
            LOG.error("A shard does not begin or end as it should", e);
        }
    }
}
