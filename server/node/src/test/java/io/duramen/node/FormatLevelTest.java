package io.duramen.node;

import static io.duramen.node.TestCluster.NAMES;
import static io.duramen.node.TestCluster.PATIENCE;
import static io.duramen.node.TestCluster.bean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.management.ClusterNodeRow;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose nodes are exchanged, one after the other, for those of a version that knows one format level more. */
@Timeout(120)
class FormatLevelTest {
    private static final long RECEIVE_MILLIS = 20_000;

    @TempDir
    private Path data;

    private TestCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new TestCluster(data).with("log.shards", "2");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Goal: while one node cannot read it nobody writes it, and once it was decided who cannot read it is refused for good. */
    @Test
    void shouldWriteTheNewLevelOnlyOnceAllCanReadItAndAnOperatorHasFinished() throws Exception {
        cluster.reads("n1", 2).reads("n2", 2).reads("n3", 1).startAll();
        cluster.awaitInSync(3);
        send("before");
        String leader = leadingOtherThanN3();
        assertThat(bean(leader).getFormatMax()).isEqualTo(2);
        assertThat(bean(leader).list()).extracting(ClusterNodeRow::formatMax).containsExactly(2, 2, 1);
        assertThatThrownBy(() -> bean(leader).finishUpgrade())
                .hasMessageContaining("node n3 reads format levels up to 1, and this one writes 2");
        assertThat(NAMES).allMatch(name -> bean(name).getFormatLevel() == 1);

        cluster.stop("n3");
        cluster.reads("n3", 2).start("n3");
        cluster.awaitInSync(3);
        String finishing = cluster.awaitServing();
        assertThat(bean(finishing).finishUpgrade()).contains("format level 2 is written");
        assertThat(bean(finishing).finishUpgrade()).contains("format level 2 is written");
        await().atMost(PATIENCE)
                .until(() -> NAMES.stream().allMatch(name -> bean(name).getFormatLevel() == 2));
        send("after");

        cluster.stop("n3");
        cluster.reads("n3", 1);
        assertThatThrownBy(() -> cluster.start("n3"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("writes format level 2")
                .hasMessageContaining("up to 1");
        cluster.reads("n3", 2).start("n3");
        cluster.awaitInSync(3);
    }

    /** Goal: the level outlives all nodes, in their logs and in the snapshots of their state. */
    @Test
    void shouldStillWriteTheNewLevelWhenAllWereStopped() throws Exception {
        NAMES.forEach(name -> cluster.reads(name, 2));
        cluster.startAll();
        cluster.awaitInSync(3);
        send("before");
        bean(cluster.awaitServing()).finishUpgrade();
        await().atMost(PATIENCE)
                .until(() -> NAMES.stream().allMatch(name -> bean(name).getFormatLevel() == 2));
        cluster.stopAll();

        cluster.startAll();
        cluster.awaitInSync(3);
        assertThat(NAMES).allMatch(name -> bean(name).getFormatLevel() == 2);
        receive("before");
    }

    /** Goal: it says both levels, and copies nothing that it could not read. */
    @Test
    void shouldRefuseANewDirectoryOfAVersionThatReadsLessThanWasDecided() throws Exception {
        NAMES.forEach(name -> cluster.reads(name, 2));
        cluster.startAll();
        cluster.awaitInSync(3);
        bean(cluster.awaitServing()).finishUpgrade();
        await().atMost(PATIENCE)
                .until(() -> NAMES.stream().allMatch(name -> bean(name).getFormatLevel() == 2));
        cluster.stop("n3");
        Files.move(cluster.data("n3"), data.resolve("lost"));
        cluster.reads("n3", 1);

        assertThatThrownBy(() -> cluster.builder("n3", NAMES)
                        .setting("cluster.join", "true")
                        .start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("node n3 reads format levels up to 1, and level 2 was decided in the cluster");
    }

    private String leadingOtherThanN3() {
        String leader = cluster.awaitServing();
        if (!leader.equals("n3")) {
            return leader;
        }
        bean(leader).stepDown("n1");
        await().atMost(PATIENCE).until(() -> !cluster.awaitServing().equals("n3"));
        cluster.awaitInSync(3);
        return cluster.awaitServing();
    }

    private void send(String text) {
        try (JMSContext context = cluster.factory().createContext()) {
            context.createProducer().send(context.createQueue("orders"), text);
        }
    }

    private void receive(String text) {
        try (JMSContext context = cluster.factory().createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            assertThat(consumer.receiveBody(String.class, RECEIVE_MILLIS)).isEqualTo(text);
        }
    }
}
