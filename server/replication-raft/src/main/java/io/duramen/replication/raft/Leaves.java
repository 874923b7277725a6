package io.duramen.replication.raft;

import io.duramen.runtime.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom the leader lets leave, to begin anew in place of a damaged log: one at a time, and only while the others can do without it. Confined
 * to the agent, but for {@link #leaving} and {@link #isDamaged}.
 */
final class Leaves {
    private static final Logger LOG = LoggerFactory.getLogger(Leaves.class);

    /**
     * Who was let go counts as gone for so many election timeouts: longer than the permission is good for, and than it takes
     * until one that is gone is not in sync any more. Afterwards that tells.
     */
    static final int TIMEOUTS_HELD = 12;

    /** Who has asked within so many election timeouts has a damaged log. */
    private static final int TIMEOUTS_DAMAGED = 3;

    private final RaftConfig config;
    private final Roster roster;
    private final Copies copies;
    private final Clock clock;
    private final Supplier<Optional<String>> hindrance;
    private final Map<String, Long> askedNanos = new ConcurrentHashMap<>();
    private long grantedNanos;

    /** Whom it was granted last in this leadership; empty for nobody. */
    private volatile String granted = "";

    /** @param hindrance why this replica can let nobody go at present, whoever it is */
    Leaves(RaftReplica.Place place, Copies copies, Clock clock, Supplier<Optional<String>> hindrance) {
        this.config = place.config();
        this.roster = place.roster();
        this.copies = copies;
        this.clock = clock;
        this.hindrance = hindrance;
    }

    /** A leadership begins or ends: what was granted before was by another. */
    void reset() {
        granted = "";
        askedNanos.clear();
    }

    /** Why that one has to stay for now; empty where it may leave, from now on. */
    Optional<String> refusal(String asker) {
        List<RaftPeer> voters = roster.voters();
        if (voters.stream().noneMatch(voter -> voter.name().equals(asker))) {
            return Optional.of("'" + asker + "' has no vote here");
        }
        askedNanos.put(asker, clock.nanos());
        Optional<String> refused = hindrance.get().or(() -> tooFew(voters, asker));
        if (refused.isEmpty()) {
            granted = asker;
            grantedNanos = clock.nanos();
            LOG.info("{} leaves, and begins anew: its log is damaged, and the others can do without it", asker);
        }
        return refused;
    }

    private Optional<String> tooFew(List<RaftPeer> voters, String asker) {
        if (isHeld() && !granted.equals(asker)) {
            return Optional.of(granted + " leaves");
        }
        long inSync = voters.stream()
                .filter(voter -> !voter.name().equals(asker))
                .filter(voter -> voter.equals(config.self()) || copies.isInSync(voter))
                .count();
        int needed = Math.max(config.copiesMin(), voters.size() / 2 + 1);
        return inSync >= needed
                ? Optional.empty()
                : Optional.of("without it " + inSync + " would be in sync, and it takes " + needed);
    }

    private boolean isHeld() {
        return !granted.isEmpty()
                && clock.nanos() - grantedNanos
                        < TIMEOUTS_HELD * config.electionTimeout().toNanos();
    }

    /** Whether that one has a damaged log, too, as far as it has asked lately. From any thread. */
    boolean isDamaged(RaftPeer peer) {
        Long asked = askedNanos.get(peer.name());
        return asked != null
                && clock.nanos() - asked
                        < TIMEOUTS_DAMAGED * config.electionTimeout().toNanos();
    }

    /** Whom this leader has let go, and who is not in sync again; from any thread. */
    Optional<String> leaving() {
        String name = granted;
        return roster.voters().stream()
                .filter(voter -> voter.name().equals(name) && !copies.isInSync(voter))
                .map(RaftPeer::name)
                .findFirst();
    }
}
