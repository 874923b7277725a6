package io.duramen.broker.kit;

import io.duramen.broker.kit.LogMedium.Entry;
import io.duramen.log.EntryBuffer;
import io.duramen.log.EntryBytes;
import io.duramen.log.PartitionChunk;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.LogStatus;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * A log in memory, whose every step a test can hold back: by itself it writes and syncs at once. Not thread-safe. What
 * it holds stands in a {@link LogMedium}, over which another may be opened.
 */
public final class ManualLog implements ReplicatedLog {
    private final LogMedium medium;
    private final Clock clock;
    private final long epoch;
    private final List<Runnable> fetches = new ArrayList<>();
    private final List<Runnable> fetched = new ArrayList<>();

    private Listener listener;
    private EntryBuffer spare;
    private long handedIndex;
    private long durableTold;
    private boolean leading;
    private LogMedium successors;
    private boolean succeeded;
    private boolean holdsWrites;
    private boolean holdsSyncs;
    private boolean coldReads;
    private boolean holdsLead;
    private boolean broken;
    private boolean full;
    private int roomBytes = Integer.MAX_VALUE;
    private boolean leased = true;
    private long keptIndex = Long.MAX_VALUE;
    private Optional<Shortage> shortage = Optional.empty();
    private IOException failure;
    private boolean failureTold;
    private boolean closed;
    private int reads;
    private long releasedIndex = -1;
    private IntToLongFunction neededFrom = partition -> 0;

    public ManualLog(LogMedium medium, Clock clock) {
        this.medium = medium;
        this.clock = clock;
        this.epoch = medium.nextEpoch();
    }

    /** Appended entries stay unwritten, and so uncommitted, until {@link #write}. */
    public void holdWrites() {
        holdsWrites = true;
    }

    /** Written entries stay unsynced until {@link #sync}. */
    public void holdSyncs() {
        holdsSyncs = true;
    }

    /** It does not lead until {@link #flow}. */
    public void holdLead() {
        holdsLead = true;
    }

    /** Reads throw what nobody expects. */
    public void breakReads() {
        broken = true;
    }

    /** Writes all that was appended; entries that ask for no more are committed by the next poll. */
    public void write() {
        medium.writtenIndex = medium.lastIndex();
    }

    /** The log has an entry of its own, without records, behind all that was appended. */
    public void addsAnEntryOfItsOwn() {
        medium.add(epoch, clock.millis(), 0, new byte[0], 0, true);
    }

    /** Syncs all that was written. */
    public void sync() {
        medium.syncedIndex = medium.writtenIndex;
    }

    /** From now on everything is written and synced at once again. */
    public void flow() {
        holdsWrites = false;
        holdsSyncs = false;
        holdsLead = false;
    }

    /** Every read that is not answered yet has to be fetched, by {@link #fetch}. */
    public void readCold() {
        coldReads = true;
    }

    /** Fetches what was asked for; the next poll tells so, and reads are answered until the next {@link #readCold}. */
    public void fetch() {
        coldReads = false;
        fetched.addAll(fetches);
        fetches.clear();
    }

    public void setFull(boolean full) {
        this.full = full;
    }

    /** There is room for entries of so many bytes, however many there are. */
    public void setRoom(int bytes) {
        roomBytes = bytes;
    }

    /** Whether nobody else may lead. */
    public void setLeased(boolean leased) {
        this.leased = leased;
    }

    /** More nodes than a quorum have to have entries, and have them up to this one. */
    public void setKept(long index) {
        keptIndex = index;
    }

    /** So many nodes of three are in sync, and all three are needed. */
    public void setInSync(int nodes) {
        shortage = nodes == 3 ? Optional.empty() : Optional.of(new Shortage(nodes, 3, 3));
    }

    /**
     * Another node leads: what is not committed here is taken back, and what stands in its log is committed in its place.
     *
     * @param others its entries, of which those that are committed here are the same
     */
    public void succeededBy(LogMedium others) {
        successors = others;
    }

    /** A write fails: what was not written yet is lost, and nothing more is taken. */
    public void fail(String cause) {
        failure = new IOException(cause);
    }

    /** The last entry that it has handed over as committed. */
    public long committedIndex() {
        return handedIndex;
    }

    /** Calls of {@link #read}. */
    public int reads() {
        return reads;
    }

    /** The image index of the last {@link #release}; -1 for none. */
    public long releasedIndex() {
        return releasedIndex;
    }

    /** What the last {@link #release} said is needed of a partition. */
    public long neededFrom(int partition) {
        return neededFrom.applyAsLong(partition);
    }

    @Override
    public void start(long appliedIndex, Listener toTell) {
        listener = toTell;
        handedIndex = appliedIndex;
        medium.syncedIndex = medium.writtenIndex;
    }

    @Override
    public EntryBuffer newEntry() {
        EntryBuffer entry = spare == null ? new EntryBuffer(4096) : EntryBytes.emptied(spare);
        spare = null;
        return entry;
    }

    @Override
    public long append(EntryBuffer entry, Durability durability) {
        if (!isWritable()) {
            throw new IllegalStateException("the log takes no entries");
        }
        long index = medium.add(
                epoch,
                clock.millis(),
                entry.count(),
                EntryBytes.recordsOf(entry),
                entry.length(),
                durability == Durability.SYNCED);
        spare = entry;
        return index;
    }

    @Override
    public boolean isWritable() {
        return leading && failure == null && !closed;
    }

    @Override
    public boolean isLeased() {
        return leased;
    }

    @Override
    public long writtenIndex() {
        return leading ? medium.writtenIndex : 0;
    }

    @Override
    public long keptIndex() {
        return keptIndex;
    }

    @Override
    public Optional<Shortage> shortage() {
        return shortage;
    }

    @Override
    public boolean hasRoomFor(int entryBytes) {
        return !full && entryBytes <= roomBytes;
    }

    @Override
    public int poll() {
        if (failure != null) {
            return stop();
        }
        if (!holdsWrites) {
            write();
        }
        if (!holdsSyncs) {
            sync();
        }
        int work = follow() + handOver() + tellDurable();
        List<Runnable> ready = List.copyOf(fetched);
        fetched.clear();
        ready.forEach(Runnable::run);
        return work + ready.size();
    }

    private int stop() {
        if (failureTold) {
            return 0;
        }
        failureTold = true;
        listener.onStopped(failure);
        return 1;
    }

    private int follow() {
        if (successors == null || succeeded) {
            return 0;
        }
        succeeded = true;
        leading = false;
        medium.takeFrom(successors, handedIndex);
        listener.onFollowing(epoch);
        return 1;
    }

    private int handOver() {
        int work = 0;
        while (handedIndex < medium.lastIndex()) {
            Entry entry = medium.entry(handedIndex + 1);
            boolean old = entry.epoch() < epoch;
            if (!old && entry.index() > (entry.synced() ? medium.syncedIndex : medium.writtenIndex)) {
                break;
            }
            handedIndex++;
            work++;
            medium.commit(entry);
            ByteBuffer records = ByteBuffer.wrap(entry.records()).asReadOnlyBuffer();
            listener.onCommitted(new CommittedEntry(
                    entry.index(), entry.epoch(), entry.timestampMillis(), entry.baseOffset(), entry.count(), records));
        }
        if (!leading && !holdsLead && !succeeded) {
            leading = true;
            listener.onLeading(epoch);
            work++;
        }
        return work;
    }

    private int tellDurable() {
        long durable = Math.min(handedIndex, medium.syncedIndex);
        if (durable <= durableTold) {
            return 0;
        }
        durableTold = durable;
        listener.onDurable(durable);
        return 1;
    }

    @Override
    public long deadlineNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    public Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready) {
        reads++;
        if (broken) {
            throw new IllegalStateException("the log is broken");
        }
        if (coldReads) {
            fetches.add(ready);
            return Optional.empty();
        }
        return Optional.of(medium.read(partition, offset, maxBytes));
    }

    @Override
    public void release(long imageIndex, IntToLongFunction needed) {
        releasedIndex = imageIndex;
        neededFrom = needed;
    }

    @Override
    public long bytesSince(long index) {
        return medium.bytesSince(index);
    }

    @Override
    public LogStatus status() {
        return new LogStatus(
                1,
                medium.lastIndex(),
                handedIndex,
                durableTold,
                epoch,
                1,
                medium.bytesSince(0),
                full,
                "",
                failure != null);
    }

    @Override
    public void close() {
        closed = true;
        if (failure == null) {
            write();
            sync();
        }
    }
}
