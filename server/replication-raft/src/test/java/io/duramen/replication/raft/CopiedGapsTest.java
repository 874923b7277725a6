package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.log.PartitionChunk;
import io.duramen.protocol.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: old messages that consumers still need come along with a copy, and whoever reads them meanwhile reads them right. */
class CopiedGapsTest {
    private static final int PARTITION = 7;
    private static final int MESSAGES = 3;
    private static final int ROUNDS = 8;
    private static final int SEGMENTS_MAX = 10;

    @TempDir
    Path directory;

    private Trio trio;
    private RaftPeer away;
    private int appended;
    private long appendedIn;
    private int[] readRight;

    @BeforeEach
    void open() throws IOException {
        trio = new Trio(directory);
        readRight = new int[trio.peers.size()];
    }

    @AfterEach
    void close() {
        trio.close();
    }

    @Test
    void shouldHaveTheOldMessagesAfterACopyWhileReadersRead() throws IOException {
        RaftPeer leader = trio.awaitLeader(0);
        away = trio.others(leader).get(0);
        for (int offset = 0; offset < MESSAGES; offset++) {
            trio.replica(leader).appendMessage(PARTITION, offset, batch(offset));
            append(60); // Each in a segment of its own.
        }
        trio.awaitEverywhere(appended);
        trio.close(away);
        deleteAllButOldMessages();
        trio.open(away).neededFrom = partition -> 0;

        Replica before = trio.replica(away);
        trio.until("a copy", () -> {
            trio.replicas().forEach(this::readOld);
            appendOne();
            return before.replaced;
        });
        readOld(before);
        int readBefore = readRight[trio.peers.indexOf(away)];
        trio.succeed();
        assertThat(before.stopped).isEmpty();
        int wanted = appended;
        trio.until("all that was appended, and all old messages read everywhere", () -> {
            trio.replicas().forEach(this::readOld);
            return trio.replica(away).bodies.size() >= wanted
                    && readRight[trio.peers.indexOf(away)] > readBefore + MESSAGES;
        });
        assertThat(IntStream.of(readRight).min().orElseThrow())
                .as("messages read at each")
                .isGreaterThan(MESSAGES);
        assertThat(trio.replica(away).bodies.subList(0, wanted))
                .as("all entries, in order")
                .matches(IntStream.rangeClosed(1, wanted).boxed().toList()::equals);
        assertThat(trio.replicas()).allMatch(replica -> replica.stopped.isEmpty());
    }

    /** Segments between those that hold an old message are gone at the two that are there. */
    private void deleteAllButOldMessages() throws IOException {
        for (Replica replica : trio.replicas()) {
            replica.neededFrom = partition -> 0;
        }
        for (int round = 0; round < ROUNDS || !haveDeleted(); round++) {
            append(100);
            for (Replica replica : trio.replicas()) {
                replica.storeImage();
            }
            trio.clock.skip(Duration.ofSeconds(11));
        }
    }

    private boolean haveDeleted() {
        return trio.replicas().stream().allMatch(replica -> replica.log.status().segments() <= SEGMENTS_MAX);
    }

    private void append(int count) {
        int wanted = appended + count;
        trio.until("entry " + wanted, () -> {
            appendOne();
            return appended >= wanted && trio.replicas().stream().allMatch(replica -> replica.bodies.size() >= wanted);
        });
    }

    /** At whoever leads, one after the other: what a leader that was lost had not committed is appended again. */
    private void appendOne() {
        for (Replica replica : trio.replicas()) {
            boolean leads = replica.leads() && replica.log.isLeased();
            if (leads && replica.epoch != appendedIn) {
                appendedIn = replica.epoch;
                appended = replica.bodies.size();
            }
            if (leads && replica.bodies.size() == appended) {
                replica.append(++appended, 1000, true);
            }
        }
    }

    /** Reads one old message after the other, as far as they come; from the disk, as they are no more in memory. */
    private void readOld(Replica replica) {
        int at = trio.peers.indexOf(peerOf(replica));
        int offset = readRight[at] % MESSAGES;
        Optional<PartitionChunk> found = replica.log.read(PARTITION, offset, 1, () -> {});
        if (found.isPresent()) {
            PartitionChunk.StoredBatch first = found.get().batches().get(0);
            assertThat(first.baseOffset()).isEqualTo(offset);
            assertThat(first.batch()).isEqualTo(batch(offset));
            readRight[at]++;
        }
    }

    private RaftPeer peerOf(Replica replica) {
        return trio.peers.stream()
                .filter(peer -> trio.replica(peer) == replica)
                .findFirst()
                .orElseThrow();
    }

    private static ByteBuffer batch(long offset) {
        ByteBuffer batch = ByteBuffer.allocate(RecordBatch.HEADER_LENGTH + 500);
        for (int i = RecordBatch.HEADER_LENGTH; i < batch.capacity(); i++) {
            batch.put(i, (byte) (offset * 7 + i));
        }
        RecordBatch.seal(batch, true, PARTITION, 0, offset, 1);
        return batch;
    }
}
