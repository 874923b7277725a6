package io.duramen.replication.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.error.RaftError;
import io.duramen.runtime.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes who belongs to a group, one change at a time, while this replica leads it. Who is added follows without a vote first, for as long as
 * it takes to have what this one has; then it gets its vote, in one decision with who loses his where it takes somebody's place. The
 * engine decides, by entries of its own, and for as long as it takes to get those into the log what is appended is held back (see
 * {@link Proposals}). When the leadership ends in between, the group has the members that its log tells: those from before, with one more
 * that follows, or the new ones.
 *
 * <p>Who had a vote and lost it does not come back under its name: so nobody ever votes who has forgotten a vote. Confined to the
 * agent, but for what says otherwise.
 */
public final class MemberChanges {
    private static final Logger LOG = LoggerFactory.getLogger(MemberChanges.class);
    private static final int VOTERS_MAX = 7;

    /** Who lacks no more than so many entries has them before anybody notices that some are held back. */
    private static final long LAG_MAX = 512;

    /** A change that holds appends back for so many election timeouts gives the leadership up instead. */
    private static final int TIMEOUTS_HELD = 4;

    private final RaftReplica.Place place;
    private final Leading leading;
    private final Proposals proposals;
    private final Copies copies;
    private final Progress progress;
    private final Mailbox mailbox;
    private final Clock clock;

    /** Null for none. */
    private volatile Change change;

    private volatile String lastOutcome = "";

    /** Whether this replica leads: who leads has its first entry committed, and with it who belongs to the group. */
    private volatile boolean leads;

    /**
     * What the replica tells of itself.
     *
     * @param newFiller an entry without records
     * @param giveUp has it lead no more
     */
    record Leading(
            BooleanSupplier isLeased,
            Supplier<Node> node,
            LongSupplier lastIndex,
            Supplier<Members> members,
            Supplier<ByteBuffer> newFiller,
            Runnable giveUp) {}

    /** @param keepsVotes whether who is added may have had a vote before */
    private record Wanted(Optional<RaftPeer> added, Optional<RaftPeer> removed, boolean keepsVotes) {}

    private enum Phase {
        /** Something was appended before, and is not in the log yet. */
        CLEARING,
        /** The engine decides. */
        DECIDING,
        /** Who is added gets what this replica has; nothing is held back. */
        FOLLOWING
    }

    /**
     * @param entries of the engine's that it takes
     * @param adds whether somebody gets a vote, and so has to be caught up with
     */
    private record Step(Members members, int entries, boolean adds) {}

    private static final class Change {
        private final Optional<RaftPeer> added;
        private final Optional<RaftPeer> removed;
        private final CompletableFuture<String> answer;
        private final ArrayDeque<Step> steps = new ArrayDeque<>();
        private volatile Phase phase = Phase.FOLLOWING;
        private boolean decided;

        /** Why the engine has left the steps that are left undone; null for no such thing. */
        private String refusal;

        private long heldNanos;

        Change(Optional<RaftPeer> added, Optional<RaftPeer> removed, CompletableFuture<String> answer) {
            this.added = added;
            this.removed = removed;
            this.answer = answer;
        }

        @Override
        public String toString() {
            return added.map(peer -> "adding " + peer).orElse("")
                    + removed.map(peer -> (added.isPresent() ? " in place of " : "removing ") + peer.name())
                            .orElse("");
        }
    }

    /** What it has to do with. */
    record Parts(Proposals proposals, Copies copies, Progress progress, Mailbox mailbox, Clock clock) {}

    MemberChanges(RaftReplica.Place place, Leading leading, Parts parts) {
        this.place = place;
        this.leading = leading;
        this.proposals = parts.proposals;
        this.copies = parts.copies;
        this.progress = parts.progress;
        this.mailbox = parts.mailbox;
        this.clock = parts.clock;
    }

    /**
     * Adds one, or goes on with adding one that follows already. From any thread.
     *
     * @return what was begun, once the one that is added may begin to follow; fails with an {@link IllegalStateException} that says why
     *     nothing was begun
     */
    public CompletableFuture<String> add(RaftPeer added) {
        return add(added, false);
    }

    /**
     * As {@link #add(RaftPeer)}.
     *
     * @param keepsVotes whether that node has kept what it had voted, where it had a vote before
     */
    public CompletableFuture<String> add(RaftPeer added, boolean keepsVotes) {
        return later(answer -> begin(new Wanted(Optional.of(added), Optional.empty(), keepsVotes), answer));
    }

    /**
     * Removes one, or has one that was to be added follow no more. Where it is this replica, another leads then. From any thread.
     *
     * @return what was done, once it is decided; fails as {@link #add} does, or where it is not known whether it was
     */
    public CompletableFuture<String> remove(String name) {
        return later(answer -> begin(new Wanted(Optional.empty(), Optional.of(member(name)), false), answer));
    }

    /** Adds one, which takes the place of another once it has what this replica has. As {@link #add(RaftPeer, boolean)}. */
    public CompletableFuture<String> replace(String name, RaftPeer by, boolean keepsVotes) {
        return later(answer -> begin(new Wanted(Optional.of(by), Optional.of(member(name)), keepsVotes), answer));
    }

    /** Whether who belongs to the group is decided, and nothing of that under way, which only who leads knows. From any thread. */
    public boolean areDecided() {
        return leads && change == null && place.roster().isStable();
    }

    /** Nothing was begun, since this replica does not lead, or may not know it yet. */
    public static final class NotLeadingException extends IllegalStateException {
        NotLeadingException() {
            super("this node does not lead, or no majority of the nodes answers it");
        }
    }

    private interface Beginning {
        void begin(CompletableFuture<String> answer);
    }

    private CompletableFuture<String> later(Beginning beginning) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        boolean taken = mailbox.offer(() -> {
            try {
                beginning.begin(answer);
            } catch (IllegalStateException e) {
                answer.completeExceptionally(e);
            }
        });
        if (!taken) {
            answer.completeExceptionally(new IllegalStateException("this node's shard ends"));
        }
        return answer;
    }

    /** What is changed, and how far that is, or how the last change ended; empty for nothing since this replica leads. From any thread. */
    public String state() {
        Change now = change;
        if (now == null) {
            return lastOutcome;
        }
        if (now.phase != Phase.FOLLOWING) {
            return now + ": it is being decided";
        }
        RaftPeer added = now.added.orElseThrow();
        return now + ": "
                + progress.of(added)
                        .map(reached -> added.name() + " follows, and lacks "
                                + Math.max(0, leading.lastIndex.getAsLong() - reached.index()) + " entries")
                        .orElse(added.name() + " has not answered yet; it copies what this node has, once it is started"
                                + " with cluster.join=true");
    }

    /** Whether a change is. From any thread. */
    public boolean isUnderWay() {
        return change != null;
    }

    private RaftPeer member(String name) {
        return place.roster()
                .peer(name)
                .orElseThrow(() -> new IllegalStateException("'" + name + "' is none of the cluster's nodes: "
                        + names(place.roster().everyone())));
    }

    private static List<String> names(List<RaftPeer> peers) {
        return peers.stream().map(RaftPeer::name).toList();
    }

    private void begin(Wanted wanted, CompletableFuture<String> answer) {
        Optional<RaftPeer> added = wanted.added;
        Optional<RaftPeer> removed = wanted.removed;
        requireNone(added, removed);
        if (!leading.isLeased.getAsBoolean()) {
            throw new NotLeadingException();
        }
        added.ifPresent(peer -> requireNew(peer, wanted));
        Members now = leading.members.get();
        Optional<RaftPeer> joining = removed.filter(peer -> now.learners().contains(peer.toEngine()));
        if (joining.isPresent() && added.isPresent()) {
            throw new IllegalStateException(joining.get().name() + " has no vote yet that another could get");
        }
        if (joining.isEmpty()) {
            requireMajority(added, removed);
        }
        change = new Change(added, removed, answer);
        place.roster().expect(added);
        LOG.info("Who belongs to {} changes: {}", place.config().group(), change);
        if (joining.isPresent()) {
            decide(now.withoutLearner(joining.get().toEngine()));
        } else if (added.isEmpty()) {
            decide(now.withoutPeer(removed.orElseThrow().toEngine()));
        } else if (!now.learners().contains(added.get().toEngine())) {
            progress.begins(added.get());
            decide(now.withLearner(added.get().toEngine()));
        } else {
            answer.complete(change + " goes on");
        }
    }

    /** One at a time; but who is to be added may be left out again before it is. */
    private void requireNone(Optional<RaftPeer> added, Optional<RaftPeer> removed) {
        Change running = change;
        if (running == null) {
            return;
        }
        if (running.phase == Phase.FOLLOWING && added.isEmpty() && running.added.equals(removed)) {
            ended(running + " was given up");
            return;
        }
        throw new IllegalStateException("another change is under way: " + state());
    }

    private void requireNew(RaftPeer added, Wanted wanted) {
        Roster roster = place.roster();
        if (names(roster.voters()).contains(added.name())) {
            throw new IllegalStateException(
                    added.name() + " belongs to the cluster already: " + names(roster.voters()));
        }
        if (roster.hasVoted(added.name()) && !wanted.keepsVotes) {
            throw new IllegalStateException("a node of the name " + added.name() + " was removed from the cluster, and"
                    + " what it had voted is not to be forgotten: give the new one another name");
        }
        for (RaftPeer known : roster.everyone()) {
            boolean sameAddress = known.host().equals(added.host()) && known.port() == added.port();
            if (!known.equals(added) && (known.name().equals(added.name()) || sameAddress)) {
                throw new IllegalStateException(
                        added + " has the name or the address of " + known + ", which belongs to the cluster");
            }
        }
        for (RaftPeer known : roster.joining()) {
            if (!known.equals(added)) {
                throw new IllegalStateException(known + " is to be added as well: add or remove that first");
            }
        }
        if (roster.voters().size() - wanted.removed.map(peer -> 1).orElse(0) >= VOTERS_MAX) {
            throw new IllegalStateException("a cluster has " + VOTERS_MAX + " nodes at most");
        }
    }

    private void requireMajority(Optional<RaftPeer> added, Optional<RaftPeer> removed) {
        List<RaftPeer> after = new ArrayList<>(place.roster().voters());
        removed.ifPresent(after::remove);
        added.ifPresent(after::add);
        if (after.isEmpty()) {
            throw new IllegalStateException(removed.orElseThrow().name() + " is the only node that "
                    + place.config().group() + " is on");
        }
        int needed = after.size() / 2 + 1;
        List<RaftPeer> inSync = after.stream()
                .filter(peer -> added.equals(Optional.of(peer)) || isInSync(peer))
                .toList();
        if (inSync.size() < needed) {
            throw new IllegalStateException(
                    place.config().group() + " would be on the nodes " + names(after) + ", and of these only "
                            + names(inSync) + " are in sync: it takes " + needed + " to decide anything");
        }
        if (place.config().copiesMin() > after.size()) {
            throw new IllegalStateException(place.config().group() + " would be on " + after.size()
                    + " nodes, and what is persistent has to be on "
                    + place.config().copiesMin()
                    + " (cluster.min-in-sync)");
        }
    }

    private boolean isInSync(RaftPeer peer) {
        return peer.equals(place.config().self()) || copies.isInSync(peer);
    }

    private void decide(Members... steps) {
        Members before = leading.members.get();
        for (Members step : steps) {
            // The engine goes over old and new voters together where these change.
            boolean adds = !before.peers().containsAll(step.peers());
            change.steps.add(new Step(step, step.peers().equals(before.peers()) ? 1 : 2, adds));
            before = step;
        }
        proposals.hold(entriesOf(change.steps)
                + (int) change.steps.stream().filter(Step::adds).count());
        change.decided = false;
        change.heldNanos = clock.nanos();
        change.phase = Phase.CLEARING;
    }

    private static int entriesOf(ArrayDeque<Step> steps) {
        return steps.stream().mapToInt(Step::entries).sum();
    }

    /** Moves a change along; returns how many things were done. Only while this replica leads. */
    int poll() {
        leads = true;
        Change now = change;
        if (now == null) {
            return 0;
        }
        boolean done = switch (now.phase) {
            case CLEARING -> clear(now);
            case DECIDING -> goOn(now);
            case FOLLOWING -> promote(now);
        };
        if (now.phase != Phase.FOLLOWING
                && now == change
                && clock.nanos() - now.heldNanos
                        > TIMEOUTS_HELD * place.config().electionTimeout().toNanos()) {
            LOG.warn("{} was not decided in time: this node leads no more", now);
            leading.giveUp.run();
            return 1;
        }
        return done ? 1 : 0;
    }

    private boolean clear(Change now) {
        if (!proposals.isNextLeftOut(leading.lastIndex.getAsLong())) {
            return false;
        }
        now.phase = Phase.DECIDING;
        ask(now);
        return true;
    }

    /** On a thread of its own: the engine may have to wait for what this agent does. */
    private void ask(Change now) {
        Step next = now.steps.element();
        Members step = next.members;
        Node node = leading.node.get();
        Runnable change = () -> {
            try {
                node.changePeers(
                        new Configuration(step.peers(), step.learners()),
                        status -> mailbox.offer(() -> answered(now, status)));
                if (next.adds) {
                    mailbox.offer(() -> push(now, node));
                }
            } catch (RuntimeException e) {
                LOG.warn("The engine does not take {}", now, e);
                mailbox.offer(() -> answered(now, new Status(RaftError.EINTERNAL, "%s", e)));
            }
        };
        new Thread(change, "members-" + place.config().group()).start();
    }

    /**
     * The engine looks at whether a new voter has caught up only when that answers an append; what it answered before the engine
     * began to look is lost, and nothing else is appended now.
     */
    private void push(Change now, Node node) {
        if (now == change && now.phase == Phase.DECIDING) {
            proposals.push(node, leading.newFiller.get());
        }
    }

    private void answered(Change now, Status status) {
        if (now != change || now.phase != Phase.DECIDING) {
            return;
        }
        if (status.isOk()) {
            now.steps.poll();
            if (now.steps.isEmpty()) {
                now.decided = true;
            } else {
                ask(now);
            }
        } else if (status.getRaftError() == RaftError.ECATCHUP) {
            now.refusal = status.getErrorMsg();
        } else if (status.getRaftError() != RaftError.EPERM) {
            LOG.warn("{} failed, and this node leads no more: {}", now, status);
            leading.giveUp.run();
        }
        // Where this replica leads no more, which is the rest, it is told so.
    }

    /** Nothing of the steps that are left is in the log, nor will it be; what is of those before may be on its way. */
    private boolean fail(Change now) {
        int missing = entriesOf(now.steps);
        if (leading.lastIndex.getAsLong() < proposals.leftOutTo() - missing) {
            return false;
        }
        List<ByteBuffer> filler = new ArrayList<>();
        for (int i = 0; i < missing; i++) {
            filler.add(leading.newFiller.get());
        }
        proposals.goOn(filler);
        now.answer.completeExceptionally(new IllegalStateException(now + " failed: " + now.refusal));
        ended(now + " failed: " + now.refusal);
        return true;
    }

    private boolean goOn(Change now) {
        boolean done = false;
        if (proposals.isHolding() && leading.lastIndex.getAsLong() >= proposals.leftOutTo()) {
            proposals.goOn(List.of());
            done = true;
        }
        if (now.decided && !proposals.isHolding()) {
            decided(now);
            done = true;
        }
        return done;
    }

    private void decided(Change now) {
        boolean joins = now.added.isPresent()
                && leading.members.get().learners().contains(now.added.get().toEngine());
        if (joins) {
            now.phase = Phase.FOLLOWING;
            now.answer.complete(now + ": it may be started, with cluster.join=true");
        } else {
            now.answer.complete(now + " is done");
            ended(now + " is done");
        }
    }

    /** Gives a vote to who has followed long enough. */
    private boolean promote(Change now) {
        RaftPeer added = now.added.orElseThrow();
        boolean there = copies.isInSync(added)
                && progress.of(added)
                        .filter(reached -> leading.lastIndex.getAsLong() - reached.index() <= LAG_MAX)
                        .isPresent();
        if (!there || !leading.isLeased.getAsBoolean()) {
            return false;
        }
        try {
            requireMajority(now.added, now.removed);
        } catch (IllegalStateException e) {
            return false; // It follows until enough others are there.
        }
        Members follower = leading.members.get();
        Members without = follower.withoutLearner(added.toEngine());
        Members with = now.removed
                .map(peer -> without.withoutPeer(peer.toEngine()))
                .orElse(without)
                .withPeer(added.toEngine());
        decide(without, with);
        return true;
    }

    private void ended(String outcome) {
        LOG.info(
                "Who belongs to {}: {}; now it is {}",
                place.config().group(),
                outcome,
                names(place.roster().everyone()));
        lastOutcome = outcome;
        change = null;
        place.roster().expect(Optional.empty());
    }

    /** This replica leads no more. */
    void end() {
        leads = false;
        Change now = change;
        lastOutcome = "";
        change = null;
        place.roster().expect(Optional.empty());
        if (now == null) {
            return;
        }
        boolean gone = now.added.isEmpty()
                && now.removed.filter(peer -> !place.roster().has(peer)).isPresent();
        if (gone && now.removed.equals(Optional.of(place.config().self()))) {
            now.answer.complete(now + " is done, and another node leads");
        } else {
            now.answer.completeExceptionally(new IllegalStateException("this node leads no more; whether " + now
                    + " was decided, the list of nodes tells at the one that does"));
        }
    }
}
