package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import io.duramen.log.DamagedLogException;
import io.duramen.log.EntryBuffer;
import io.duramen.log.EntryReader;
import io.duramen.log.LogConfig;
import io.duramen.log.LogEntry;
import io.duramen.log.PartitionChunk;
import io.duramen.log.ShardLog;
import io.duramen.replication.CommittedEntry;
import io.duramen.replication.LogStatus;
import io.duramen.replication.ReplicatedLog;
import io.duramen.runtime.Clock;
import io.duramen.runtime.disk.Disk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a shard that several nodes have, each in the same segments as a {@link io.duramen.replication.LocalLog}: a replica.
 * Confined to the shard's agent, which also does what the engine's threads ask of the log; it never waits for them but in
 * {@link #start} and {@link #close}.
 *
 * <p>Committed entries are handed over as they stand in this replica's own segments, once the engine has told index and epoch of
 * the last one and that one stands there: then all before it are the same on every replica. The engine's own entries are handed
 * over as entries without records; on a replica that does not lead, together with the next that has some. With several replicas every entry is synced before it counts, whatever it asked for, and
 * no segment is released: a replica that is behind is brought up from the log alone.
 */
public final class RaftLog implements ReplicatedLog {
    private static final Logger LOG = LoggerFactory.getLogger(RaftLog.class);
    private static final int HANDED_OVER_MAX = 256;

    private final Disk disk;
    private final LogConfig config;
    private final RaftReplica.Place place;
    private final ShardLog log;
    private final Mailbox mailbox = new Mailbox();
    private final ArrayDeque<BooleanSupplier> events = new ArrayDeque<>();
    private final Proposals proposals = new Proposals(mailbox, this::broke);
    private final LeaderLease lease;
    private StoredLog stored;
    private RaftReplica replica;
    private volatile EngineEvents told;
    private Listener listener;
    private EntryReader replay;
    private long committedIndex;
    private long durableIndex;
    private long checkedIndex;
    private long epoch;
    private boolean leading;
    private IOException failure;
    private boolean stopped;
    private boolean closed;

    /**
     * @param disk of this log alone, but for files of other names; polled by this log, and closed with it
     * @param salt random, known to no client; for the checksums of a log that is begun
     */
    public RaftLog(Disk disk, Clock clock, LogConfig config, int salt, RaftReplica.Place place) {
        this.disk = disk;
        this.config = config;
        this.place = place;
        this.log = new ShardLog(disk, clock, config, salt);
        this.lease = new LeaderLease(clock, mailbox, place.config().electionTimeout());
    }

    /** Sets what is called, from any thread, when {@link #poll} has something to do; the disk has its own. */
    public void onDue(Runnable wake) {
        mailbox.onDue(wake);
    }

    /** Whom this replica takes for the leader, itself included; empty for nobody. From any thread. */
    public Optional<RaftPeer> leader() {
        EngineEvents events = told;
        PeerId leader = events == null ? null : events.leader();
        return place.config().peers().stream()
                .filter(peer -> peer.toEngine().equals(leader))
                .findFirst();
    }

    @Override
    public void start(long appliedIndex, Listener toTell) throws IOException {
        listener = toTell;
        committedIndex = appliedIndex;
        try {
            log.openUncommitted(appliedIndex);
        } catch (DamagedLogException e) {
            throw new IOException(e.getMessage(), e);
        }
        MembersFile members = new MembersFile(place.membersFile());
        VoteFile vote = new VoteFile(place.voteFile(), log.lastEpoch(), cause -> mailbox.offer(() -> broke(cause)));
        vote.load(members.exists());
        members.load(log.lastIndex(), place.config().members());
        requireWhole(members.last());
        stored = new StoredLog(log, config, members, this::letGoOfReplay);
        stored.opened();
        told = new EngineEvents(place.self(), mailbox, new Events());
        replica = new RaftReplica(
                place,
                new EngineParts(
                        new EngineLogStorage(mailbox, stored, members.changes()),
                        vote,
                        new AppliedMark(appliedIndex, log.epochOf(appliedIndex), members.at(appliedIndex))),
                told);
        replica.start(this::serve);
    }

    /** Others get all they lack from this log, or nothing: it must not have lost its beginning, nor be written lazily. */
    private void requireWhole(Members members) throws IOException {
        if (members.isOne()) {
            return;
        }
        if (log.firstIndex() > 1) {
            throw new IOException(
                    "the log begins with entry " + log.firstIndex() + ", and its group has several replicas:"
                            + " one that lacks what was before could never be brought up");
        }
        if (config.sync() == LogConfig.Sync.INTERVAL) {
            throw new IOException(
                    "log.sync = interval and several replicas: one that forgets what it has told that it has"
                            + " stored, makes the group lose what it has acknowledged. Set log.sync = always");
        }
    }

    /** Does what the engine asks of the log, and nothing else. */
    private int serve() {
        return mailbox.drain() + disk.poll() + log.poll() + stored.poll();
    }

    @Override
    public EntryBuffer newEntry() {
        return log.newEntry();
    }

    @Override
    public long append(EntryBuffer entry, Durability durability) {
        if (!isWritable()) {
            throw new IllegalStateException(stopped ? "the log has stopped" : "this node does not lead");
        }
        return proposals.add(log.detach(entry, durability == Durability.SYNCED || !stored.isOfOne()));
    }

    @Override
    public boolean isWritable() {
        return leading && failure().isEmpty();
    }

    @Override
    public boolean isLeased() {
        return leading && lease.isHeld();
    }

    @Override
    public boolean hasRoomFor(int entryBytes) {
        return log.hasRoomFor((int) Math.min(Integer.MAX_VALUE, entryBytes + proposals.pendingBytes()));
    }

    @Override
    public int poll() {
        int done = serve();
        while (!stopped && !events.isEmpty() && events.peek().getAsBoolean()) {
            events.poll();
            done++;
        }
        if (leading) {
            done += proposals.propose(replica.node()) + lease.poll(replica.node());
        }
        if (done > 0) {
            done += log.poll() + stored.poll();
        }
        return done + tellDurable() + tellStopped();
    }

    /** What the engine has told, in its order, each kept until it could be done. */
    private final class Events implements EngineEvents.Target {
        @Override
        public void committed(long index, long ofEpoch) {
            events.add(() -> handOverTo(index, ofEpoch));
        }

        @Override
        public void leads(long newEpoch) {
            events.add(() -> lead(newEpoch));
        }

        @Override
        public void leadsNoMore() {
            events.add(RaftLog.this::follow);
        }

        @Override
        public void broke(IOException cause) {
            RaftLog.this.broke(cause);
        }
    }

    private boolean lead(long newEpoch) {
        if (log.lastEpoch() > newEpoch) {
            return true; // That is over already.
        }
        // Its first entry is committed, and nothing follows that yet: it is the last one, once it stands here.
        if (log.lastEpoch() != newEpoch || !handOverTo(log.lastIndex(), newEpoch)) {
            return false;
        }
        epoch = newEpoch;
        leading = true;
        proposals.begin(newEpoch, committedIndex);
        lease.begin(newEpoch);
        tellDurable();
        listener.onLeading(newEpoch);
        return true;
    }

    private boolean follow() {
        if (leading) {
            leading = false;
            proposals.clear();
            lease.end();
            listener.onFollowing(epoch);
        }
        return true;
    }

    /** @return false where that has to be gone on with later */
    private boolean handOverTo(long index, long ofEpoch) {
        if (index <= committedIndex) {
            return true;
        }
        try {
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
        } catch (IOException e) {
            broke(e);
        }
        return committedIndex >= index;
    }

    /** Reads from the disk what is committed and no more in memory; returns whether something was handed over. */
    private boolean replayTo(long index) throws IOException {
        if (replay == null || replay.isDone()) {
            long to = index;
            while (log.isCached(to)) {
                to--;
            }
            log.committed(to);
            replay = log.reader(committedIndex + 1, to);
        }
        int done = replay.poll(this::handOver);
        if (replay.failure().isPresent()) {
            throw replay.failure().get();
        }
        return done > 0;
    }

    private void letGoOfReplay() {
        if (replay != null) {
            replay.close();
            replay = null;
        }
    }

    private void handOver(LogEntry entry) {
        committedIndex = entry.index();
        if (leading && entry.configuration() && entry.epoch() == epoch) {
            // Who appended behind it was told other indexes.
            broke(new IOException("members were changed by entry " + entry.index() + ", without this log's knowledge"));
        }
        proposals.committed(committedIndex);
        listener.onCommitted(new CommittedEntry(
                entry.index(),
                entry.epoch(),
                entry.timestampMillis(),
                entry.baseOffset(),
                entry.count(),
                entry.records()));
    }

    private int tellDurable() {
        long index = config.sync() == LogConfig.Sync.INTERVAL
                ? committedIndex
                : Math.min(committedIndex, log.durableIndex());
        if (index <= durableIndex) {
            return 0;
        }
        durableIndex = index;
        listener.onDurable(index);
        return 1;
    }

    private void broke(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    private Optional<IOException> failure() {
        return log.failure()
                .or(() -> Optional.ofNullable(failure))
                .or(() -> Optional.ofNullable(stored == null ? null : stored.failure()));
    }

    private int tellStopped() {
        Optional<IOException> cause = failure();
        if (stopped || closed || cause.isEmpty()) {
            return 0;
        }
        stopped = true;
        leading = false;
        proposals.clear();
        lease.end();
        listener.onStopped(cause.get());
        return 1;
    }

    @Override
    public long deadlineNanos() {
        return Math.min(log.deadlineNanos(), lease.deadlineNanos());
    }

    @Override
    public Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready) {
        return log.read(partition, offset, maxBytes, ready);
    }

    @Override
    public void release(long imageIndex, IntToLongFunction neededFrom) {
        if (stored.isOfOne()) {
            log.release(imageIndex, neededFrom);
        }
    }

    @Override
    public long bytesSince(long index) {
        return log.bytesSince(index);
    }

    @Override
    public LogStatus status() {
        return new LogStatus(
                log.firstIndex(),
                log.lastIndex(),
                committedIndex,
                Math.min(committedIndex, log.durableIndex()),
                epoch,
                log.segmentCount(),
                log.lengthBytes(),
                log.isFull(),
                stopped);
    }

    /** Hands leadership on where there is somebody, ends the replica, and closes the log. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        leading = false;
        if (replica != null) {
            replica.close(this::serveLast);
            stored.stop();
        }
        mailbox.close();
        log.close();
    }

    /** Whatever happens here, no thread of the engine is left waiting: several groups share them. */
    private int serveLast() {
        try {
            return serve();
        } catch (RuntimeException e) {
            LOG.error("The log of a replica broke while that ended", e);
            stored.stop();
            mailbox.close();
            return 0;
        }
    }
}
