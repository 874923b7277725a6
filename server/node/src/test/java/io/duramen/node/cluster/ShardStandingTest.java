package io.duramen.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.replication.raft.RaftPeer;
import io.duramen.replication.raft.ReplicaRow;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShardStandingTest {
    private static final List<ShardStanding> STANDINGS = List.of(
            new ShardStanding(
                    0,
                    Optional.of("n1"),
                    7,
                    1_000_000_000_000L,
                    List.of(
                            new ReplicaRow(new RaftPeer("n1", "h", 1), true, Optional.of(0L), Optional.of(0L), true),
                            new ReplicaRow(
                                    new RaftPeer("n2", "h", 2), false, Optional.empty(), Optional.empty(), false)),
                    "adding n2@h:2: n2 has not answered yet",
                    false),
            new ShardStanding(2, Optional.empty(), 0, 0, List.of(), "", true));

    @Test
    void shouldReadWhatWasWritten() {
        assertThat(ShardStanding.decode(ByteBuffer.wrap(ShardStanding.encode(STANDINGS))))
                .isEqualTo(STANDINGS);
    }

    @Test
    void shouldRefuseWhatIsCutOrChangedByWhatItDeclares() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] whole = ShardStanding.encode(STANDINGS);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = whole.clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            ByteBuffer mutant = ByteBuffer.wrap(bytes).limit(random.nextInt(bytes.length + 1));
            try {
                ShardStanding.decode(mutant);
            } catch (IllegalArgumentException | BufferUnderflowException e) {
                assertThat(e).as("seed %d", seed).isNotNull();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void shouldSayOfEachShardWhatDiffers() {
        assertThat(ShardStanding.change(STANDINGS)).isEqualTo("shard 0: adding n2@h:2: n2 has not answered yet");
        assertThat(ShardStanding.change(List.of(STANDINGS.get(1)))).isEmpty();
    }
}
