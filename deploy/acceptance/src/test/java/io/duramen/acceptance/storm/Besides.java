package io.duramen.acceptance.storm;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What happens to a cluster besides, at the same time as a {@link Trouble}: the time of day of one node, or of all, is put ahead or back by
 * minutes, or the disk of a node that does not lead is full. Clocks stay as they were put until the next time. Used by one thread.
 */
final class Besides {
    private static final int AHEAD_SECONDS_MAX = 600;

    /** What may happen. */
    enum Kind {
        NOTHING,
        /** The time of day of the node that leads changes. */
        LEADER_JUMPS,
        /** That of one that does not lead. */
        OTHER_JUMPS,
        /** That of each, to another. */
        ALL_JUMP,
        /** A node that does not lead has no room. */
        OTHER_FULL
    }

    private final ClusterProcess cluster;
    private final SplittableRandom random;
    private final List<Kind> possible = new ArrayList<>();
    private final List<Kind> deck = new ArrayList<>();

    /**
     * @param clocks whether those of the nodes can be put
     * @param disks whether those of the nodes can be filled
     */
    Besides(ClusterProcess cluster, SplittableRandom random, boolean clocks, boolean disks) {
        this.cluster = cluster;
        this.random = random;
        possible.add(Kind.NOTHING);
        if (clocks) {
            possible.addAll(List.of(Kind.LEADER_JUMPS, Kind.OTHER_JUMPS, Kind.ALL_JUMP));
        }
        if (disks) {
            possible.add(Kind.OTHER_FULL);
        }
    }

    /**
     * Has something happen, each as often as any other as far as that fits.
     *
     * @param mayFill whether the cluster can do without room at the other node until the next time
     * @return what
     */
    Kind happen(ServerProcess leader, ServerProcess other, boolean mayFill) throws IOException {
        if (deck.isEmpty()) {
            deck.addAll(possible);
        }
        List<Kind> fitting =
                deck.stream().filter(kind -> mayFill || kind != Kind.OTHER_FULL).toList();
        if (fitting.isEmpty()) {
            return Kind.NOTHING;
        }
        Kind kind = fitting.get(random.nextInt(fitting.size()));
        deck.remove(kind);
        switch (kind) {
            case NOTHING -> {}
            case LEADER_JUMPS -> jump(leader);
            case OTHER_JUMPS -> jump(other);
            case ALL_JUMP -> {
                for (ServerProcess node : cluster.nodes()) {
                    jump(node);
                }
            }
            case OTHER_FULL -> cluster.fillDisk(other);
        }
        return kind;
    }

    private void jump(ServerProcess node) throws IOException {
        cluster.putClock(node, Duration.ofSeconds(random.nextInt(-AHEAD_SECONDS_MAX, AHEAD_SECONDS_MAX)));
    }
}
