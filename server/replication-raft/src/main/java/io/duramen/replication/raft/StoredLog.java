package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.LogEntry;
import io.duramen.log.EntryReader;
import io.duramen.log.LogConfig;
import io.duramen.log.ShardLog;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does with the shard log what the engine asks for. Confined to the agent; what is asked is answered inside {@link #poll}.
 *
 * <p>Where several nodes decide, an entry counts as stored once it is on disk: whoever has told that it has one, must have it
 * after the power comes back, or what the others acted on could be decided otherwise. Where one node alone decides, an entry
 * that need not be synced counts once it is written.
 */
final class StoredLog {
    private static final Logger LOG = LoggerFactory.getLogger(StoredLog.class);

    /** What is read ahead of the entry that was asked for. */
    private static final int READ_AHEAD_BYTES = 256 * 1024;

    private static final int READ_AHEAD_ENTRIES = 1024;

    private final ShardLog log;
    private final MembersFile members;
    private final Runnable beforeCut;
    private final BooleanSupplier holds;
    private final Consumer<IOException> onFailure;
    private final boolean interval;
    private final ArrayDeque<Append> appends = new ArrayDeque<>();
    private final List<Read> reads = new ArrayList<>();

    /** Who waits for an entry that is damaged, for as long as this replica may yet hand over or leave. */
    private final List<Held> held = new ArrayList<>();

    private boolean ends;
    private Cut cut;
    private IOException failure;
    private volatile long firstIndex = 1;
    private volatile long lastIndex;
    private volatile long readFrom = 1;
    private volatile boolean full;
    private boolean sealed;

    /** Entries up to {@code lastIndex} that wait to be {@code synced}, or written; answered by how many there are. */
    private record Append(long lastIndex, boolean synced, int count, CompletableFuture<Integer> answer) {}

    private record Cut(long lastIndexKept, CompletableFuture<Boolean> answer) {}

    private record Read(
            long index, EntryReader reader, List<LogEntry> found, CompletableFuture<List<LogEntry>> answer) {}

    private record Held(long index, IOException cause, CompletableFuture<List<LogEntry>> answer) {}

    /**
     * @param beforeCut lets go of what reads the log otherwise
     * @param holds whether who reads what cannot be read waits, as long as that holds or until {@link #letGo}, rather than that this
     *     replica stops
     * @param onFailure called before the engine is refused something: it takes an entry that it does not get for one of no epoch
     */
    StoredLog(
            ShardLog log,
            LogConfig config,
            MembersFile members,
            Runnable beforeCut,
            BooleanSupplier holds,
            Consumer<IOException> onFailure) {
        this.onFailure = onFailure;
        this.log = log;
        this.holds = holds;
        this.beforeCut = beforeCut;
        this.members = members;
        this.interval = config.sync() == LogConfig.Sync.INTERVAL;
    }

    /**
     * Once the log is open.
     *
     * @param unread the engine reads nothing up to this entry
     */
    void opened(long unread) {
        firstIndex = Math.max(log.firstWholeIndex(), unread + 1);
        readFrom = firstIndex;
        lastIndex = log.lastIndex();
    }

    /** Segments were released. */
    void released() {
        firstIndex = Math.max(firstIndex, log.firstWholeIndex());
    }

    /** The engine reads nothing before this entry any more, but for what it has begun to. From any thread. */
    void readFrom(long index) {
        readFrom = index;
    }

    long readFrom() {
        return readFrom;
    }

    /** From here on nothing is stored: another log takes the place of this one. */
    void seal() {
        sealed = true;
    }

    boolean isSealed() {
        return sealed;
    }

    /** Whether the disk had no room for a further segment when it was asked last; from any thread. */
    boolean isFull() {
        return full;
    }

    /** Whether the engine waits for entries from the disk, be they damaged: who waits is not told that they are gone. */
    boolean isReading() {
        return !reads.isEmpty() || !held.isEmpty();
    }

    /** Index of the oldest entry that the engine may read, behind which none is missing; from any thread. */
    long firstIndex() {
        return firstIndex;
    }

    /** Index of the last entry appended; from any thread. */
    long lastIndex() {
        return lastIndex;
    }

    /** Whether one node alone decides. */
    boolean isOfOne() {
        return members.last().isOne();
    }

    /** @throws IOException where something went wrong here */
    void requireSound() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** What went wrong here, beside what the log itself tells. */
    IOException failure() {
        return failure;
    }

    /** Appends entries behind the last one, and answers how many are stored then: all, or none. */
    void append(List<LogEntry> entries, CompletableFuture<Integer> answer) {
        if (sealed) {
            answer.complete(0);
            return;
        }
        boolean synced = !isOfOne();
        try {
            for (LogEntry entry : entries) {
                synced |= append(entry);
            }
        } catch (IOException | RuntimeException e) {
            fail("appending", e);
            answer.complete(0);
            return;
        }
        appends.add(new Append(lastIndex, synced && !interval, entries.size(), answer));
    }

    /** @return whether it must be on disk */
    private boolean append(LogEntry entry) throws IOException {
        long index = entry.getId().getIndex();
        long epoch = entry.getId().getTerm();
        if (index != log.lastIndex() + 1) {
            throw new IOException("entry " + index + " came where " + (log.lastIndex() + 1) + " was due");
        }
        if (EngineEntries.isConfiguration(entry)) {
            members.add(new MembersFile.Change(index, epoch, Members.of(entry)));
        }
        var payload = EngineEntries.payload(entry);
        log.append(payload, epoch);
        lastIndex = index;
        return io.duramen.log.EntryPayload.isSynced(payload);
    }

    /** Whether that entry stands here with that epoch, and the engine was not told to forget it. */
    boolean has(long index, long epoch) {
        if (sealed || isBroken() || index < Math.max(firstIndex, readFrom) || index > log.lastIndex()) {
            return false;
        }
        try {
            return log.epochOf(index) == epoch;
        } catch (IOException e) {
            fail("reading the epoch of entry " + index, e);
            return false;
        }
    }

    /** Answers the epoch of an entry, which is known though the entry is damaged, or something has failed here; 0 where it is not. */
    void epochOf(long index, CompletableFuture<Long> answer) {
        long epoch = 0;
        try {
            epoch = index < firstIndex || index > log.lastIndex() ? 0 : log.epochOf(index);
        } catch (IOException | RuntimeException e) {
            LOG.debug("Not even the epoch of entry {} can be read", index, e);
        }
        answer.complete(epoch);
    }

    /** Answers entries from that one on, at least one; an empty list where it is not there. */
    void read(long index, CompletableFuture<List<LogEntry>> answer) {
        if (index < firstIndex || index > log.lastIndex()) {
            answer.complete(List.of());
            return;
        }
        try {
            if (log.isCached(index)) {
                answer.complete(readCached(index));
            } else {
                reads.add(new Read(index, log.reader(index, uncachedUpTo(index)), new ArrayList<>(), answer));
            }
        } catch (IOException e) {
            if (!isBroken() && !ends && holds.getAsBoolean()) {
                held.add(new Held(index, e, answer));
                return;
            }
            fail("reading entry " + index, e);
            answer.complete(List.of());
        } catch (RuntimeException e) {
            fail("reading entry " + index, e);
            answer.complete(List.of());
        }
    }

    private List<LogEntry> readCached(long from) throws IOException {
        List<LogEntry> found = new ArrayList<>();
        int bytes = 0;
        for (long index = from;
                index <= log.lastIndex() && bytes < READ_AHEAD_BYTES && found.size() < READ_AHEAD_ENTRIES;
                index++) {
            LogEntry entry = EngineEntries.toEngine(log.uncommitted(index), members.first());
            bytes += entry.getData().remaining();
            found.add(entry);
        }
        return found;
    }

    /** Index of an entry at or behind this one, before the first in memory: all are written. */
    private long uncachedUpTo(long index) {
        long to = Math.min(log.lastIndex(), index + READ_AHEAD_ENTRIES);
        while (log.isCached(to)) {
            to--;
        }
        return to;
    }

    /** Takes back the entries behind the index, once nothing is on its way to the disk. */
    void cut(long lastIndexKept, CompletableFuture<Boolean> answer) {
        cut = new Cut(lastIndexKept, answer);
    }

    /** Moves what was asked along; returns how many things were done. */
    int poll() {
        if (full != log.isFull()) {
            full = !full;
        }
        int done = readHeldAnew() + answerAppends() + answerReads();
        // A reader would find another end of the log, or a file of another length.
        if (cut != null && (log.isIdle() && reads.isEmpty() || isBroken())) {
            Cut due = cut;
            cut = null;
            due.answer.complete(cut(due.lastIndexKept));
            done++;
        }
        return done;
    }

    private boolean cut(long lastIndexKept) {
        if (isBroken() || sealed) {
            return false;
        }
        try {
            LOG.info("Entries {} to {} are taken back: the group decided on others", lastIndexKept + 1, lastIndex);
            beforeCut.run();
            log.truncateSuffix(lastIndexKept);
            members.cut(lastIndexKept);
            lastIndex = log.lastIndex();
            return true;
        } catch (IOException | RuntimeException e) {
            fail("taking back the entries behind " + lastIndexKept, e);
            return false;
        }
    }

    private int answerAppends() {
        int done = 0;
        while (!appends.isEmpty() && (isBroken() || isStored(appends.peek()))) {
            Append append = appends.poll();
            append.answer.complete(isBroken() ? 0 : append.count);
            done++;
        }
        return done;
    }

    private boolean isStored(Append append) {
        return append.lastIndex <= (append.synced ? log.durableIndex() : log.writtenIndex());
    }

    private int answerReads() {
        int done = 0;
        for (Iterator<Read> all = reads.iterator(); all.hasNext(); ) {
            Read read = all.next();
            if (answer(read)) {
                all.remove();
                done++;
            }
        }
        return done;
    }

    private boolean answer(Read read) {
        try {
            read.reader.poll(entry -> {
                try {
                    read.found.add(EngineEntries.toEngine(entry, members.first()));
                } catch (IOException e) {
                    fail("reading entry " + entry.index(), e);
                }
            });
        } catch (RuntimeException e) {
            fail("reading", e);
        }
        if (read.reader.failure().isPresent() && read.found.isEmpty()) {
            if (!isBroken() && !ends && holds.getAsBoolean()) {
                read.reader.close();
                held.add(new Held(read.index, read.reader.failure().get(), read.answer));
                return true;
            }
            fail("reading", read.reader.failure().get());
        }
        if (read.found.isEmpty() && !isBroken()) {
            return false;
        }
        if (!isBroken()) {
            read.reader.close();
        }
        read.answer.complete(isBroken() ? List.of() : read.found);
        return true;
    }

    /** What was damaged is not any more, or nobody else has it: it is as if it were asked for now. */
    private int readHeldAnew() {
        if (held.isEmpty() || holds.getAsBoolean()) {
            return 0;
        }
        List<Held> asked = List.copyOf(held);
        held.clear();
        asked.forEach(one -> read(one.index, one.answer));
        return asked.size();
    }

    /**
     * The replica is about to end: who waits for what is damaged is refused, and nothing is stored or taken back from here on, since the
     * engine takes an entry that it does not get for another than the leader's.
     */
    void letGo() {
        ends = true;
        if (failure == null && !held.isEmpty()) {
            failed(held.get(0).cause);
        }
        held.forEach(one -> one.answer.complete(List.of()));
        held.clear();
    }

    private boolean isBroken() {
        return failure != null || log.failure().isPresent();
    }

    private void fail(String what, Exception cause) {
        LOG.error("The log of a replica stops: {} failed", what, cause);
        if (failure == null) {
            failed(new IOException(what + " failed: " + cause.getMessage(), cause));
        }
    }

    private void failed(IOException cause) {
        failure = cause;
        onFailure.accept(cause);
    }

    /** Answers whatever is asked as refused. */
    void stop() {
        if (failure == null) {
            failure = new IOException("the log was closed");
        }
        letGo();
        poll();
    }
}
