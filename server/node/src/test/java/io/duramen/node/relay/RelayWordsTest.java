package io.duramen.node.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.talk.Word;
import io.duramen.protocol.Codec;
import io.duramen.protocol.Frame;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Ping;
import io.duramen.protocol.frame.ResolveDestination;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Frames between nodes of two releases, while a cluster's are exchanged one after the other. */
class RelayWordsTest {
    private static final long CLIENT = 7;

    /** The word as the release had it that knows version 1 of the protocol alone. */
    record FirstFrameOf(long connection, ByteBuffer bytes) {}

    private static Frame resolve(int replicas) {
        return Frame.request(3, new ResolveDestination.Request("orders", DestinationKind.QUEUE, true, replicas));
    }

    private static byte[] firstRelease(Frame frame) {
        int size = frame.size(1);
        ByteBuffer whole = ByteBuffer.allocate(size);
        frame.write(1, size, whole);
        FirstFrameOf value = new FirstFrameOf(CLIENT, whole.flip().position(Frame.LENGTH_FIELD_LENGTH));
        ByteBuffer body = ByteBuffer.allocate(Codec.sizeOf(value, 1));
        Codec.write(value, 1, body);
        return body.array();
    }

    private static byte[] bytes(Word word) {
        byte[] bytes = new byte[word.body().remaining()];
        word.body().duplicate().get(bytes);
        return bytes;
    }

    @Test
    void shouldKeepWhatTheNewestVersionSaysWhereBothKnowIt() {
        RelayWords.FrameOf read = RelayWords.readFrame(RelayWords.frame(CLIENT, resolve(3)));

        assertThat(read.connection()).isEqualTo(CLIENT);
        assertThat(RelayWords.frame(read)).isEqualTo(resolve(3));
    }

    @Test
    void shouldBeReadByANodeOfTheFirstRelease() {
        Word word = RelayWords.frame(CLIENT, resolve(3));

        FirstFrameOf read = Codec.read(FirstFrameOf.class, 1, word.body().duplicate());
        assertThat(read.connection()).isEqualTo(CLIENT);
        assertThat(Frame.read(1, read.bytes())).isEqualTo(resolve(0));
    }

    @Test
    void shouldReadWhatANodeOfTheFirstReleaseSays() {
        Word word = new Word(RelayWords.FRAME, ByteBuffer.wrap(firstRelease(resolve(3))));

        RelayWords.FrameOf read = RelayWords.readFrame(word);
        assertThat(read.connection()).isEqualTo(CLIENT);
        assertThat(RelayWords.frame(read)).isEqualTo(resolve(0));
    }

    @Test
    void shouldReadTheNewestThatBothKnow() {
        RelayWords.FrameOf newer = RelayWords.readFrame(RelayWords.frame(CLIENT, resolve(3), Protocol.VERSION));
        RelayWords.FrameOf older = RelayWords.readFrame(RelayWords.frame(CLIENT, resolve(3), 1));

        assertThat(RelayWords.frame(newer, 1)).isEqualTo(resolve(0));
        assertThat(RelayWords.frame(older, Protocol.VERSION)).isEqualTo(resolve(0));
        assertThat(RelayWords.frame(newer, Protocol.VERSION + 1)).isEqualTo(resolve(3));
    }

    @Test
    void shouldSayNothingTwiceWhereNoVersionHasAddedAnything() {
        Frame ping = Frame.request(1, new Ping.Request());

        assertThat(bytes(RelayWords.frame(CLIENT, ping))).isEqualTo(firstRelease(ping));
    }
}
