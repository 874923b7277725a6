package io.duramen.replication.raft;

import io.duramen.replication.ReplicatedLog.Shortage;
import io.duramen.runtime.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * On how many disks what this replica has is, while it leads, and whether these are as many as is asked for beyond a majority. Confined
 * to the agent, but for {@link #isInSync}, {@link #isInSyncSince} and {@link #rows}, which any thread may ask.
 */
final class Copies {
    /** A replica that has not answered for so many election timeouts, with all that was committed then, is not in sync. */
    private static final int TIMEOUTS_IN_SYNC = 2;

    private final RaftConfig config;
    private final Roster roster;
    private final Progress progress;
    private final Clock clock;
    private final long inSyncNanos;

    /** As they were when they were looked at last. */
    private List<RaftPeer> voters = List.of();

    private List<RaftPeer> others = List.of();
    private long[] stored = {};
    private long leadsSinceNanos;
    private long keptIndex;

    Copies(RaftReplica.Place place, Progress progress, Clock clock) {
        this.config = place.config();
        this.roster = place.roster();
        this.progress = progress;
        this.clock = clock;
        this.inSyncNanos = TIMEOUTS_IN_SYNC * config.electionTimeout().toNanos();
    }

    /** Whether more have to keep an entry than decide about it. */
    private boolean asksBeyondMajority() {
        List<RaftPeer> now = roster.voters();
        if (now != voters) {
            voters = now;
            others = now.stream().filter(peer -> !peer.equals(config.self())).toList();
            stored = new long[others.size()];
        }
        return config.copiesMin() > voters.size() / 2 + 1;
    }

    /** Whether another replica, which this one leads, has what is committed. */
    boolean isInSync(RaftPeer other) {
        long now = clock.nanos();
        return progress.of(other)
                .flatMap(Progress.Reached::inSyncNanos)
                .filter(at -> now - at <= inSyncNanos)
                .isPresent();
    }

    /** Whether it was asked something from that moment on, and had all that was committed then; from any thread. */
    boolean isInSyncSince(RaftPeer other, long sinceNanos) {
        return progress.of(other)
                .flatMap(Progress.Reached::inSyncNanos)
                .filter(at -> at - sinceNanos > 0)
                .isPresent();
    }

    /** From here on this replica leads: the others get a while to answer. */
    void lead() {
        leadsSinceNanos = clock.nanos();
        keptIndex = 0;
    }

    /** See {@link io.duramen.replication.ReplicatedLog#keptIndex}. */
    long keptIndex(long durableIndex) {
        if (!asksBeyondMajority()) {
            return Long.MAX_VALUE;
        }
        int byOthersMin = config.copiesMin() - (voters.size() - others.size());
        if (byOthersMin > others.size()) {
            return keptIndex;
        }
        for (int i = 0; i < stored.length; i++) {
            stored[i] = progress.of(others.get(i))
                    .map(Progress.Reached::storedIndex)
                    .orElse(0L);
        }
        Arrays.sort(stored);
        long byOthers = stored[stored.length - byOthersMin];
        keptIndex = Math.max(keptIndex, Math.min(durableIndex, byOthers));
        return keptIndex;
    }

    /** See {@link io.duramen.replication.ReplicatedLog#shortage}. */
    Optional<Shortage> shortage() {
        if (!asksBeyondMajority() || clock.nanos() - leadsSinceNanos <= inSyncNanos) {
            return Optional.empty();
        }
        int inSync = 1 + (int) others.stream().filter(this::isInSync).count();
        return inSync >= config.copiesMin()
                ? Optional.empty()
                : Optional.of(new Shortage(inSync, config.copiesMin(), voters.size()));
    }

    /**
     * All replicas of the group; from any thread.
     *
     * @param leads whether this one does, which alone knows how far the others are
     */
    List<ReplicaRow> rows(boolean leads, long lastIndex) {
        return roster.everyone().stream()
                .map(peer -> row(peer, leads, lastIndex))
                .toList();
    }

    private ReplicaRow row(RaftPeer peer, boolean leads, long lastIndex) {
        boolean votes = !roster.joining().contains(peer);
        if (!leads) {
            return new ReplicaRow(peer, votes, Optional.empty(), Optional.empty(), false);
        }
        if (peer.equals(config.self())) {
            return new ReplicaRow(peer, votes, Optional.of(0L), Optional.of(0L), true);
        }
        long now = clock.nanos();
        Optional<Progress.Reached> reached = progress.of(peer);
        return new ReplicaRow(
                peer,
                votes,
                reached.map(there -> Math.max(0, lastIndex - there.index())),
                reached.map(there -> TimeUnit.NANOSECONDS.toMillis(now - there.heardNanos())),
                isInSync(peer));
    }
}
