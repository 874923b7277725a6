package io.duramen.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where a large body stands, as a header says it; and the parts themselves. */
class LargeBodyTest {
    private static PartRuns randomRuns(Random random) {
        PartRuns runs = new PartRuns();
        long offset = random.nextLong() >>> (1 + random.nextInt(60));
        for (int i = 0; i < 1 + random.nextInt(300); i++) {
            runs.add(offset);
            offset += 1 + (random.nextInt(3) == 0 ? random.nextInt(1 << random.nextInt(20)) : 0);
        }
        return runs;
    }

    @Test
    void shouldReadWhatWasWritten() {
        for (int seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            PartRuns runs = randomRuns(random);
            BodyName name = new BodyName(random.nextLong(), random.nextLong());
            LargeBody body = new LargeBody(1 + random.nextInt(9), name, 1 + random.nextInt(9999), runs);
            LargeBody read = LargeBody.decode(ByteBuffer.wrap(body.encode()));
            assertThat(read).as("seed " + seed).isEqualTo(body);
            assertThat(read.name()).isEqualTo(name);
            for (int i = 0; i < runs.parts(); i++) {
                assertThat(read.runs().offset(i)).as("seed " + seed).isEqualTo(runs.offset(i));
            }
            int some = random.nextInt(runs.parts() + 1);
            assertThat(runs.upTo(some).parts()).isEqualTo(some);
        }
    }

    @Test
    void shouldRefuseOrReadWhateverTheBytes() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes;
            if (seed % 2 == 0) {
                bytes = new byte[random.nextInt(80)];
                random.nextBytes(bytes);
            } else {
                bytes = new LargeBody(1, new BodyName(1, 2), 3, randomRuns(random)).encode();
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                LargeBody body = LargeBody.decode(ByteBuffer.wrap(bytes));
                assertThat(body.runs().parts()).as("seed " + seed).isPositive();
                assertThat(body.runs().offset(body.runs().parts() - 1)).isNotNegative();
            } catch (MalformedFrameException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void shouldRefuseAPartThatIsNotWhole() {
        ByteBuffer part = ByteBuffer.allocate(BodyPart.HEADER_LENGTH + 10);
        BodyPart.seal(part, new BodyName(7, 8), 3);
        BodyPart.check(part);
        assertThat(BodyPart.isPart(part, new BodyName(7, 8), 3)).isTrue();
        assertThat(BodyPart.isPart(part, new BodyName(7, 9), 3)).isFalse();
        assertThat(BodyPart.isPart(part, new BodyName(7, 8), 4)).isFalse();
        for (int at = 0; at < part.limit(); at++) {
            ByteBuffer damaged = ByteBuffer.allocate(part.limit()).put(0, part, 0, part.limit());
            damaged.put(at, (byte) (damaged.get(at) ^ 1));
            assertThatThrownBy(() -> BodyPart.check(damaged)).as("byte " + at).isInstanceOf(ProtocolException.class);
        }
        assertThatThrownBy(() -> RecordBatch.check(part)).isInstanceOf(ProtocolException.class);
    }
}
