package io.duramen.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.replication.raft.Introduction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a directory that was put back from a copy is told from the one with which its node ran last. */
class ClusterFileTest {
    @TempDir
    private Path data;

    private ClusterFile one;

    @BeforeEach
    void start() throws IOException {
        one = start("n1");
    }

    @Test
    void shouldKnowADirectoryThroughAllItsStarts() throws IOException {
        for (int i = 0; i < 3; i++) {
            ClusterFile two = start("n2");
            meet(one, "n1", two, "n2");
            assertThat(one.claims("n2", two.said("c2"))).isTrue();
            one = start("n1");
            meet(two, "n2", one, "n1");
        }
        for (int missed = 0; missed < Starts.IDS_MAX + 5; missed++) {
            start("n2");
        }
        ClusterFile two = start("n2");
        assertThat(one.claims("n2", two.said("c2")))
                .as("over a plain connection")
                .isFalse();
        meet(one, "n1", two, "n2");
        assertThat(two.refused()).isEmpty();
    }

    @Test
    void shouldRefuseADirectoryOfBeforeTheLastStartHoweverOftenItIsStarted() throws IOException {
        meet(one, "n1", start("n2"), "n2");
        backUp("n2");
        meet(one, "n1", start("n2"), "n2");
        putBack("n2");

        for (int attempt = 0; attempt < 3; attempt++) {
            ClusterFile restored = start("n2");
            assertThatThrownBy(() -> one.claims("n2", restored.said("c2")))
                    .isInstanceOf(Introduction.RefusedException.class)
                    .hasMessageContaining("older than the node was")
                    .hasMessageContaining("cluster.join=true");
            assertThatThrownBy(() -> one.met("n2", restored.said("c2")))
                    .isInstanceOf(Introduction.RefusedException.class);
        }
    }

    @Test
    void shouldTakeNoPartAnyMoreOnceItHasHeardThatItsDirectoryIsOlder() throws IOException {
        meet(one, "n1", start("n2"), "n2");
        backUp("n2");
        meet(one, "n1", start("n2"), "n2");
        putBack("n2");
        ClusterFile restored = start("n2");

        assertThatThrownBy(() -> restored.met("n1", one.said("c1"))).hasMessageContaining("takes no part");

        assertThat(restored.refused()).isPresent();
        assertThatThrownBy(() -> restored.claims("n1", one.said("c1"))).hasMessageContaining("takes no part");
        assertThatThrownBy(() -> start("n2")).isInstanceOf(IOException.class).hasMessageContaining("cluster.join=true");
    }

    /** Goal: one who was away learns it from another, and does not count on the one that was put back. */
    @Test
    void shouldLearnFromOthersInWhichStartANodeWasMetLast() throws IOException {
        ClusterFile three = start("n3");
        meet(one, "n1", start("n2"), "n2");
        meet(three, "n3", start("n2"), "n2");
        backUp("n2");
        meet(one, "n1", start("n2"), "n2");
        putBack("n2");
        ClusterFile restored = start("n2");
        three.met("n1", one.said("c1"));

        assertThatThrownBy(() -> three.met("n2", restored.said("c2")))
                .isInstanceOf(Introduction.RefusedException.class);
    }

    @Test
    void shouldLetInAgainWhoJoinsWithANewDirectory() throws IOException {
        ClusterFile two = start("n2");
        meet(one, "n1", two, "n2");
        one.forgot("n2", "had stored more");
        assertThatThrownBy(() -> one.claims("n2", two.said("c2"))).isInstanceOf(Introduction.RefusedException.class);
        one = start("n1");
        assertThatThrownBy(() -> one.met("n2", two.said("c2"))).isInstanceOf(Introduction.RefusedException.class);
        Files.move(data.resolve("n2"), data.resolve("lost"));

        ClusterFile joined = start("n2");
        one.joins("n2", joined.said("c2"));
        joined.met("n1", one.said("c1"));

        assertThat(one.claims("n2", joined.said("c2"))).isTrue();
        assertThat(joined.refused()).isEmpty();
        assertThatThrownBy(() -> one.met("n2", two.said("c2"))).hasMessageContaining("another data directory");
    }

    private static void meet(ClusterFile first, String nameOfFirst, ClusterFile second, String nameOfSecond) {
        first.met(nameOfSecond, second.said("c"));
        second.met(nameOfFirst, first.said("c"));
    }

    private ClusterFile start(String name) throws IOException {
        return ClusterFiles.start(data, name);
    }

    private void backUp(String name) throws IOException {
        Files.copy(data.resolve(name).resolve("cluster"), data.resolve("backup"), StandardCopyOption.REPLACE_EXISTING);
    }

    private void putBack(String name) throws IOException {
        Files.copy(data.resolve("backup"), data.resolve(name).resolve("cluster"), StandardCopyOption.REPLACE_EXISTING);
    }
}
