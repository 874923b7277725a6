package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.frame.Failure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CodecTextTest {
    @Test
    void shouldCountTheBytesThatAreWrittenWhateverTheText() {
        String[] texts = {
            "", "a", "\u007F\u0080\u07FF\u0800\uFFFD", "\uD83C\uDF33", "\uD83C", "\uDF33\uD83C", "a\uD83Cb", "\uDF33"
        };
        for (String text : texts) {
            assertThat(Utf8.length(text)).as(text).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    @Test
    void shouldWriteAQuestionMarkForHalfASurrogatePair() {
        assertThat(read(write("a\uD83Cb")).detail()).isEqualTo("a?b");
    }

    @Test
    void shouldKeepAReplacementCharacterThatWasSent() {
        assertThat(read(write("a\uFFFDb")).detail()).isEqualTo("a\uFFFDb");
    }

    @Test
    void shouldRefuseBytesThatAreNotUtf8() {
        ByteBuffer bytes = write("abcd");
        bytes.put(9, (byte) 0xC3);
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void shouldRefuseAStringLongerThanTheFrame() {
        ByteBuffer bytes = write("abcd");
        for (int length : new int[] {5, -2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            bytes.putInt(4, length);
            assertThatThrownBy(() -> read(bytes.rewind())).isInstanceOf(MalformedFrameException.class);
        }
    }

    private static ByteBuffer write(String detail) {
        Failure failure = new Failure(1, detail);
        ByteBuffer out = ByteBuffer.allocate(Codec.sizeOf(failure, 1));
        Codec.write(failure, 1, out);
        return out.flip();
    }

    private static Failure read(ByteBuffer bytes) {
        return Codec.read(Failure.class, 1, bytes);
    }
}
