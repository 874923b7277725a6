package io.duramen.replication.raft;

import com.alipay.sofa.jraft.rpc.RpcClient;
import io.duramen.log.EntryBuffer;
import io.duramen.log.LogConfig;
import io.duramen.log.LogRecord;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import io.duramen.runtime.settings.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/** A log under test, and what it told. Confined to the test's thread, which is its agent. */
final class Replica implements ReplicatedLog.Listener, AutoCloseable {
    static final LogConfig CONFIG = LogConfig.defaults()
            .withSegmentSize(new Bytes(64 * 1024))
            .withReserve(new Bytes(4096))
            .withCacheSize(new Bytes(64 * 1024));

    final RaftLog log;
    final List<Long> indexes = new ArrayList<>();
    final List<Integer> bodies = new ArrayList<>();
    final List<Long> epochs = new ArrayList<>();

    /** Where each body stood. */
    final Map<Long, Integer> bodyAt = new HashMap<>();

    long epoch;
    long durable;
    long ended;
    boolean replaced;
    Optional<IOException> stopped = Optional.empty();

    /** Whom it knows as members. */
    final Roster roster;

    /** Of each partition: the offset from which on its messages are needed. */
    IntToLongFunction neededFrom = partition -> Long.MAX_VALUE;

    private final ReplicaFiles files;
    private long appliedIndex;
    private long imageIndex;

    private Replica(RaftLog log, RaftReplica.Place place) {
        this.log = log;
        this.files = place.files();
        this.roster = place.roster();
    }

    static Replica open(RaftConfig config, Path directory, RpcClient client, LogConfig logConfig, long applied)
            throws IOException {
        return open(
                new RaftReplica.Place(config, new ReplicaFiles(directory), client, new LoanDesk()),
                new SystemClock(),
                logConfig,
                applied);
    }

    /** With what was copied, and from the image where there is one. */
    static Replica openAsItStands(RaftReplica.Place place, Clock clock) throws IOException {
        return openAsItStands(place, clock, Long.MAX_VALUE);
    }

    /** @param quotaBytes of its disk */
    static Replica openAsItStands(RaftReplica.Place place, Clock clock, long quotaBytes) throws IOException {
        place.files().settle();
        Files.createDirectories(place.files().log());
        return open(place, new FileDisk(place.files().log(), quotaBytes), clock, CONFIG, 0);
    }

    private static Replica open(RaftReplica.Place place, Clock clock, LogConfig logConfig, long applied)
            throws IOException {
        Files.createDirectories(place.files().log());
        return open(place, new FileDisk(place.files().log()), clock, logConfig, applied);
    }

    private static Replica open(RaftReplica.Place place, FileDisk disk, Clock clock, LogConfig logConfig, long applied)
            throws IOException {
        RaftLog log = new RaftLog(disk, clock, logConfig, 7, place);
        Replica replica = new Replica(log, place);
        replica.appliedIndex = applied;
        try {
            replica.loadImage();
            log.start(replica.appliedIndex, replica);
        } catch (IOException e) {
            log.close();
            throw e;
        }
        return replica;
    }

    /** The state, which is the bodies, as of the entry that was committed last. */
    private void loadImage() throws IOException {
        Path image = files.image().resolve("image-0");
        if (!Files.exists(image)) {
            return;
        }
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(image));
        appliedIndex = content.getLong();
        imageIndex = appliedIndex;
        while (content.hasRemaining()) {
            bodies.add(content.getInt());
        }
    }

    /** Stores the state, and has the log let go of what is in it. */
    void storeImage() throws IOException {
        writeImage();
        release();
    }

    /** Stores the state, and tells the log nothing. */
    void writeImage() throws IOException {
        Files.createDirectories(files.image());
        ByteBuffer content = ByteBuffer.allocate(8 + 4 * bodies.size()).putLong(appliedIndex);
        bodies.forEach(content::putInt);
        Path image = files.image().resolve("image-0");
        Path unfinished = files.image().resolve("unfinished");
        Files.write(unfinished, content.array());
        Files.move(unfinished, image, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        imageIndex = appliedIndex;
    }

    /** Has the log let go of what is in the image. */
    void release() {
        log.release(imageIndex, neededFrom);
    }

    /** Of the entry up to which the state is in the image. */
    long imageIndex() {
        return imageIndex;
    }

    /** An entry of one record, whose body begins with the number; returns its index. */
    long append(int number, int length, boolean synced) {
        EntryBuffer entry = log.newEntry();
        entry.addControl((byte) 9, ByteBuffer.allocate(length).putInt(0, number));
        return log.append(entry, synced ? ReplicatedLog.Durability.SYNCED : ReplicatedLog.Durability.WRITTEN);
    }

    /** An entry of one batch of one message. */
    void appendMessage(int partition, long offset, ByteBuffer batch) {
        EntryBuffer entry = log.newEntry();
        entry.addMessages(partition, offset, 1, batch);
        log.append(entry, ReplicatedLog.Durability.SYNCED);
    }

    boolean leads() {
        return log.isWritable();
    }

    @Override
    public void onCommitted(CommittedEntry entry) {
        appliedIndex = entry.index();
        indexes.add(entry.index());
        epochs.add(entry.epoch());
        LogRecord.forEach(entry.records(), entry.count(), (type, partition, offset, count, body) -> {
            if (type != LogRecord.TYPE_MESSAGES) {
                bodies.add(body.getInt(0));
                bodyAt.put(entry.index(), body.getInt(0));
            }
        });
    }

    @Override
    public void onDurable(long index) {
        durable = index;
    }

    @Override
    public void onLeading(long newEpoch) {
        epoch = newEpoch;
        ended = 0;
    }

    @Override
    public void onFollowing(long endedEpoch) {
        ended = endedEpoch;
    }

    @Override
    public void onReplaced() {
        replaced = true;
    }

    @Override
    public void onStopped(IOException cause) {
        stopped = Optional.of(cause);
    }

    @Override
    public String toString() {
        return "[epoch " + epoch + (leads() ? ", leads" : "") + ", ended " + ended + ", " + bodies.size() + " bodies, "
                + log.status() + stopped.map(cause -> ", stopped: " + cause).orElse("") + "]";
    }

    @Override
    public void close() {
        log.close();
    }
}
