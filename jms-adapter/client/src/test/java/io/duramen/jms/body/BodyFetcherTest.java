package io.duramen.jms.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.link.FrameSink;
import io.duramen.jms.link.Link;
import io.duramen.jms.link.LinkLimits;
import io.duramen.jms.link.Outgoing;
import io.duramen.jms.link.Reply;
import io.duramen.jms.message.BodyParts;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.BodyPart;
import io.duramen.protocol.record.LargeBody;
import io.duramen.protocol.record.PartRuns;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A body is all of what was sent, in its order, or nobody gets it for one. */
class BodyFetcherTest {
    private static final BodyName NAME = new BodyName(7, -9);

    /** What the node gives for each index. */
    private final List<ByteBuffer> given = new ArrayList<>();

    private static ByteBuffer part(BodyName name, int index, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer part = ByteBuffer.allocate(BodyPart.HEADER_LENGTH + bytes.length);
        part.position(BodyPart.HEADER_LENGTH).put(bytes).flip();
        BodyPart.seal(part, name, index);
        return part;
    }

    private void gives(String... texts) {
        for (String text : texts) {
            given.add(part(NAME, given.size(), text));
        }
    }

    private BodyFetcher fetcher(int parts, long length) {
        PartRuns runs = new PartRuns();
        for (int i = 0; i < parts; i++) {
            runs.add(40 + i);
        }
        return new BodyFetcher(
                new Node(), new BodyFetcher.Holder(0, 1, 2, 3), new LargeBody(2, NAME, length, runs), 1 << 20);
    }

    private static String read(BodyParts fetcher) throws JMSException {
        StringBuilder read = new StringBuilder();
        for (ByteBuffer next = fetcher.next(); next != null; next = fetcher.next()) {
            read.append(StandardCharsets.UTF_8.decode(next));
        }
        return read.toString();
    }

    @Test
    void shouldReadAllPartsInTheirOrder() throws JMSException {
        gives("abc", "de", "f");
        BodyFetcher fetcher = fetcher(3, 6);
        assertThat(read(fetcher)).isEqualTo("abcdef");
        assertThat(read(fetcher.fresh())).isEqualTo("abcdef");
    }

    @Test
    void shouldFailWhenPartsAreShorterOrLongerThanTheBody() {
        gives("abc", "de", "f");
        assertThatThrownBy(() -> read(fetcher(3, 7)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("6 bytes");
        assertThatThrownBy(() -> read(fetcher(3, 4)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("5 bytes");
    }

    @Test
    void shouldFailWhenPartsChangePlaces() {
        gives("abc", "def");
        given.add(given.remove(0));
        assertThatThrownBy(() -> read(fetcher(2, 6)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("part");
    }

    @Test
    void shouldFailWhenAPartIsAnotherBodys() {
        gives("abc");
        given.add(part(new BodyName(7, 9), 1, "def"));
        assertThatThrownBy(() -> read(fetcher(2, 6)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("part");
    }

    @Test
    void shouldFailWhenAnyByteIsFlipped() {
        gives("abc", "def");
        byte[] whole = given.get(1).array();
        for (int i = 0; i < whole.length; i++) {
            byte[] flipped = Arrays.copyOf(whole, whole.length);
            flipped[i] ^= 0x10;
            given.set(1, ByteBuffer.wrap(flipped));
            assertThatThrownBy(() -> read(fetcher(2, 6))).as("byte " + i).isInstanceOf(JMSException.class);
        }
    }

    /** Answers at once. */
    private final class Node implements Link, FrameSink {
        @Override
        public void send(Outgoing outgoing) {
            outgoing.write(this);
        }

        @Override
        public void sendLater(Outgoing outgoing) {
            outgoing.write(this);
        }

        @Override
        public void request(Record request, Reply reply) {
            FetchPart.Request asked = (FetchPart.Request) request;
            assertThat(asked.place()).isEqualTo(40 + asked.index());
            reply.answered(new FetchPart.Response(given.get(asked.index()).duplicate()));
        }

        @Override
        public void oneWay(Record request, int owner) {
            throw new AssertionError(request);
        }

        @Override
        public void push(Record push) {
            throw new AssertionError(push);
        }

        @Override
        public int connection() {
            return 1;
        }

        @Override
        public LinkLimits limits() {
            return new LinkLimits(1, 1 << 20, 1000, 0, 1);
        }

        @Override
        public long requestTimeoutNanos() {
            return 0;
        }

        @Override
        public OptionalLong upSinceNanos() {
            return OptionalLong.of(0);
        }

        @Override
        public void identify(String clientId, long incarnation) {
            throw new AssertionError(clientId);
        }

        @Override
        public void close() {}
    }
}
