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
import io.duramen.runtime.agent.Waker;
import io.duramen.runtime.disk.Disk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
 * over as entries without records; on a replica that does not lead, together with the next that has some. With several replicas every entry is synced before it counts, whatever it asked for.
 *
 * <p>With several, segments are released later than asked for: each replica keeps at least the log since the image before the last, so
 * that another that was away for a while gets what it lacks from there. One that was away for longer copies log and image of the
 * leader (see {@link Arrival}), and tells its listener that it is replaced.
 */
public final class RaftLog implements ReplicatedLog {
    private static final Logger LOG = LoggerFactory.getLogger(RaftLog.class);
    private static final int HANDED_OVER_MAX = 256;

    /** What the engine was told that it reads no more is released after so many election timeouts: it may have begun to. */
    private static final int TIMEOUTS_TO_RELEASE = 10;

    private final Disk disk;
    private final LogConfig config;
    private final RaftReplica.Place place;
    private final ShardLog log;
    private final Mailbox mailbox = new Mailbox();
    private final ArrayDeque<BooleanSupplier> events = new ArrayDeque<>();
    private final Proposals proposals;
    private final LeaderLease lease;
    private final Lending lending;
    private final Forgotten forgotten;
    private final Clock clock;
    private volatile StoredLog stored;
    private AppliedMark mark;
    private Following following;
    private final Progress progress;
    private final Copies copies;
    private final MemberChanges changes;
    private volatile VoteFile vote;

    /** For others to look at. */
    private volatile long shownIndex;

    private Optional<RaftPeer> successor = Optional.empty();
    private MembersFile members;
    private RaftReplica replica;
    private volatile EngineEvents told;
    private Listener listener;
    private EntryReader replay;
    private long committedIndex;
    private long durableIndex;
    private long checkedIndex;
    private long epoch;
    private boolean leading;
    private boolean replaced;
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
        this.clock = clock;
        this.forgotten = new Forgotten(place.config().electionTimeout().multipliedBy(TIMEOUTS_TO_RELEASE));
        this.proposals = new Proposals(mailbox, clock, this::broke);
        Runnable turn = () -> mailbox.offer(() -> {});
        this.progress = new Progress(clock, place.config().mayAskBeyondMajority() ? turn : () -> {});
        this.copies = new Copies(place, progress, clock);
        this.changes = new MemberChanges(
                place, leading(), new MemberChanges.Parts(proposals, copies, progress, mailbox, clock));
        this.lending = new Lending(place, log, this::epoch, progress, mailbox, clock);
        this.lease = new LeaderLease(clock, mailbox, place.config().electionTimeout());
    }

    private MemberChanges.Leading leading() {
        return new MemberChanges.Leading(
                this::isLeased,
                () -> replica.node(),
                () -> stored.lastIndex(),
                () -> members.last(),
                () -> log.detach(log.newEntry(), true),
                this::follow);
    }

    /** Sets what is called, from any thread, when {@link #poll} has something to do; the disk has its own. */
    public void onDue(Waker waker) {
        mailbox.onDue(waker);
    }

    /** Whom this replica takes for the leader, itself included; empty for nobody. From any thread. */
    public Optional<RaftPeer> leader() {
        EngineEvents events = told;
        PeerId leader = events == null ? null : events.leader();
        return leader == null || leader.isEmpty() ? Optional.empty() : Optional.of(RaftPeer.of(leader));
    }

    /** Changes who belongs to the group, where this replica leads; from any thread. */
    public MemberChanges members() {
        return changes;
    }

    /** Number of the leadership that this replica knows of; 0 before it was started. From any thread. */
    public long epoch() {
        VoteFile known = vote;
        return known == null ? 0 : known.getTerm();
    }

    /** Index of the last entry that this replica knows to be committed, as of its last turn. From any thread. */
    public long committedIndex() {
        return shownIndex;
    }

    /** What the engine was last told to be applied: it names that to a follower that has to copy. From any thread. */
    long markIndex() {
        return mark.index();
    }

    /** All replicas of the group; how far the others are, only the one that leads knows. From any thread. */
    public List<ReplicaRow> replicas() {
        StoredLog opened = stored;
        return copies.rows(
                leader().equals(Optional.of(place.config().self())), opened == null ? 0 : opened.lastIndex());
    }

    /**
     * Has this replica lead no more: its listener is told, and once it is closed, which is due then, another leads. From any thread.
     *
     * @param to who that is to be; empty for whoever is furthest
     * @return completed, by false where it does not lead
     */
    public CompletableFuture<Boolean> stepDown(Optional<RaftPeer> to) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Runnable end = () -> {
            boolean led = leading;
            successor = to;
            follow();
            answer.complete(led);
        };
        if (!mailbox.offer(end)) {
            answer.complete(false);
        }
        return answer;
    }

    /** Who is to lead once this log is closed, where it leads then; completed once that is known. From any thread. */
    public CompletableFuture<Void> handOnTo(Optional<RaftPeer> to) {
        return CompletableFuture.runAsync(() -> successor = to, mailbox::offer);
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
        members = new MembersFile(place.membersFile());
        members.onChange(() -> place.roster().became(members.changes()));
        vote = new VoteFile(place.voteFile(), log.lastEpoch(), cause -> mailbox.offer(() -> broke(cause)));
        vote.load(members.exists());
        members.load(log.lastIndex(), place.config().members());
        if (!place.config().recoverWithout().isEmpty()) {
            members.recoverWithout(place.config().recoverWithout(), place.self(), log.lastIndex(), log.lastEpoch());
        }
        if (!members.last().isOne() && config.sync() == LogConfig.Sync.INTERVAL) {
            throw new IOException(
                    "log.sync = interval and several replicas: one that forgets what it has told that it has"
                            + " stored, makes the group lose what it has acknowledged. Set log.sync = always");
        }
        stored = new StoredLog(log, config, members, () -> {
            letGoOfReplay();
            lending.end();
        });
        stored.opened();
        lending.open();
        following = new Following(mailbox, stored, this::epoch);
        place.loans().followers().add(place.config().group(), place.self().toString(), following);
        mark = new AppliedMark(
                appliedIndex,
                log.epochOf(appliedIndex),
                members.at(appliedIndex).withoutLearner(place.self()),
                copying());
        told = new EngineEvents(place.self(), mailbox, new Events());
        replica = new RaftReplica(
                place,
                new EngineParts(
                        new EngineLogStorage(mailbox, stored, members.forEngineOf(place.self()), told::follows),
                        vote,
                        mark),
                told,
                progress);
        replica.start(this::serve);
    }

    private AppliedMark.Copying copying() {
        return new AppliedMark.Copying(
                () -> lending.source(place.self().getEndpoint()).toString(), this::arrival);
    }

    /** On a thread of the engine's. */
    private Arrival arrival(String source) {
        try {
            Copy copy = new Copy(
                    place.client(),
                    Copy.Source.of(source),
                    place.files(),
                    config,
                    place.config().copyBytesPerSecond());
            return new Arrival(copy, place.files(), new Receiving());
        } catch (IOException e) {
            LOG.warn("A leader that says where to copy from says nothing sensible: {}", e.getMessage());
            return null;
        }
    }

    /** Whether a copy of the leader's log may take the place of this one. */
    private final class Receiving implements Arrival.Receiver {
        @Override
        public CompletableFuture<Boolean> mayReplace(Copy copy, Copy.End end) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            if (!mailbox.offer(() -> answer.complete(!copy.isCancelled() && makesWay(end)))) {
                answer.complete(false);
            }
            return answer;
        }

        @Override
        public void arrived(IOException failed) {
            mailbox.offer(() -> {
                if (failed == null) {
                    replaced = true;
                    listener.onReplaced();
                } else {
                    RaftLog.this.broke(failed);
                }
            });
        }
    }

    /**
     * What this replica has told that it has stored is in a log that the leader had afterwards, or was never committed; so it may go,
     * as long as nothing more is stored here from now on.
     */
    private boolean makesWay(Copy.End end) {
        try {
            if (closed || log.lastIndex() >= end.index() && log.epochOf(end.index()) == end.epoch()) {
                return false;
            }
        } catch (IOException e) {
            broke(e);
            return false;
        }
        stored.seal();
        return true;
    }

    /** Does what the engine asks of the log, and nothing else. */
    private int serve() {
        int done = mailbox.drain() + disk.poll();
        if (replica != null && !closed) {
            done += lending.poll(replica.node());
        }
        return done + log.poll() + stored.poll();
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
        boolean awaited = durability == Durability.SYNCED;
        return proposals.add(log.detach(entry, awaited || !stored.isOfOne()), awaited);
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
    public long writtenIndex() {
        return leading && log.lastEpoch() == epoch ? log.writtenIndex() : 0;
    }

    @Override
    public long keptIndex() {
        return copies.keptIndex(log.durableIndex());
    }

    @Override
    public Optional<Shortage> shortage() {
        return copies.shortage();
    }

    @Override
    public boolean hasRoomFor(int entryBytes) {
        return log.hasRoomFor((int) Math.min(Integer.MAX_VALUE, entryBytes + proposals.pendingBytes()));
    }

    @Override
    public int poll() {
        int done = serve();
        while (!stopped && !replaced && !events.isEmpty() && events.peek().getAsBoolean()) {
            events.poll();
            done++;
        }
        if (leading) {
            done += changes.poll();
            done += proposals.propose(replica.node()) + lease.poll(replica.node());
        }
        if (done > 0) {
            done += log.poll() + stored.poll();
            shownIndex = committedIndex;
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
            if (!stored.isSealed()) {
                RaftLog.this.broke(cause); // It is refused everything otherwise, and may take that for a failure.
            }
        }
    }

    private boolean lead(long newEpoch) {
        if (log.lastEpoch() > newEpoch) {
            return true; // That is over already.
        }
        // Its first entry is committed. Nothing follows that yet, but for one that ends a change of members which began
        // before.
        long first = log.lastEpoch() == newEpoch ? members.firstOf(newEpoch) : 0;
        if (first == 0 || !members.last().isStable() || !handOverTo(first, newEpoch)) {
            return false;
        }
        epoch = newEpoch;
        leading = true;
        proposals.begin(newEpoch, first, log.lastIndex());
        lease.begin();
        copies.lead();
        lending.lead();
        tellDurable();
        listener.onLeading(newEpoch);
        return true;
    }

    private boolean follow() {
        if (leading) {
            leading = false;
            changes.end();
            proposals.clear();
            lease.end();
            lending.end();
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
        if (leading && entry.configuration() && entry.epoch() == epoch && !proposals.isLeftOut(entry.index())) {
            // Who appended behind it was told other indexes.
            broke(new IOException("members were changed by entry " + entry.index() + ", without this log's knowledge"));
        }
        proposals.committed(committedIndex);
        listener.onCommitted(CommittedEntry.of(entry));
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
        if (stopped || replaced || closed || cause.isEmpty()) {
            return 0;
        }
        stopped = true;
        leading = false;
        changes.end();
        proposals.clear();
        lease.end();
        lending.end();
        listener.onStopped(cause.get());
        return 1;
    }

    @Override
    public long deadlineNanos() {
        return Math.min(log.deadlineNanos(), Math.min(lease.deadlineNanos(), proposals.deadlineNanos()));
    }

    @Override
    public Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready) {
        return log.read(partition, offset, maxBytes, ready);
    }

    @Override
    public void release(long imageIndex, IntToLongFunction neededFrom) {
        if (stored.isOfOne()) {
            log.release(imageIndex, neededFrom);
        } else if (lending.mayRelease() && !stored.isReading()) {
            forget(imageIndex);
            log.release(Math.min(imageIndex, forgotten.index(clock.nanos())), neededFrom);
        }
        stored.released();
    }

    /**
     * The engine reads entries without a lock; so it is told first that it needs not read some any more, and they go a while later. What
     * it calls a snapshot moves that along: it lets go of what lies before the snapshot before, which never is to be behind the image.
     * Where nothing came since, it would let go of all there is; and of a leader's follower see {@link Following}.
     */
    private void forget(long imageIndex) {
        forgotten.told(stored.readFrom() - 1, clock.nanos());
        boolean news = committedIndex > mark.index() && (leading || following.isFurtherThan(mark.index()));
        if (imageIndex >= mark.index() && news) {
            replica.node().snapshot(status -> {});
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
        changes.end();
        lending.close();
        if (following != null) {
            place.loans()
                    .followers()
                    .remove(place.config().group(), place.self().toString(), following);
        }
        if (replica != null) {
            replica.close(this::serveLast, successor);
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
