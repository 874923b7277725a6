package io.duramen.ra.inbound;

import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkManager;
import java.util.Timer;
import java.util.TimerTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Thread-safe. Threads and a timer of the application server's. */
public final class ServerThreads {
    private static final Logger LOG = LoggerFactory.getLogger(ServerThreads.class);
    private static final long BUSY_MILLIS = 1_000;

    private final WorkManager works;
    private final Timer timer;

    public ServerThreads(WorkManager works, Timer timer) {
        this.works = works;
        this.timer = timer;
    }

    private record Task(Runnable action) implements Work {
        @Override
        public void run() {
            action.run();
        }

        /** It ends by itself before long. */
        @Override
        public void release() {}
    }

    /** Soon, on a thread of the server. While that has none, it is asked again. */
    void run(Runnable action) {
        try {
            works.scheduleWork(new Task(action));
        } catch (WorkException e) {
            LOG.debug("The application server has no thread at the moment", e);
            runLater(BUSY_MILLIS, action);
        }
    }

    /** No sooner than then, on a thread of the server; not at all once it stops. */
    void runLater(long millis, Runnable action) {
        try {
            timer.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            ServerThreads.this.run(action);
                        }
                    },
                    millis);
        } catch (IllegalStateException e) {
            LOG.debug("The resource adapter has stopped", e);
        }
    }

    public void stop() {
        timer.cancel();
    }
}
