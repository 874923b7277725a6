package io.duramen.node;

import static io.duramen.node.TestCluster.NAMES;
import static io.duramen.node.TestCluster.PATIENCE;
import static io.duramen.node.TestCluster.bean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duramen.management.ClusterNodeRow;
import io.duramen.management.ClusterShardRow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators do about the nodes of a cluster in which each leads one of three shards: at any of them, for all. */
@Timeout(240)
class ClusterLeadersMembersTest {
    @TempDir
    private Path data;

    private TestCluster cluster;
    private TokenTraffic traffic;

    @BeforeEach
    void make() {
        cluster = new TestCluster(data)
                .with("cluster.leaders", "several")
                .with("log.shards", "3")
                .with("broker.partitions-of", "wide*=5");
        traffic = new TokenTraffic(cluster);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldAddANodeAndRemoveAnotherAtNodesThatLeadPartOnly() throws Exception {
        cluster.startAll();
        cluster.awaitSpread();
        traffic.send("wide", 0, 60);

        assertThat(bean("n2").add(cluster.address("n4"))).contains("adding n4@");
        cluster.join("n4");
        await().atMost(PATIENCE).until(() -> bean("n3").getChange().endsWith("is done"));
        cluster.awaitInSync(4);
        traffic.move("wide", "wide.too", 30);

        assertThat(bean("n3").remove("n1")).contains("removing n1 is done");
        cluster.stop("n1");
        cluster.awaitLedBy(List.of("n2", "n3", "n4"));
        cluster.awaitInSync(3);
        assertThat(bean("n4").list()).extracting(ClusterNodeRow::getName).containsExactly("n2", "n3", "n4");
        traffic.move("wide", "wide.too", 30);
        traffic.requireExactly("wide.too", 0, 60);
    }

    @Test
    void shouldReplaceANodeThatIsDead() throws Exception {
        cluster.startAll();
        cluster.awaitSpread();
        traffic.send("wide", 0, 30);
        cluster.stop("n3");
        cluster.awaitLedBy(List.of("n1", "n2"));

        assertThat(bean("n2").replace("n3", cluster.address("n4"))).contains("in place of n3");
        cluster.join("n4");

        await().atMost(PATIENCE).until(() -> bean("n1").getChange().endsWith("is done"));
        cluster.awaitInSync(3);
        assertThat(bean("n1").list()).extracting(ClusterNodeRow::getName).containsExactly("n1", "n2", "n4");
        traffic.requireExactly("wide", 0, 30);
    }

    @Test
    void shouldTellAtEachNodeHowFarAllAreAndHandOnWhatOneLeads() throws Exception {
        cluster.startAll();
        cluster.awaitSpread();
        cluster.awaitInSync(3);

        for (String node : NAMES) {
            await().atMost(PATIENCE).until(() -> bean(node).getInSync().equals(NAMES));
            assertThat(bean(node).getRole()).isEqualTo("LEADING");
            assertThat(bean(node).list()).extracting(ClusterNodeRow::getRole).containsOnly("LEADING");
            assertThat(bean(node).listShards()).allMatch(row -> row.getInSync().size() == 3);
        }
        bean("n1").stepDown("n2");
        await().atMost(PATIENCE)
                .until(() -> bean("n1").listShards().stream()
                        .map(ClusterShardRow::getLeader)
                        .noneMatch("n1"::equals));
    }

    @Test
    void shouldWriteTheNewFormatOnceAnOperatorHasFinishedAtAnyNode() throws Exception {
        NAMES.forEach(name -> cluster.reads(name, 2));
        cluster.startAll();
        cluster.awaitSpread();
        assertThat(NAMES).allMatch(name -> bean(name).getFormatLevel() == 1);

        assertThat(bean("n2").finishUpgrade()).contains("format level 2 is written");

        await().atMost(PATIENCE)
                .until(() -> NAMES.stream().allMatch(name -> bean(name).getFormatLevel() == 2));
    }
}
