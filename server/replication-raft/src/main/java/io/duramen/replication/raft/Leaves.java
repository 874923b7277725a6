package io.duramen.replication.raft;

import io.duramen.runtime.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom the leader lets leave, to begin anew in place of a damaged log: one node at a time, whatever shards it leaves, and only while the
 * others can do without it. Confined to the agent, but for what says otherwise.
 */
public final class Leaves {
    private static final Logger LOG = LoggerFactory.getLogger(Leaves.class);

    /**
     * Who was let go counts as gone for so many election timeouts: longer than the permission is good for, and than it takes
     * until one that is gone is not in sync any more. Afterwards that tells. Who is seen to be back does not count as gone.
     */
    static final int TIMEOUTS_HELD = 12;

    /** Who has asked within so many election timeouts has a damaged log. */
    private static final int TIMEOUTS_DAMAGED = 3;

    private final RaftConfig config;
    private final Roster roster;
    private final Copies copies;
    private final Clock clock;
    private final Mending mending;
    private final BooleanSupplier leads;
    private final BooleanSupplier stable;
    private final Map<String, Long> askedNanos = new ConcurrentHashMap<>();
    private final Mending.OtherShards others;

    /** Whom it was granted last in this leadership. */
    private volatile Grant granted = Grant.NONE;

    /**
     * Immutable.
     *
     * @param name empty for nobody
     * @param atNanos when
     * @param awayNanos when it has told last that it does not run; empty where it has not
     */
    private record Grant(String name, long atNanos, OptionalLong awayNanos) {
        private static final Grant NONE = new Grant("", 0, OptionalLong.empty());
    }

    /**
     * @param leads whether this replica does, beyond doubt
     * @param stable whether its members are not changed at the moment
     */
    Leaves(RaftReplica.Place place, Copies copies, Clock clock, BooleanSupplier leads, BooleanSupplier stable) {
        this.config = place.config();
        this.roster = place.roster();
        this.mending = place.mending();
        this.others = mending.others();
        this.copies = copies;
        this.clock = clock;
        this.leads = leads;
        this.stable = stable;
    }

    /** A leadership begins or ends: what was granted before was by another. */
    void reset() {
        granted = Grant.NONE;
        askedNanos.clear();
    }

    /** Why that one has to stay for now; empty where it may leave, from now on. */
    Optional<String> refusal(String asker) {
        List<RaftPeer> voters = roster.voters();
        if (voters.stream().noneMatch(voter -> voter.name().equals(asker))) {
            return Optional.of("'" + asker + "' has no vote here");
        }
        askedNanos.put(asker, clock.nanos());
        Optional<String> refused =
                hindrance().or(() -> gone().filter(name -> !name.equals(asker)).map(Leaves::leaves));
        refused = refused.or(() -> tooFew(voters, asker));
        if (refused.isPresent()) {
            return refused;
        }
        // Told before the other shards are asked, which do the same: of two that let different nodes go, one at least
        // sees it.
        Grant before = granted;
        granted = new Grant(asker, clock.nanos(), OptionalLong.empty());
        refused = others.leavingBut(asker).map(Leaves::leaves);
        if (refused.isPresent()) {
            granted = before;
        } else {
            LOG.info("{} leaves, and begins anew: its log is damaged, and the others can do without it", asker);
        }
        return refused;
    }

    /** Why this replica can let none of the others go. */
    private Optional<String> hindrance() {
        if (!leads.getAsBoolean()) {
            return Optional.of("this replica does not lead");
        }
        if (mending.isNeeded()) {
            return Optional.of("the leader's own log is damaged, and another is to lead first");
        }
        return stable.getAsBoolean() && roster.joining().isEmpty()
                ? Optional.empty()
                : Optional.of("the nodes of the cluster change");
    }

    private static String leaves(String name) {
        return name + " leaves";
    }

    private Optional<String> tooFew(List<RaftPeer> voters, String asker) {
        long inSync = voters.stream()
                .filter(voter -> !voter.name().equals(asker))
                .filter(voter -> voter.equals(config.self()) || copies.isInSync(voter) && others.areInSync(voter))
                .count();
        int needed = Math.max(config.copiesMin(), voters.size() / 2 + 1);
        return inSync >= needed
                ? Optional.empty()
                : Optional.of("without it " + inSync + " would be in sync, and it takes " + needed);
    }

    /** That one does not run, and may be about to copy. */
    void isAway(String asker) {
        Grant last = granted;
        if (last.name.equals(asker)) {
            granted = new Grant(asker, last.atNanos, OptionalLong.of(clock.nanos()));
        }
    }

    /** Who was let go, and counts as gone; from any thread. */
    public Optional<String> gone() {
        Grant last = granted;
        boolean held = clock.nanos() - last.atNanos
                < TIMEOUTS_HELD * config.electionTimeout().toNanos();
        return Optional.of(last.name).filter(name -> !name.isEmpty() && held && !isBack(last));
    }

    /** Whether it was asked something since it was away, and had all that was committed then. */
    private boolean isBack(Grant last) {
        return last.awayNanos.isPresent()
                && roster.voters().stream()
                        .filter(voter -> voter.name().equals(last.name))
                        .anyMatch(voter -> copies.isInSyncSince(voter, last.awayNanos.getAsLong()));
    }

    /** Whether that one has a damaged log, too, as far as it has asked lately. From any thread. */
    public boolean isDamaged(RaftPeer peer) {
        Long asked = askedNanos.get(peer.name());
        return asked != null
                && clock.nanos() - asked
                        < TIMEOUTS_DAMAGED * config.electionTimeout().toNanos();
    }

    /** Whom this leader has let go, and who is not in sync again; from any thread. */
    public Optional<String> leaving() {
        Grant last = granted;
        return roster.voters().stream()
                .filter(voter -> voter.name().equals(last.name))
                .filter(voter -> !isBack(last) && (last.awayNanos.isPresent() || !copies.isInSync(voter)))
                .map(RaftPeer::name)
                .findFirst();
    }
}
