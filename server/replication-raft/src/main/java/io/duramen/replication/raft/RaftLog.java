package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import io.duramen.log.Damage;
import io.duramen.log.DamagedLogException;
import io.duramen.log.EntryBuffer;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
    /** Handing over takes no longer than so many. */
    private static final int TIMEOUTS_TO_END = 2;

    private final Disk disk;
    private final LogConfig config;
    private final RaftReplica.Place place;
    private final ShardLog log;
    private final Mailbox mailbox = new Mailbox();
    private final TurnOfEvents events =
            new TurnOfEvents(new TurnOfEvents.Does(this::handOverTo, this::lead, this::follow, this::engineBroke));
    private final Proposals proposals = new Proposals(mailbox, this::broke);
    private final LeaderLease lease;
    private final Lending lending;
    private final HandOver handOver;
    private final Leaves leaves;
    private final Relief relief;
    private final RoomElsewhere room;
    private final Clock clock;
    private volatile StoredLog stored;
    private AppliedMark mark;
    private Following following;
    private Retention retention;
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
    private long durableIndex;
    private long epoch;
    private boolean leading;
    private boolean replaced;
    private IOException failure;
    private boolean started;
    private boolean stopped;
    private boolean closed;
    private long closedNanos;

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
        this.handOver = new HandOver(log, this::handOver);
        Runnable turn = () -> mailbox.offer(() -> {});
        this.progress =
                new Progress(clock, place.config().mayAskBeyondMajority() ? turn : () -> {}, place::tellForgotten);
        this.copies = new Copies(place, progress, clock);
        this.changes = new MemberChanges(
                place, leading(), new MemberChanges.Parts(proposals, copies, progress, mailbox, clock));
        this.leaves = new Leaves(
                place, copies, clock, this::isLeased, () -> members.last().isStable());
        this.lending = new Lending(
                place,
                log,
                new Lending.Own(
                        this::epoch, () -> Math.max(log.lastIndex(), proposals.lastIndex()), this::stood, leaves),
                mailbox,
                clock);
        this.relief = new Relief(
                place,
                log,
                new Relief.Parts(copies, leaves, mailbox),
                clock,
                new Relief.Own(
                        () -> leading, this::leader, this::epoch, this::stood, this::handOverLead, this::isReplaced));
        this.room = new RoomElsewhere(
                place,
                copies,
                mailbox,
                clock,
                new RoomElsewhere.Own(() -> stored != null && stored.isFull(), this::handOverLead));
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

    private boolean stood() {
        return vote.getVotedFor().equals(place.self());
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
        boolean leads = leader().equals(Optional.of(place.config().self()));
        return copies.rows(leads, opened == null ? 0 : opened.lastIndex());
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
        handOver.begin(appliedIndex);
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
        stored = new StoredLog(log, config, members, this::isCut, this::holdsReads, vote::refuse);
        place.mending().unstuck();
        stored.opened(Math.min(place.unread().index(), appliedIndex));
        lending.open();
        following = new Following(mailbox, stored, this::epoch);
        place.beginFollowing(following);
        mark = new AppliedMark(
                appliedIndex,
                log.epochOf(appliedIndex),
                members.at(appliedIndex).withoutLearner(place.self()),
                copying());
        retention = new Retention(
                new Retention.Parts(log, stored, lending, handOver, mark, following),
                place.config().electionTimeout(),
                clock,
                () -> leading,
                () -> replica.node().snapshot(status -> {}));
        told = new EngineEvents(place.self(), mailbox, events);
        replica = new RaftReplica(
                place,
                new EngineParts(new EngineLogStorage(mailbox, stored, members.forEngineOf(place.self())), vote, mark),
                told,
                progress);
        try {
            replica.start(this::serve);
            stored.requireSound();
        } catch (IOException e) {
            throw relief.reasonOf(e);
        }
        started = true;
    }

    private AppliedMark.Copying copying() {
        Arrivals arrivals = new Arrivals(place, config, mailbox, this::makesWay, this::arrived);
        return new AppliedMark.Copying(
                () -> lending.source(place.self().getEndpoint()).toString(), arrivals::from);
    }

    private void isCut() {
        handOver.letGo();
        lending.end();
    }

    private void arrived(IOException failed) {
        if (failed == null) {
            isReplaced();
        } else {
            broke(failed);
        }
    }

    private void isReplaced() {
        if (!replaced && !stopped && !closed) {
            replaced = true;
            listener.onReplaced();
        }
    }

    private void handOverLead(RaftPeer to) {
        successor = Optional.of(to);
        if (leading) {
            follow();
        } else {
            isReplaced(); // The engine has it lead, and it never could.
        }
    }

    /** Whom this replica, as the leader, has let leave to begin anew, and who has asked for it. From any thread. */
    public Leaves leaves() {
        return leaves;
    }

    /** Whether the disk is full, and who leads in place of this replica for that. From any thread. */
    public RoomElsewhere room() {
        return room;
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
        while (!stopped && !replaced && events.next()) {
            done++;
        }
        if (isWritable()) {
            done += changes.poll();
            done += proposals.propose(replica.node()) + lease.poll(replica.node());
            done += room.poll();
        }
        if (isMendable()) {
            done += relief.poll();
        }
        if (done > 0) {
            done += log.poll() + stored.poll();
            shownIndex = handOver.committedIndex();
        }
        return done + tellDurable() + tellStopped();
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
        leaves.reset();
        relief.lead();
        tellDurable();
        listener.onLeading(newEpoch);
        return true;
    }

    private boolean follow() {
        if (leading) {
            endLeading();
            listener.onFollowing(epoch);
        }
        return true;
    }

    private void endLeading() {
        leading = false;
        changes.end();
        proposals.clear();
        lease.end();
        lending.end();
        leaves.reset();
    }

    /** @return false where that has to be gone on with later */
    private boolean handOverTo(long index, long ofEpoch) {
        try {
            return handOver.upTo(index, ofEpoch);
        } catch (IOException e) {
            if (waitsForOthers()) {
                handOver.waits();
            } else if (!handOver.readAnew()) {
                broke(e);
            }
            return false;
        }
    }

    private boolean holdsReads() {
        return replaced || closed || waitsForOthers() && relief.mayHold();
    }

    /** Whether what cannot be read is waited for until this replica has handed over, or may leave: others have it. */
    private boolean waitsForOthers() {
        return isMendable() && log.failure().isEmpty() && relief.waits();
    }

    private void handOver(LogEntry entry) {
        if (leading && entry.configuration() && entry.epoch() == epoch && !proposals.isLeftOut(entry.index())) {
            // Who appended behind it was told other indexes.
            broke(new IOException("members were changed by entry " + entry.index() + ", without this log's knowledge"));
        }
        proposals.committed(entry.index());
        listener.onCommitted(CommittedEntry.of(entry));
    }

    private int tellDurable() {
        long index = config.sync() == LogConfig.Sync.INTERVAL
                ? handOver.committedIndex()
                : Math.min(handOver.committedIndex(), log.durableIndex());
        if (index <= durableIndex) {
            return 0;
        }
        durableIndex = index;
        listener.onDurable(index);
        return 1;
    }

    private void engineBroke(IOException cause) {
        if (!stored.isSealed()) {
            broke(cause); // It is refused everything otherwise, and may take that for a failure.
        }
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
        if (waitsForOthers()) {
            follow(); // The engine is told of no failure.
            return 0; // It stores nothing and has no vote until then, as if it were away.
        }
        endLeading();
        stopped = true;
        listener.onStopped(cause.get());
        return 1;
    }

    /** Whether others have what is damaged here, and this one still runs. */
    private boolean isMendable() {
        return started && !stopped && !replaced && !closed && !stored.isOfOne();
    }

    @Override
    public long deadlineNanos() {
        long deadline = Math.min(log.deadlineNanos(), lease.deadlineNanos());
        return isMendable() ? Math.min(deadline, relief.deadlineNanos()) : deadline;
    }

    @Override
    public Optional<PartitionChunk> read(int partition, long offset, int maxBytes, Runnable ready) {
        try {
            return log.read(partition, offset, maxBytes, ready);
        } catch (DamagedLogException e) {
            if (!isMendable() || !relief.isNeeded()) {
                throw e;
            }
            relief.hold(ready);
            return Optional.empty();
        }
    }

    @Override
    public void release(long imageIndex, IntToLongFunction neededFrom) {
        retention.release(imageIndex, neededFrom);
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
                handOver.committedIndex(),
                Math.min(handOver.committedIndex(), log.durableIndex()),
                epoch,
                log.segmentCount(),
                log.lengthBytes(),
                log.isFull(),
                log.damage().map(Damage::toString).orElse(place.mending().damage()),
                stopped);
    }

    /** Hands leadership on where there is somebody, ends the replica, and closes the log. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        closedNanos = clock.nanos();
        leading = false;
        changes.end();
        lending.close();
        if (following != null) {
            place.endFollowing(following);
        }
        if (replica != null) {
            replica.close(this::serveLast, successor, () -> mailbox.offer(stored::letGo));
            stored.stop();
            place.unread().endedAt(stored.readFrom() - 1);
        }
        mailbox.close();
        log.close();
    }

    /** Whatever happens here, no thread of the engine is left waiting: several groups share them. */
    private int serveLast() {
        try {
            if (clock.nanos() - closedNanos
                    >= TIMEOUTS_TO_END * place.config().electionTimeout().toNanos()) {
                stored.letGo(); // Who hands over may wait for who waits for what is damaged.
                if (log.lacksRoom()) {
                    stored.stop(); // The engine would wait for it for ever; nobody was told that it is stored.
                }
            }
            return serve();
        } catch (RuntimeException e) {
            LOG.error("The log of a replica broke while that ended", e);
            stored.stop();
            mailbox.close();
            return 0;
        }
    }
}
