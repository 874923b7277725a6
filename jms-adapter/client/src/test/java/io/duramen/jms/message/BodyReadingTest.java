package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BodyReadingTest {
    /** Parts of one length, of bytes that count up. */
    private record Counting(int parts, int partBytes, int[] given) implements BodyParts {
        @Override
        public long length() {
            return (long) parts * partBytes;
        }

        @Override
        public ByteBuffer next() {
            if (given[0] == parts) {
                return null;
            }
            ByteBuffer part = ByteBuffer.allocate(partBytes);
            for (int i = 0; i < partBytes; i++) {
                part.put((byte) (given[0] * partBytes + i));
            }
            given[0]++;
            return part.flip();
        }

        @Override
        public BodyParts fresh() {
            return new Counting(parts, partBytes, new int[1]);
        }
    }

    private static BodyReading reading(int parts, int partBytes) {
        return new BodyReading(new Counting(parts, partBytes, new int[1]));
    }

    @Test
    void shouldGiveWhatIsAskedForAcrossParts() throws JMSException {
        BodyReading body = reading(5, 4);
        ByteBuffer in = body.atLeast(6);
        assertThat(in.remaining()).isEqualTo(8);
        for (int i = 0; i < 7; i++) {
            assertThat(in.get()).isEqualTo((byte) i);
        }
        in = body.atLeast(9);
        assertThat(in.remaining()).isEqualTo(9);
        assertThat(in.get()).isEqualTo((byte) 7);
        assertThat(body.atLeast(100).remaining()).isEqualTo(12);
    }

    /** A text as long as the body: copying all that is there again with each part would take hours. */
    @Test
    @Timeout(30)
    void shouldCopyEachByteOnceWhenMuchIsAskedFor() throws JMSException {
        int parts = 512 * 1024;
        ByteBuffer in = reading(parts, 64).atLeast(parts * 64);
        assertThat(in.remaining()).isEqualTo(parts * 64);
        assertThat(in.get(parts * 64 - 1)).isEqualTo((byte) -1);
    }
}
