package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.PeerLinks;
import io.duramen.acceptance.process.StormSeed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The storm over three nodes of a cluster: the one that leads is killed, halted, cut off or has no room, and the network between them breaks
 * in each way in which it can, one after the other; besides, clocks are put ahead and back, and another's disk is full. Each once in every
 * build, and a few over several shards, which the same node has to lead; with the profile {@code storm}, or {@code -Dcluster.minutes=30} and
 * {@code -Dcluster.shard-rounds=50}, for longer.
 *
 * <p>Clocks need libfaketime (in Debian the package {@code faketime}), disks the right to mount; what this machine cannot do is left out, and
 * told. With {@code -Dstorm.complete=true} it fails then.
 */
class ClusterStormIT {
    private static final int SHARDS = 3;
    private static final int DISK_MEBIBYTES = 512;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 180, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseWhateverHappensToTheNodesAndTheNetwork() throws Exception {
        int minutes = Integer.getInteger("cluster.minutes", 0);
        int rounds = Integer.getInteger("cluster.rounds", 10);
        storm(() -> minutes > 0 ? Rounds.during(Duration.ofMinutes(minutes)) : Rounds.times(rounds), 1);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseOverSeveralShardsWhateverHappensToTheNodesAndTheNetwork() throws Exception {
        int rounds = Integer.getInteger("cluster.shard-rounds", 3);
        storm(() -> Rounds.times(rounds), SHARDS);
    }

    private void storm(Supplier<Rounds> length, int shards) throws Exception {
        long seed = StormSeed.next();
        try (PeerLinks links = new PeerLinks();
                ClusterProcess cluster = cluster(links).withShards(shards)) {
            boolean clocks = cluster.withClocks();
            boolean disks = cluster.withDisks(DISK_MEBIBYTES);
            tell(clocks, disks);
            Rounds rounds = length.get();
            String name = "cluster storm of " + rounds + ", " + shards + " shards, seed " + seed;
            Storm.overCluster(
                    new Trouble(cluster, links, seed, clocks, disks),
                    name,
                    seed,
                    rounds,
                    new Tokens(name, cluster, seed),
                    new Operators(cluster));
        }
    }

    private static void tell(boolean clocks, boolean disks) {
        String missing = (clocks ? "" : "; no libfaketime: clocks are left alone")
                + (disks ? "" : "; not allowed to mount: disks are not filled");
        if (!missing.isEmpty()) {
            assertThat(Boolean.getBoolean("storm.complete"))
                    .as("storm.complete" + missing)
                    .isFalse();
            System.out.println("The storm is not complete here" + missing);
        }
    }

    /**
     * What is rolled back comes again at once and in its place, however often: the checker knows no other order. Small segments of which none
     * is kept spare, and images often: a full disk is noticed soon.
     */
    private ClusterProcess cluster(PeerLinks links) {
        return ClusterProcess.over(links, directory)
                .with("log.segment-size", "2MiB")
                .with("log.reserve", "128KiB")
                .with("log.spare-segments", "0")
                .with("metadata.snapshot-every", "20s")
                .with("metadata.snapshot-bytes", "32MiB")
                .with("broker.deliveries-max", "0")
                .with("broker.redelivery-delay", "0s");
    }
}
