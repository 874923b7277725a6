package io.duramen.replication.raft;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import com.alipay.sofa.jraft.util.Endpoint;
import io.duramen.log.EntryReader;
import io.duramen.log.LogConfig;
import io.duramen.log.ShardLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies log and image of a replica that leads into {@link ReplicaFiles#arriving}, at a bounded rate, and checks every entry by its
 * checksum. Used by one thread, which it blocks; {@link #cancel} from any.
 */
final class Copy {
    private static final Logger LOG = LoggerFactory.getLogger(Copy.class);
    private static final int TIMEOUT_MILLIS = 20_000;

    private final RpcClient client;
    private final Source source;
    private final ReplicaFiles files;
    private final LogConfig config;
    private final long bytesPerSecond;
    private volatile boolean cancelled;
    private BooleanSupplier givenUp = () -> false;
    private long copiedBytes;
    private long beganNanos;

    /**
     * Whom to ask. As text {@code HOST:PORT/NUMBER/EPOCH}.
     *
     * @param lender number under which it lends
     * @param epoch in which it leads
     */
    record Source(Endpoint endpoint, long lender, long epoch) {
        @Override
        public String toString() {
            return endpoint + "/" + lender + "/" + epoch;
        }

        /** @throws IOException where that is no such text */
        static Source of(String text) throws IOException {
            String[] parts = text.split("/");
            int colon = parts[0].lastIndexOf(':');
            try {
                return new Source(
                        new Endpoint(parts[0].substring(0, colon), Integer.parseInt(parts[0].substring(colon + 1))),
                        Long.parseLong(parts[1]),
                        Long.parseLong(parts[2]));
            } catch (RuntimeException e) {
                throw new IOException("'" + text + "' names no replica that lends", e);
            }
        }
    }

    /** What a copy of a log ends with. */
    record End(long index, long epoch) {}

    /** What was copied is not as it was written: the one that lends has a damaged log, if nothing happened on the way. */
    static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1;

        DamagedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** @param bytesPerSecond at which it is copied, at most */
    Copy(RpcClient client, Source source, ReplicaFiles files, LogConfig config, long bytesPerSecond) {
        this.client = client;
        this.source = source;
        this.files = files;
        this.config = config;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Ends {@link #run} soon, by an exception. */
    void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /**
     * Copies; everything is on disk afterwards.
     *
     * @throws IOException where that cannot be; what was copied is of no use then
     */
    End run() throws IOException, InterruptedException {
        return run(LoanDesk.BEGIN);
    }

    /**
     * As {@link #run()}, of one that a majority follows then.
     *
     * @param unwanted whether it is to end soon, by an exception; asked again and again
     */
    End runConfirmed(BooleanSupplier unwanted) throws IOException, InterruptedException {
        givenUp = unwanted;
        return run(LoanDesk.BEGIN_CONFIRMED);
    }

    private End run(String begin) throws IOException, InterruptedException {
        ReplicaFiles.deleteAll(files.arriving());
        Files.createDirectories(files.arriving().resolve("log"));
        Files.createDirectories(files.arriving().resolve("image"));
        beganNanos = System.nanoTime();
        Listing listing = Listing.decode(ask(source.lender(), begin, source.epoch(), 0));
        LOG.info(
                "Copying the log up to entry {} and the image beside it from {}: {} files, {} bytes",
                listing.lastIndex(),
                source.endpoint(),
                listing.items().size(),
                listing.items().stream().mapToLong(Listing.Item::length).sum());
        for (Listing.Item item : listing.items()) {
            copy(listing.loan(), item);
        }
        ask(listing.loan(), LoanDesk.END, 0, 0);
        ReplicaFiles.sync(files.arriving().resolve("log"));
        ReplicaFiles.sync(files.arriving().resolve("image"));
        End end = check(listing.firstIndex());
        if (end.index() < listing.lastIndex()) {
            throw new IOException("the copy ends with entry " + end.index() + ", not with " + listing.lastIndex());
        }
        LOG.info(
                "Copied {} bytes in {} ms; the log ends with entry {} of epoch {}",
                copiedBytes,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos),
                end.index(),
                end.epoch());
        return end;
    }

    private void copy(long loan, Listing.Item item) throws IOException, InterruptedException {
        Path to = files.arriving().resolve(item.name());
        try (FileChannel channel = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long at = 0; at < item.length(); ) {
                keepRate();
                ByteBuffer bytes = ask(loan, item.name(), at, Math.min(Loan.CHUNK_BYTES, item.length() - at));
                at += bytes.remaining();
                copiedBytes += bytes.remaining();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            channel.force(true);
        }
    }

    private void keepRate() throws IOException {
        long dueNanos = beganNanos + (long) ((double) copiedBytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1));
        for (long left = dueNanos - System.nanoTime(); left > 0 && !cancelled; left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        requireWanted();
    }

    private boolean isUnwanted() {
        return cancelled || givenUp.getAsBoolean() || Thread.currentThread().isInterrupted();
    }

    private void requireWanted() throws IOException {
        if (isUnwanted()) {
            throw new IOException("the copy was given up");
        }
    }

    private ByteBuffer ask(long number, String name, long offset, long count) throws IOException, InterruptedException {
        requireWanted();
        GetFileRequest request = GetFileRequest.newBuilder()
                .setReaderId(number)
                .setFilename(name)
                .setOffset(offset)
                .setCount(count)
                .build();
        Object answer;
        try {
            answer = client.invokeSync(source.endpoint(), request, null, TIMEOUT_MILLIS);
        } catch (RemotingException e) {
            throw new IOException("asking " + source.endpoint() + " for files failed: " + e.getMessage(), e);
        }
        if (answer instanceof ErrorResponse refusal) {
            throw new IOException(source.endpoint() + " lends nothing: " + refusal.getErrorMsg());
        }
        ByteBuffer data = ((GetFileResponse) answer).getData().asReadOnlyByteBuffer();
        if (count > 0 && data.remaining() != count) {
            throw new IOException(data.remaining() + " bytes of " + name + " where " + count + " were asked for");
        }
        return data;
    }

    /** Opens it as after a crash, and reads it through from where no entry is missing. */
    private End check(long firstIndex) throws IOException {
        FileDisk disk = new FileDisk(files.arriving().resolve("log"));
        ShardLog log = new ShardLog(disk, new SystemClock(), config, 0);
        try {
            log.openUncommitted(firstIndex - 1);
            if (log.firstIndex() < firstIndex) {
                checkAll(log);
            }
            EntryReader reader = log.reader(firstIndex);
            while (!reader.isDone() && reader.failure().isEmpty()) {
                requireWanted();
                if (reader.poll(entry -> {}) == 0) {
                    disk.awaitDue();
                    disk.poll();
                }
            }
            if (reader.failure().isPresent()) {
                throw damaged(reader.failure().get());
            }
            return new End(log.lastIndex(), log.lastEpoch());
        } catch (RuntimeException e) {
            throw damaged(e);
        } finally {
            log.close();
        }
    }

    /** What stands before the first entry behind which none is missing cannot be read from one to the next. */
    private void checkAll(ShardLog log) throws IOException {
        var damage = log.scrubAtOnce(this::isUnwanted);
        requireWanted();
        if (damage.isPresent()) {
            throw damaged(new IOException(damage.get().toString()));
        }
    }

    private static DamagedException damaged(Exception cause) {
        return new DamagedException("the copy is damaged: " + cause.getMessage(), cause);
    }
}
