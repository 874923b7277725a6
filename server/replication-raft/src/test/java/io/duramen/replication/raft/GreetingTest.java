package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GreetingTest {
    private static final int VERSION_AT = 8;
    private static final Greeting GREETING = new Greeting(
            "c of one, two",
            "two",
            "one",
            new Introduction.Said("d2", "h:1", "1:00000001", "one=d1=1:00000002", 3, 2),
            true);

    @Test
    void shouldReadWhatItWrote() {
        assertThat(Greeting.of(GREETING.toFrame())).isEqualTo(GREETING);
    }

    /** Goal: nodes of two releases talk with each other while they are exchanged. */
    @Test
    void shouldReadOneOfALaterVersionAsFarAsItIsKnown() {
        byte[] bytes = GREETING.toFrame().content();
        byte[] later = Arrays.copyOf(bytes, bytes.length + 5);
        version(later, 6);
        assertThat(Greeting.of(frame(later))).isEqualTo(GREETING);

        version(later, 5);
        assertThatThrownBy(() -> Greeting.of(frame(later))).hasMessageContaining("5 bytes behind a greeting");
        version(later, 4);
        assertThatThrownBy(() -> Greeting.of(frame(later))).hasMessageContaining("a greeting of version 4");
    }

    @Test
    void shouldRefuseOneThatEndsEarlyWhereverThatIs() {
        byte[] bytes = GREETING.toFrame().content();
        for (int length = 0; length < bytes.length; length++) {
            byte[] shorter = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> Greeting.of(frame(shorter))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void version(byte[] greeting, int version) {
        ByteBuffer.wrap(greeting).putShort(VERSION_AT, (short) version);
    }

    private static PeerFrame frame(byte[] content) {
        return new PeerFrame(PeerFrame.GREETING, (byte) 0, 0, content);
    }
}
