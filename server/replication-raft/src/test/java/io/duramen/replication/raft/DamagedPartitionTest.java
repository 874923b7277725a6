package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.log.EntryBuffer;
import io.duramen.log.PartitionChunk;
import io.duramen.protocol.record.RecordBatch;
import io.duramen.replication.ReplicatedLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who reads a partition of which something is damaged where it is led. */
@Timeout(120)
class DamagedPartitionTest {
    private static final int PARTITION = 1;
    private static final int MESSAGES = 300;
    private static final int BODY = 1000;
    private static final int READ_BYTES = 64 * 1024;

    @TempDir
    Path directory;

    private Trio trio;
    private RaftPeer leader;

    @BeforeEach
    void fill() throws IOException {
        trio = new Trio(directory);
        leader = trio.awaitLeader(0);
        long last = 0;
        for (int offset = 0; offset < MESSAGES; offset++) {
            EntryBuffer entry = trio.replica(leader).log.newEntry();
            entry.addMessages(PARTITION, offset, 1, batch(offset));
            last = trio.replica(leader).log.append(entry, ReplicatedLog.Durability.SYNCED);
        }
        long wanted = last;
        trio.until(
                "all everywhere",
                () -> trio.replicas().stream().allMatch(replica -> replica.log.committedIndex() >= wanted));
    }

    @AfterEach
    void close() {
        trio.close();
    }

    private static ByteBuffer batch(long offset) {
        ByteBuffer batch = ByteBuffer.allocate(RecordBatch.HEADER_LENGTH + BODY);
        RecordBatch.seal(batch, true, PARTITION, 0, offset, 1);
        return batch;
    }

    /** Goal: nobody is told that a message is not there which another has. */
    @Test
    void shouldHoldWhoReadsWhatIsDamagedUntilAnotherLeads() throws IOException {
        Replica damaged = trio.replica(leader);
        long epoch = damaged.epoch;
        damage(leader);

        assertThat(read(damaged, () -> damaged.ended == epoch)).isLessThan(MESSAGES);
        assertThat(trio.mending(leader).isNeeded()).isTrue();
        assertThat(damaged.stopped).isEmpty();

        trio.beginAnew(leader);
        RaftPeer next = trio.awaitLeader(epoch);
        assertThat(next).isNotEqualTo(leader);
        assertThat(read(trio.replica(next), () -> false)).isEqualTo(MESSAGES);
    }

    /** Reads on from the first message; returns the offset of the one that it has not got. */
    private long read(Replica replica, BooleanSupplier givenUp) {
        long offset = 0;
        while (offset < MESSAGES && !givenUp.getAsBoolean()) {
            AtomicBoolean ready = new AtomicBoolean();
            Optional<PartitionChunk> chunk = replica.log.read(PARTITION, offset, READ_BYTES, () -> ready.set(true));
            if (chunk.isPresent()) {
                offset = chunk.get().nextOffset();
            } else {
                trio.until("what is read", () -> ready.get() || givenUp.getAsBoolean());
            }
        }
        return offset;
    }

    /** Another bit in the middle of its oldest segment. */
    private void damage(RaftPeer peer) throws IOException {
        try (Stream<Path> files = Files.list(trio.directory(peer))) {
            Path oldest = files.filter(file -> file.getFileName().toString().endsWith(".log"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(oldest);
            bytes[bytes.length / 2] ^= 1;
            Files.write(oldest, bytes);
        }
    }
}
