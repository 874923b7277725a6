package io.duramen.node.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ToldLoadsTest {
    private static final int SHARDS = 5;
    private static final ToldLoads LOADS = new ToldLoads(Map.of(0, 0L, 2, 1_000_000_000L, 4, ToldLoads.LOAD_MAX));

    private static ToldLoads decode(byte... bytes) {
        return ToldLoads.decode(ByteBuffer.wrap(bytes), SHARDS);
    }

    @Test
    void shouldReadWhatWasWritten() {
        assertThat(decode(LOADS.encode())).isEqualTo(LOADS);
        assertThat(decode(new ToldLoads(Map.of()).encode()).loads()).isEmpty();
        assertThat(new ToldLoads(Map.of(3, 258L)).encode()).containsExactly(0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 1, 2);
    }

    @Test
    void shouldRefuseWhatThereIsNot() {
        isRefused();
        isRefused(0);
        isRefused(0, 0, 0);
        isRefused(0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 1);
        isRefused(0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 1, 2);
        isRefused(0, 1, 0, 3, -1, 0, 0, 0, 0, 0, 1, 2);
        isRefused(0, 1, 0, 3, 0, 1, 0, 0, 0, 0, 1, 2);
        isRefused(0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 1, 2, 0, 3, 0, 0, 0, 0, 0, 0, 1, 2);
    }

    private static void isRefused(int... bytes) {
        byte[] content = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            content[i] = (byte) bytes[i];
        }
        assertThatThrownBy(() -> decode(content)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldReadOrRefuseWhateverComes() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] whole = LOADS.encode();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = whole.clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            int length = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length + 1);
            try {
                ToldLoads read = ToldLoads.decode(ByteBuffer.wrap(bytes).limit(length), SHARDS);
                assertThat(read.loads().keySet()).as("seed %d", seed).allMatch(shard -> shard >= 0 && shard < SHARDS);
                assertThat(read.loads().values())
                        .as("seed %d", seed)
                        .allMatch(load -> load >= 0 && load <= ToldLoads.LOAD_MAX);
            } catch (IllegalArgumentException e) {
                assertThat(e).as("seed %d", seed).hasMessageContaining("load");
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
