package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.log.LogConfig;
import io.duramen.replication.LocalLog;
import io.duramen.runtime.SystemClock;
import io.duramen.runtime.disk.FileDisk;
import io.duramen.runtime.settings.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group of one replica does as a log of one node does. */
class OneReplicaTest {
    private static final RaftPeer SELF = new RaftPeer("one", "127.0.0.1", 1);
    private static final RaftConfig RAFT = new RaftConfig("shard-0", SELF, List.of(SELF), Duration.ofSeconds(1));

    @TempDir
    Path directory;

    private final TestNetwork network = new TestNetwork();
    private Replica replica;

    @BeforeEach
    void open() throws IOException {
        open(0);
    }

    @AfterEach
    void close() {
        replica.close();
        network.close();
    }

    @Test
    void shouldHandOverInOrderWhenDurabilitiesAreMixed() {
        await("leading", () -> replica.leads());
        for (int i = 1; i <= 300; i++) {
            assertThat(replica.append(i, 1900, i % 3 == 0)).isEqualTo(i + 1);
        }
        await("all", () -> replica.bodies.size() == 300 && replica.durable == 301);

        assertThat(replica.indexes).containsExactlyElementsOf(upTo(1, 301));
        assertThat(replica.bodies).containsExactlyElementsOf(numbers(1, 300));
    }

    @Test
    void shouldCommitWithoutSyncWhenWritten() {
        await("leading", () -> replica.leads());
        replica.append(1, 4, false);
        await("committed", () -> replica.bodies.size() == 1);
        await("durable by and by", () -> replica.durable == 2);
    }

    @Test
    void shouldHandOverWhatIsNotAppliedAndLeadWithAHigherEpochWhenStartedAgain() throws IOException {
        await("leading", () -> replica.leads());
        long firstEpoch = replica.epoch;
        for (int i = 1; i <= 1000; i++) {
            replica.append(i, 1900, true);
        }
        await("all", () -> replica.bodies.size() == 1000);
        replica.close();

        open(401);
        assertThatThrownBy(() -> replica.append(1, 4, true)).isInstanceOf(IllegalStateException.class);
        await("leading again", () -> replica.leads());

        assertThat(replica.epoch).isGreaterThan(firstEpoch);
        assertThat(replica.indexes).containsExactlyElementsOf(upTo(402, 1002));
        assertThat(replica.bodies).containsExactlyElementsOf(numbers(401, 1000));
        assertThat(replica.append(1001, 4, true)).isEqualTo(1003);
        await("the next", () -> replica.bodies.size() == 601);
    }

    @Test
    void shouldGoOnFromTheMarkWhenSegmentsBeforeItWereReleased() throws IOException {
        await("leading", () -> replica.leads());
        for (int i = 1; i <= 200; i++) {
            replica.append(i, 1900, true);
        }
        await("durable", () -> replica.durable == 201);
        replica.log.release(150, partition -> Long.MAX_VALUE);
        await("released", () -> replica.log.status().firstIndex() > 100);
        long first = replica.log.status().firstIndex();
        replica.close();

        open(first - 1);
        await("leading again", () -> replica.leads());

        assertThat(replica.bodies).containsExactlyElementsOf(numbers((int) first - 1, 200));
    }

    /** Goal: a node that was alone all the time takes its data into a cluster, and out again. */
    @Test
    void shouldGoOnWithTheEntriesOfALocalLogAndGiveThemBack() throws IOException {
        replica.close();
        Path other = directory.resolve("other");
        appendLocally(other, 1, 1);

        replica = Replica.open(RAFT, other, network.clientOf(SELF), Replica.CONFIG, 0);
        await("leading", () -> replica.leads());
        assertThat(replica.bodies).containsExactly(1);
        assertThat(replica.epochs).containsExactly(1L, 2L);
        replica.append(2, 4, true);
        await("appended", () -> replica.bodies.size() == 2);
        replica.close();

        assertThat(appendLocally(other, 3, 4)).containsExactly(1, 2, 3);
    }

    @Test
    void shouldTakeMoreThanTheEngineWouldWhenManyWait() {
        await("leading", () -> replica.leads());
        for (int i = 1; i <= 5000; i++) {
            replica.append(i, 100, true);
        }
        await("all", () -> replica.bodies.size() == 5000);

        assertThat(replica.bodies).containsExactlyElementsOf(numbers(1, 5000));
        assertThat(replica.stopped).isEmpty();
    }

    @Test
    void shouldRefuseToStartWhenSeveralReplicasCouldForget() {
        replica.close();
        RaftPeer other = new RaftPeer("two", "127.0.0.1", 2);
        RaftConfig two = new RaftConfig("shard-1", SELF, List.of(SELF, other), Duration.ofSeconds(1));
        LogConfig interval = Replica.CONFIG.withSync(LogConfig.Sync.INTERVAL);

        assertThatThrownBy(() -> Replica.open(two, directory.resolve("two"), network.clientOf(SELF), interval, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("log.sync = interval");
    }

    @Test
    void shouldRefuseToBeginWithSeveralMembersWhenItHasEntries() throws IOException {
        replica.close();
        Path other = directory.resolve("other");
        appendLocally(other, 1, 1);
        RaftPeer empty = new RaftPeer("two", "127.0.0.1", 2);
        RaftConfig two = new RaftConfig("shard-1", SELF, List.of(SELF, empty), Duration.ofSeconds(1));

        assertThatThrownBy(() -> Replica.open(two, other, network.clientOf(SELF), Replica.CONFIG, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("to which others are added");
    }

    @Test
    void shouldRefuseToStartWhenItsVoteIsGone() throws IOException {
        await("leading", () -> replica.leads());
        replica.close();
        Files.delete(directory.resolve("raft.vote"));

        assertThatThrownBy(() -> open(0)).isInstanceOf(IOException.class).hasMessageContaining("must not vote");
    }

    private List<Integer> appendLocally(Path path, int number, long expectedCount) throws IOException {
        Files.createDirectories(path);
        LocalReader reader = new LocalReader();
        LocalLog log = new LocalLog(new FileDisk(path), new SystemClock(), Replica.CONFIG, 7);
        log.start(0, reader);
        reader.appendTo(log, number, expectedCount);
        log.close();
        return reader.bodies;
    }

    private void open(long applied) throws IOException {
        replica = Replica.open(
                RAFT, directory, network.clientOf(SELF), Replica.CONFIG.withSegmentSize(new Bytes(64 * 1024)), applied);
    }

    private void await(String what, BooleanSupplier holds) {
        Waiting.until(List.of(replica), what, holds);
    }

    private static List<Long> upTo(long from, long to) {
        return java.util.stream.LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().toList();
    }
}
