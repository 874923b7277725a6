package io.duramen.broker.shard;

import io.duramen.log.EntryBuffer;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.replication.ReplicatedLog;
import io.duramen.replication.ReplicatedLog.Durability;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Gathers the records of requests that are decided together into one entry, and runs what waits for it. Confined to the
 * shard's agent. All records of one request are added without a {@link #flush} between, so that they share an entry.
 */
final class Appender {
    /** What waits for an entry: one of the two is called, once. */
    interface Waiter {
        void reached();

        /** The log stopped: whether the entry will be there after a restart is not known. */
        void failed(ProtocolException reason);
    }

    /** Waits for nothing in particular. */
    static final Waiter NOBODY = new Waiter() {
        @Override
        public void reached() {}

        @Override
        public void failed(ProtocolException reason) {}
    };

    /** Where an entry stands in the log, which is known once it is appended: entries of others may come before it. */
    private static final class Place {
        private static final long OPEN = Long.MAX_VALUE;

        private long index;

        Place(long index) {
            this.index = index;
        }
    }

    /** @param bounded whether it is told so where it would wait for a node to come back */
    private record Waiting(Place place, Waiter waiter, boolean bounded) {
        long index() {
            return place.index;
        }
    }

    private record Uncommitted(long index, int bytes) {}

    private final int shard;
    private final ReplicatedLog log;
    private final Clock clock;
    private final long lingerNanos;
    private final ArrayDeque<Waiting> forWritten = new ArrayDeque<>();
    private final ArrayDeque<Waiting> forCommit = new ArrayDeque<>();
    private final ArrayDeque<Waiting> forDurable = new ArrayDeque<>();
    private final ArrayDeque<Waiting> forKept = new ArrayDeque<>();
    private final ArrayDeque<Uncommitted> uncommitted = new ArrayDeque<>();
    private long uncommittedBytes;

    /** What is to be told once the open entry is appended. */
    private final List<Runnable> onAppended = new ArrayList<>();

    private EntryBuffer open;
    private Durability durability = Durability.WRITTEN;
    private Place last = new Place(0);

    /** Of the open entry, where somebody waits for it; null for nobody. */
    private Place opened;

    private long committedIndex;
    private long durableIndex;
    private long keptIndex = Long.MAX_VALUE;
    private ProtocolException stopped;

    /** When the open entry is appended at the latest: at once, unless all in it may linger. */
    private long openUntilNanos;

    private boolean lingering;
    private boolean roomReserved;

    /** When an entry that is synced was last appended, and how long after the one before it. */
    private long syncedNanos;

    private long syncedGapNanos = Long.MAX_VALUE;

    private final IntSupplier decidedLevel;

    /** That of the last entry in which one was decided since this appends, which may not be replayed yet. */
    private int addedLevel;

    /** Bytes that are prepared and not decided about. */
    private final LongSupplier promisedBytes;

    /**
     * @param linger how long what may wait for company does so
     * @param promisedBytes asked for each time: room that nothing takes but what it was promised to
     * @param decidedLevel asked for each time: that in which the log is written, as far as it is replayed
     */
    Appender(
            int shard,
            ReplicatedLog log,
            Clock clock,
            Duration linger,
            LongSupplier promisedBytes,
            IntSupplier decidedLevel) {
        this.decidedLevel = decidedLevel;
        this.shard = shard;
        this.log = log;
        this.clock = clock;
        this.lingerNanos = linger.toNanos();
        this.promisedBytes = promisedBytes;
    }

    /** Starts a leadership whose first entry will follow this one; it and all before are committed. */
    void leadFrom(long appliedIndex) {
        last = new Place(appliedIndex);
        committedIndex = appliedIndex;
        syncedNanos = clock.nanos() - lingerNanos;
    }

    boolean isWritable() {
        return log.isWritable();
    }

    /** @throws ProtocolException where the shard does not lead, or has stopped after a failed write */
    void requireWritable() {
        if (!log.isWritable()) {
            if (log.status().stopped()) {
                throw new ProtocolException(
                        ErrorCode.SHARD_STOPPED, "the log stopped after a failed write; see the node's log");
            }
            throw new ProtocolException(ErrorCode.NOT_LEADER, "the shard is recovering");
        }
    }

    /**
     * Before messages are stored that count only once they are kept: else their producer would wait until a node comes back.
     *
     * @throws ProtocolException where too few nodes are in sync
     */
    void requireInSync() {
        Optional<ReplicatedLog.Shortage> shortage = log.shortage();
        if (shortage.isPresent()) {
            throw new ProtocolException(ErrorCode.TOO_FEW_IN_SYNC, inWords(shortage.get()));
        }
    }

    private String inWords(ReplicatedLog.Shortage shortage) {
        return "shard " + shard + " is in sync on " + shortage.inSync() + " of " + shortage.nodes()
                + " nodes, and what is persistent has to be on " + shortage.needed() + " (cluster.min-in-sync)";
    }

    /** Whether the room that there is, or comes, is for what was committed elsewhere and waits for it: none is for others then. */
    void reserveRoom(boolean reserved) {
        roomReserved = reserved;
    }

    /** @throws ProtocolException as {@link #requireWritable}, or where the disk has no room for that many bytes */
    void requireRoomFor(int bytes) {
        requireRoomFor(bytes, promisedBytes.getAsLong());
    }

    /** As {@link #requireRoomFor}, for what was prepared: the promised room is for it. */
    void requirePromisedRoomFor(int bytes) {
        requireRoomFor(bytes, 0);
    }

    private void requireRoomFor(int bytes, long others) {
        requireWritable();
        long already = open == null ? 0 : open.length();
        if (roomReserved || !log.hasRoomFor((int) Math.min(Integer.MAX_VALUE, bytes + already + others))) {
            throw new ProtocolException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "the disk has no room for " + bytes + " bytes of messages; consuming goes on and frees some");
        }
    }

    void addMessages(int partition, long baseOffset, int messages, ByteBuffer batch, Durability needed) {
        open().addMessages(partition, baseOffset, messages, batch);
        raise(needed);
    }

    /**
     * Gives the log the memory of a batch that was checked and just decided about: whatever of it was added stands in it.
     *
     * @param memory position and limit enclose the batch as it was received; what stands before may be overwritten
     */
    void giveMemory(ByteBuffer batch, ByteBuffer memory) {
        open().giveMemory(batch, memory);
    }

    void addControl(ControlRecord control, Durability needed) {
        open().addControl(control.type(), control.encode(level()));
        raise(needed);
    }

    /** Adds the decision in which level whatever is added behind it is written. */
    void addLevel(ControlRecord.LevelDecided decided) {
        addControl(decided, Durability.SYNCED);
        addedLevel = decided.level();
    }

    private int level() {
        return Math.max(addedLevel, decidedLevel.getAsInt());
    }

    /** Adds what nobody waits for: it may wait a moment for something to share its entry, and thereby its write, with. */
    void addPatiently(ControlRecord control) {
        if (open == null) {
            lingering = lingerNanos > 0;
            openUntilNanos = clock.nanos() + lingerNanos;
        }
        open().addControl(control.type(), control.encode(level()));
    }

    /**
     * Has an action add what is to be synced and nobody waits for: where entries are synced in quick succession it may wait a
     * moment for the next one, and needs no sync of its own then.
     */
    void addPatiently(Runnable action) {
        boolean alone = open == null || lingering;
        long untilNanos = open == null ? clock.nanos() + lingerNanos : openUntilNanos;
        action.run();
        if (alone && open != null && isBusy()) {
            lingering = true;
            openUntilNanos = untilNanos;
        }
    }

    /** Whether entries are synced in such quick succession that the next is about to come. */
    boolean isBusy() {
        return lingerNanos > 0 && syncedGapNanos <= lingerNanos;
    }

    /** Somebody waits for what lingers. */
    void hurry() {
        lingering = false;
    }

    /** Has an action run once all that was added is in the log; never where that stops before. */
    void whenAppended(Runnable action) {
        onAppended.add(action);
    }

    private EntryBuffer open() {
        if (open == null) {
            open = log.newEntry();
        }
        return open;
    }

    private void raise(Durability needed) {
        lingering = false;
        if (needed == Durability.SYNCED) {
            durability = Durability.SYNCED;
        }
    }

    /** Bytes gathered in the open entry. */
    int openBytes() {
        return open == null ? 0 : open.length();
    }

    long uncommittedBytes() {
        return uncommittedBytes;
    }

    /**
     * Runs the waiter once the last entry, open or appended, is written on this node, which leads then without doubt: before it is
     * committed, and it may never be. At once where it is committed.
     */
    void whenWritten(Waiter waiter) {
        await(forWritten, committedIndex, waiter);
    }

    /**
     * Runs the waiter once the last entry, open or appended, is committed, and behind all that wait already: at once
     * where that is so.
     */
    void whenCommitted(Waiter waiter) {
        await(forCommit, committedIndex, waiter);
    }

    /** Runs the waiter once the last entry, open or appended, is committed and on disk: at once where it is already. */
    void whenDurable(Waiter waiter) {
        await(forDurable, Math.min(committedIndex, durableIndex), waiter);
    }

    /**
     * As {@link #whenDurable}, on as many nodes as messages have to be: see {@link #requireInSync}. Where one of them is lost
     * meanwhile, the waiter fails once the rest has it.
     */
    void whenKept(Waiter waiter) {
        await(forKept, safeIndex(), waiter, true);
    }

    /** As {@link #whenKept} for what is decided then: it waits until the node is back, since it has happened. */
    void whenKeptHoweverLong(Waiter waiter) {
        await(forKept, safeIndex(), waiter, false);
    }

    private long safeIndex() {
        return Math.min(keptIndex, Math.min(committedIndex, durableIndex));
    }

    /** The waiter, which is {@link #whenDurable run} once that which was appended is on disk when this is reached. */
    Waiter onceDurable(Waiter waiter) {
        return new Waiter() {
            @Override
            public void reached() {
                whenDurable(waiter);
            }

            @Override
            public void failed(ProtocolException reason) {
                waiter.failed(reason);
            }
        };
    }

    private void await(ArrayDeque<Waiting> waiting, long reachedIndex, Waiter waiter) {
        await(waiting, reachedIndex, waiter, false);
    }

    private void await(ArrayDeque<Waiting> waiting, long reachedIndex, Waiter waiter, boolean bounded) {
        Place place = waitPlace();
        if (place.index <= reachedIndex && waiting.isEmpty()) {
            waiter.reached();
        } else if (stopped != null) {
            waiter.failed(stopped);
        } else {
            waiting.add(new Waiting(place, waiter, bounded));
        }
    }

    private Place waitPlace() {
        if (open == null) {
            return last;
        }
        if (opened == null) {
            opened = new Place(Place.OPEN);
        }
        return opened;
    }

    /** When, on {@link Clock#nanos}, an open entry that lingers has to be appended; {@link Long#MAX_VALUE} for never. */
    long deadlineNanos() {
        return open != null && lingering ? openUntilNanos : Long.MAX_VALUE;
    }

    /**
     * Appends the open entry, if any, unless all in it may still linger.
     *
     * @return entries appended, which the log has yet to be polled for
     */
    int flush() {
        if (open == null || lingering && clock.nanos() - openUntilNanos < 0) {
            return 0;
        }
        flushAll();
        return 1;
    }

    /** Appends the open entry, if any. */
    void flushAll() {
        if (open == null) {
            return;
        }
        lingering = false;
        if (!log.isWritable()) {
            // Stopped since the requests were decided: those that wait are told by failAll.
            open = null;
            opened = null;
            onAppended.clear();
            durability = Durability.WRITTEN;
            return;
        }
        if (durability == Durability.SYNCED) {
            syncedGapNanos = clock.nanos() - syncedNanos;
            syncedNanos += syncedGapNanos;
        }
        int bytes = open.length();
        last = opened == null ? new Place(0) : opened;
        opened = null;
        last.index = log.append(open, durability);
        uncommitted.add(new Uncommitted(last.index, bytes));
        uncommittedBytes += bytes;
        open = null;
        onAppended.forEach(Runnable::run);
        onAppended.clear();
        durability = Durability.WRITTEN;
    }

    /** Tells those who wait for no more than this node; nobody while another may lead, and have none of it. */
    void tellWritten() {
        if (!forWritten.isEmpty() && log.isLeased()) {
            run(forWritten, log.writtenIndex());
        }
    }

    /** Everything up to the index is committed and replayed. */
    void committed(long index) {
        while (!uncommitted.isEmpty() && uncommitted.peek().index <= index) {
            uncommittedBytes -= uncommitted.poll().bytes;
        }
        committedIndex = Math.max(committedIndex, index);
        run(forWritten, committedIndex);
        run(forCommit, committedIndex);
        run(forDurable, Math.min(committedIndex, durableIndex));
        run(forKept, safeIndex());
    }

    /** Everything up to the index is on disk. */
    void durable(long index) {
        durableIndex = Math.max(durableIndex, index);
        run(forDurable, Math.min(committedIndex, durableIndex));
        run(forKept, safeIndex());
    }

    /** Everything up to the index that is committed is on as many disks as messages have to be. */
    void kept(long index) {
        if (index != keptIndex) {
            keptIndex = index;
            run(forKept, safeIndex());
        }
        if (!forKept.isEmpty()) {
            log.shortage().ifPresent(this::tellUnkept);
        }
    }

    private void tellUnkept(ReplicatedLog.Shortage shortage) {
        long stored = Math.min(committedIndex, durableIndex);
        List<Waiting> told = new ArrayList<>();
        forKept.removeIf(one -> {
            boolean unkept = one.bounded && one.index() <= stored;
            if (unkept) {
                told.add(one);
            }
            return unkept;
        });
        if (told.isEmpty()) {
            return;
        }
        ProtocolException reason =
                new ProtocolException(ErrorCode.KEPT_BY_TOO_FEW, "the message is stored; but " + inWords(shortage));
        told.forEach(one -> one.waiter.failed(reason));
    }

    private static void run(ArrayDeque<Waiting> waiting, long index) {
        while (!waiting.isEmpty() && waiting.peek().index() <= index) {
            waiting.poll().waiter.reached();
        }
    }

    /** Tells all that wait that the log stopped; nothing is on its way any more. */
    void failAll() {
        open = null;
        opened = null;
        onAppended.clear();
        uncommitted.clear();
        uncommittedBytes = 0;
        stopped = new ProtocolException(
                ErrorCode.SHARD_STOPPED, "the log stopped after a failed write; the outcome is known after a restart");
        failAll(forWritten, stopped);
        failAll(forCommit, stopped);
        failAll(forDurable, stopped);
        failAll(forKept, stopped);
    }

    /**
     * Drops what was not appended, and all that waits, untold: others lead, and what was appended may be committed yet or be taken
     * back. Who waits learns of it by the end of its connection, as if this node had died, and asks the next leader.
     */
    void forgetAll() {
        open = null;
        opened = null;
        onAppended.clear();
        uncommitted.clear();
        uncommittedBytes = 0;
        forWritten.clear();
        forCommit.clear();
        forDurable.clear();
        forKept.clear();
        stopped = new ProtocolException(ErrorCode.NOT_LEADER, "another node leads the shard");
    }

    private static void failAll(ArrayDeque<Waiting> waiting, ProtocolException reason) {
        Iterator<Waiting> all = new ArrayDeque<>(waiting).iterator();
        waiting.clear();
        all.forEachRemaining(one -> one.waiter.failed(reason));
    }

    /** A waiter that answers a request. */
    static Waiter answer(Reply reply, Record response) {
        return new Waiter() {
            @Override
            public void reached() {
                reply.succeed(response);
            }

            @Override
            public void failed(ProtocolException reason) {
                reply.fail(reason);
            }
        };
    }
}
