package io.duramen.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.node.cluster.KnownLeaders.Led;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownLeadersTest {
    private static final int SHARDS = 4;
    private static final long PATIENCE = 100;

    private final KnownLeaders known = new KnownLeaders(SHARDS, PATIENCE);

    @Test
    void shouldKnowWhoHasSaidSoLately() {
        heard("n1", 0, led(0, 5, 3), led(2, 1, 1));

        assertThat(known.leader(0, 99)).contains("n1");
        assertThat(known.leader(2, 99)).contains("n1");
        assertThat(known.leader(1, 99)).isEmpty();
        assertThat(known.leader(0, 100)).isEmpty();
        assertThat(known.voters(2)).containsExactly("n1");
        assertThat(known.voters(3)).isEmpty();
    }

    @Test
    void shouldNotBelieveWhoLedBefore() {
        heard("n2", 0, led(0, 6, 3));
        heard("n1", 1, led(0, 5, 3));
        assertThat(known.leader(0, 2)).contains("n2");

        heard("n3", 3, led(0, 7, 2));
        assertThat(known.leader(0, 4)).contains("n3");
        assertThat(known.voters(0)).containsExactly("n1", "n2");
    }

    @Test
    void shouldTakeNothingOfWhatMakesNoSense() {
        byte[] wrong = KnownLeaders.encode(List.of(led(1, 1, 1), led(SHARDS, 1, 1)));

        assertThatThrownBy(() -> known.heard("n1", ByteBuffer.wrap(wrong), 0))
                .hasMessageContaining("says that it leads shard " + SHARDS);
        assertThat(known.leader(1, 0)).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsCutOrChangedByWhatItDeclares() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] whole = KnownLeaders.encode(List.of(led(0, 5, 3), led(3, 9, 1)));
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = whole.clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            ByteBuffer mutant = ByteBuffer.wrap(bytes).limit(random.nextInt(bytes.length + 1));
            try {
                known.heard("n1", mutant, i);
            } catch (IllegalArgumentException | BufferUnderflowException e) {
                assertThat(e).as("seed %d", seed).isNotNull();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** On the first nodes, so many. */
    private static Led led(int shard, long epoch, int voters) {
        return new Led(
                shard,
                epoch,
                IntStream.rangeClosed(1, voters).mapToObj(i -> "n" + i).toList());
    }

    private void heard(String node, long nowNanos, Led... all) {
        known.heard(node, ByteBuffer.wrap(KnownLeaders.encode(List.of(all))), nowNanos);
    }
}
