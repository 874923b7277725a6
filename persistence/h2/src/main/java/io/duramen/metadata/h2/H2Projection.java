package io.duramen.metadata.h2;

import io.duramen.metadata.Projection;
import io.duramen.metadata.ShardChanges;
import io.duramen.metadata.ShardImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A projection in an H2 database. Used by one shard's agent, others have {@link #another}; a thread of its own does the database's work, from the moment
 * on at which this is made: whoever is slow to start can start meanwhile.
 */
public final class H2Projection implements Projection {
    private static final Logger LOG = LoggerFactory.getLogger(H2Projection.class);

    private static final int CLOSE_SECONDS_MAX = 30;

    private final MetadataDatabase database;
    private final ExecutorService worker;

    /** How many have the database and are not closed. */
    private final AtomicInteger users;

    private final ConcurrentLinkedQueue<Runnable> due = new ConcurrentLinkedQueue<>();
    private volatile Runnable wake = () -> {};

    /**
     * @param directory of the database alone; made where it is absent
     * @param password of the database; one that does not fit makes a new database
     */
    public H2Projection(Path directory, String password) {
        database = new MetadataDatabase(directory, password);
        worker = Executors.newSingleThreadExecutor(work -> daemon(work));
        users = new AtomicInteger(1);
        worker.execute(this::openEarly);
    }

    private H2Projection(H2Projection other) {
        database = other.database;
        worker = other.worker;
        users = other.users;
        users.incrementAndGet();
    }

    /** The same database for another shard's agent; the last of them to be closed closes it. */
    public H2Projection another() {
        return new H2Projection(this);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "metadata");
        thread.setDaemon(true);
        return thread;
    }

    private void openEarly() {
        try {
            database.open();
        } catch (IOException | RuntimeException e) {
            LOG.debug("The metadata store is not open yet", e);
        }
    }

    @Override
    public Optional<ShardImage> load(int shard) {
        try {
            return worker.submit(() -> database.load(shard)).get();
        } catch (ExecutionException e) {
            LOG.warn(
                    "The state of shard {} is taken from the log, which takes longer; the metadata store is tried again"
                            + " later: {}",
                    shard,
                    e.getCause().getMessage());
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void store(ShardChanges changes, Consumer<Optional<IOException>> done) {
        worker.execute(() -> {
            Optional<IOException> failure = failureOf(changes);
            complete(() -> done.accept(failure));
        });
    }

    private Optional<IOException> failureOf(ShardChanges changes) {
        try {
            database.store(changes);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        } catch (RuntimeException | Error e) {
            return Optional.of(failure(e));
        }
    }

    /** An error, such as memory that runs out, is told of, too: who is not answered would wait for ever. */
    private static IOException failure(Throwable cause) {
        return new IOException(cause.toString(), cause);
    }

    @Override
    public <T> void read(int shard, Function<ShardImage, T> use, Reading<T> done) {
        worker.execute(() -> {
            try {
                T result = use.apply(database.stateOf(shard));
                complete(() -> done.succeeded(result));
            } catch (IOException e) {
                complete(() -> done.failed(e));
            } catch (RuntimeException | Error e) {
                complete(() -> done.failed(failure(e)));
            }
        });
    }

    private void complete(Runnable completion) {
        due.add(completion);
        wake.run();
    }

    @Override
    public int poll() {
        int done = 0;
        for (Runnable completion = due.poll(); completion != null; completion = due.poll()) {
            completion.run();
            done++;
        }
        return done;
    }

    @Override
    public void onDue(Runnable toWake) {
        wake = toWake;
    }

    @Override
    public void close() {
        if (users.decrementAndGet() > 0) {
            awaitWorker();
            return;
        }
        worker.execute(database::close);
        worker.shutdown();
        awaitEnd();
    }

    /** What was handed in is done when this returns. */
    private void awaitWorker() {
        try {
            worker.submit(() -> {}).get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The metadata store has not done its work within {} s", CLOSE_SECONDS_MAX, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnd() {
        try {
            if (!worker.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn(
                        "The metadata store has not closed within {} s and is left alone; the next start may have to"
                                + " rebuild it",
                        CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
