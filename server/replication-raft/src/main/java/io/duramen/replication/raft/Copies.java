package io.duramen.replication.raft;

import io.duramen.replication.ReplicatedLog.Shortage;
import io.duramen.runtime.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * On how many disks what this replica has is, while it leads, and whether these are as many as is asked for beyond a majority. Confined
 * to the agent, but for {@link #isInSync}, which any thread may ask.
 */
final class Copies {
    /** A replica that has not answered for so many election timeouts, with all that was committed then, is not in sync. */
    private static final int TIMEOUTS_IN_SYNC = 2;

    private final RaftConfig config;
    private final List<RaftPeer> others;
    private final Progress progress;
    private final Clock clock;
    private final long inSyncNanos;
    private final long[] stored;
    private long leadsSinceNanos;
    private long keptIndex;

    Copies(RaftConfig config, Progress progress, Clock clock) {
        this.config = config;
        this.others = config.peers().stream()
                .filter(peer -> !peer.equals(config.self()))
                .toList();
        this.progress = progress;
        this.clock = clock;
        this.inSyncNanos = TIMEOUTS_IN_SYNC * config.electionTimeout().toNanos();
        this.stored = new long[others.size()];
    }

    /** Whether another replica, which this one leads, has what is committed. */
    boolean isInSync(RaftPeer other) {
        long now = clock.nanos();
        return progress.of(other)
                .flatMap(Progress.Reached::inSyncNanos)
                .filter(at -> now - at <= inSyncNanos)
                .isPresent();
    }

    /** From here on this replica leads: the others get a while to answer. */
    void lead() {
        leadsSinceNanos = clock.nanos();
        keptIndex = 0;
    }

    /** See {@link io.duramen.replication.ReplicatedLog#keptIndex}. */
    long keptIndex(long durableIndex) {
        if (!config.asksBeyondMajority()) {
            return Long.MAX_VALUE;
        }
        for (int i = 0; i < stored.length; i++) {
            stored[i] = progress.of(others.get(i))
                    .map(Progress.Reached::storedIndex)
                    .orElse(0L);
        }
        Arrays.sort(stored);
        long byOthers = stored[stored.length - (config.copiesMin() - 1)];
        keptIndex = Math.max(keptIndex, Math.min(durableIndex, byOthers));
        return keptIndex;
    }

    /** See {@link io.duramen.replication.ReplicatedLog#shortage}. */
    Optional<Shortage> shortage() {
        if (!config.asksBeyondMajority() || clock.nanos() - leadsSinceNanos <= inSyncNanos) {
            return Optional.empty();
        }
        int inSync = 1 + (int) others.stream().filter(this::isInSync).count();
        return inSync >= config.copiesMin()
                ? Optional.empty()
                : Optional.of(
                        new Shortage(inSync, config.copiesMin(), config.peers().size()));
    }
}
