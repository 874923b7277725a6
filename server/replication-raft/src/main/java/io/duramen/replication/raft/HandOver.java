package io.duramen.replication.raft;

import io.duramen.log.EntryReader;
import io.duramen.log.LogEntry;
import io.duramen.log.ShardLog;
import java.io.IOException;
import java.util.function.Consumer;

/** Hands over what is committed, in order: from memory, or else as it stands on the disk. Confined to the agent. */
final class HandOver {
    private static final int HANDED_OVER_MAX = 256;

    private final ShardLog log;
    private final Consumer<LogEntry> to;
    private EntryReader replay;
    private long committedIndex;
    private long checkedIndex;
    private boolean waits;

    /** @param to called once {@link #committedIndex} is that of the entry */
    HandOver(ShardLog log, Consumer<LogEntry> to) {
        this.log = log;
        this.to = to;
    }

    /** What is up to there was handed over before. */
    void begin(long appliedIndex) {
        committedIndex = appliedIndex;
    }

    /** Index of the entry that was handed over last. */
    long committedIndex() {
        return committedIndex;
    }

    /**
     * Hands over some of what is up to an entry, once that stands here with that epoch.
     *
     * @return false where that has to be gone on with later
     * @throws IOException where what is committed cannot be read
     */
    boolean upTo(long index, long ofEpoch) throws IOException {
        if (index <= committedIndex) {
            return true;
        }
        if (log.lastIndex() < index || checkedIndex < index && log.epochOf(index) != ofEpoch) {
            return false;
        }
        checkedIndex = Math.max(checkedIndex, index);
        for (int i = 0; i < HANDED_OVER_MAX && committedIndex < index; i++) {
            long next = committedIndex + 1;
            if (log.isCached(next)) {
                log.committed(next);
                handOver(log.uncommitted(next));
            } else if (!replayTo(index)) {
                return false;
            }
        }
        return committedIndex >= index;
    }

    /** Reads from the disk what is committed and no more in memory; returns whether something was handed over. */
    private boolean replayTo(long index) throws IOException {
        if (replay == null || replay.isDone()) {
            long last = index;
            while (log.isCached(last)) {
                last--;
            }
            log.committed(last);
            replay = log.reader(committedIndex + 1, last);
        }
        int done = replay.poll(this::handOver);
        if (replay.failure().isPresent()) {
            throw replay.failure().get();
        }
        return done > 0;
    }

    private void handOver(LogEntry entry) {
        committedIndex = entry.index();
        to.accept(entry);
    }

    /** It is tried again where it could not be read, once it is not damaged any more. */
    void waits() {
        waits = true;
    }

    /** What could not be read is read anew; returns whether that was waited for. */
    boolean readAnew() {
        boolean waited = waits;
        waits = false;
        letGo();
        return waited;
    }

    /** Lets go of what is being read. */
    void letGo() {
        if (replay != null) {
            replay.close();
            replay = null;
        }
    }
}
