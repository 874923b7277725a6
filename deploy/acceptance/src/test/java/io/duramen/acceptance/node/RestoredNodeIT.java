package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.DirectoryCopy;
import io.duramen.acceptance.process.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of a cluster whose directory is put back from a copy that is older than the node was. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class RestoredNodeIT {
    private static final int BODY_CHARS = 200;
    private static final String HINT = "start the node with cluster.join=true while all others run";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    private Path directory;

    /** Goal: it is refused, the others keep all, also when they are killed, and with what it is told to do all is well again. */
    @Test
    void shouldRefuseADirectoryFromACopyAndTakeTheNodeInAgainWithAnEmptyOne() throws Exception {
        try (ClusterProcess cluster = ClusterProcess.in(directory)) {
            cluster.begin();
            cluster.awaitInSync();
            QueueLoad load = new QueueLoad(cluster.url(), "orders");
            load.send(0, 100, BODY_CHARS);
            List<ServerProcess> others = otherThan(cluster, cluster.awaitLeader());
            ServerProcess restored = others.get(0);
            DirectoryCopy copy = stopAndCopy(restored);
            restored.start();
            cluster.awaitInSync();
            load.send(100, 200, BODY_CHARS);
            assertThat(restored.terminate()).isZero();
            copy.putBack();

            assertThat(restored.startAndFail()).as(restored.output()).isNotZero();
            assertThat(restored.output()).contains("older than the node was").contains(HINT);
            for (ServerProcess other : otherThan(cluster, restored)) {
                other.kill();
            }
            for (ServerProcess other : otherThan(cluster, restored)) {
                other.start();
            }
            cluster.awaitLeader();
            assertThat(restored.startAndFail()).as(restored.output()).isNotZero();
            load.send(200, 210, BODY_CHARS);

            copy.deleteOriginal();
            restored.with("cluster.join", "true").start();
            cluster.awaitInSync();
            cluster.awaitLeader().kill();
            cluster.awaitLeader();
            load.receive(0, 210);
            load.expectNothing();
        }
    }

    /**
     * Goal: the two that have what was confirmed are gone, one with its machine and one by being put back; the third was away when it was
     * sent, but knows that the other had run since. They do not go on without it.
     */
    @Test
    void shouldNotServeWithoutWhatTheRestoredNodeHasForgotten() throws Exception {
        try (ClusterProcess cluster = ClusterProcess.in(directory)) {
            cluster.begin();
            cluster.awaitInSync();
            QueueLoad load = new QueueLoad(cluster.url(), "orders");
            ServerProcess leader = cluster.awaitLeader();
            ServerProcess restored = otherThan(cluster, leader).get(0);
            ServerProcess away = otherThan(cluster, leader).get(1);
            DirectoryCopy copy = stopAndCopy(restored);
            restored.start();
            cluster.awaitInSync();
            away.kill();
            load.send(0, 100, BODY_CHARS);
            leader.kill();
            restored.kill();
            copy.putBack();

            restored.start(); // There is nobody who knows.
            away.start();
            awaitSaid(restored, "takes no part");
            assertThat(restored.output()).contains(HINT);
            leader.start();

            assertThat(cluster.awaitLeader()).isNotSameAs(restored);
            load.receive(0, 100);
            load.expectNothing();
        }
    }

    private DirectoryCopy stopAndCopy(ServerProcess node) throws Exception {
        assertThat(node.terminate()).isZero();
        return DirectoryCopy.of(node.data(), directory.resolve("copy"));
    }

    private static List<ServerProcess> otherThan(ClusterProcess cluster, ServerProcess one) {
        return cluster.nodes().stream().filter(node -> node != one).toList();
    }

    private static void awaitSaid(ServerProcess node, String text) {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!node.output().contains(text)) {
            assertThat(System.nanoTime()).as(node.output()).isLessThan(endNanos);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
