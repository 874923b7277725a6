package io.duramen.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.node.shard.Logs.Due;
import io.duramen.replication.raft.RaftPeer;
import io.duramen.replication.raft.ReplicaRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What node n1 is to have, of four shards, by what n2 says that leads. */
class HoldingsTest {
    private static final int SHARDS = 4;
    private static final long EPOCH = 5;

    @TempDir
    private Path data;

    private Holdings holdings;

    @BeforeEach
    void start() throws IOException {
        holdings = new Holdings("n1", ClusterFiles.start(data, "n1"), SHARDS);
    }

    @Test
    void shouldDropAReplicaOnlyOnceItsLeaderOfNowHasDecidedSo() {
        said("n3", 2, true, EPOCH, "n2", "n3");
        assertThat(holdings.due(2)).as("by another than leads").isEqualTo(Due.NOTHING);
        said("n2", 2, false, EPOCH, "n2", "n3");
        assertThat(holdings.due(2)).as("not decided").isEqualTo(Due.NOTHING);
        said("n2", 2, true, EPOCH - 1, "n2", "n3");
        assertThat(holdings.due(2)).as("of an earlier leadership").isEqualTo(Due.NOTHING);

        said("n2", 2, true, EPOCH, "n2", "n3");

        assertThat(holdings.due(2)).isEqualTo(Due.DROP);
        assertThat(holdings.has(2)).isTrue();
        said("n2", 2, true, EPOCH, "n1", "n2");
        assertThat(holdings.due(2)).as("it belongs to it again").isEqualTo(Due.NOTHING);
    }

    @Test
    void shouldNeverDropTheShardWithTheCatalogue() {
        said("n2", 0, true, EPOCH, "n2", "n3");

        assertThat(holdings.due(0)).isEqualTo(Due.NOTHING);
    }

    @Test
    void shouldTakeWhatItIsNamedForAndRememberAcrossStarts() throws IOException {
        holdings.dropped(2);
        holdings.votersIn(2, List.of("n2", "n3"));
        start();
        assertThat(holdings.has(2)).isFalse();
        assertThat(holdings.votersIn(2)).containsExactly("n2", "n3");

        said("n2", 2, false, EPOCH, "n1", "n2");
        assertThat(holdings.due(2)).isEqualTo(Due.TAKE);
        holdings.taken(2);

        assertThat(holdings.due(2)).isEqualTo(Due.NOTHING);
        start();
        assertThat(holdings.has(2)).isTrue();
        assertThat(holdings.votersIn(2)).isEmpty();
    }

    /** As that node says it, which n2 leads, to a replica that knows of {@link #EPOCH}. */
    private void said(String node, int shard, boolean isDecided, long epoch, String... members) {
        List<ReplicaRow> rows = Stream.of(members)
                .map(name -> new ReplicaRow(new RaftPeer(name, "h", 1), true, Optional.empty(), Optional.empty(), true))
                .toList();
        holdings.said(node, new ShardStanding(shard, Optional.of("n2"), epoch, 0, rows, "", isDecided), EPOCH);
    }
}
