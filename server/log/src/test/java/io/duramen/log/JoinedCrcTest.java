package io.duramen.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class JoinedCrcTest {
    @Test
    void shouldBeTheCrcOfBothPartsWhereverTheyAreCut() {
        Random random = new Random(11);
        byte[] bytes = new byte[3 << 20];
        random.nextBytes(bytes);
        for (int i = 0; i < 300; i++) {
            int length = random.nextInt(i < 200 ? 300 : bytes.length);
            int cut = random.nextInt(length + 1);
            assertThat(JoinedCrc.of(crc(bytes, 0, cut), crc(bytes, cut, length), length - cut))
                    .as("%d bytes cut at %d", length, cut)
                    .isEqualTo(crc(bytes, 0, length));
        }
    }

    private static int crc(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }
}
