package io.duramen.broker.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.frame.DropBody;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.frame.StorePart;
import io.duramen.protocol.record.BodyName;
import io.duramen.protocol.record.BodyPart;
import io.duramen.protocol.record.LargeBody;
import io.duramen.protocol.record.PartRuns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A large body on its way to a partition, part by part. */
public final class TestBody {
    private final int partition;
    private final BodyName name;
    private PartRuns runs = new PartRuns();
    private long length;

    private TestBody(int partition, BodyName name) {
        this.partition = partition;
        this.name = name;
    }

    public static TestBody aBody(int partition, long name) {
        return new TestBody(partition, new BodyName(name, -name));
    }

    /** Sends the next part, which is stored. */
    public TestBody with(TestClient client, String text) {
        runs.add(sends(client, runs.parts(), text)
                .response(StorePart.Response.class)
                .offset());
        length += text.length();
        return this;
    }

    public Answer sends(TestClient client, int index, String text) {
        return client.asks(new StorePart.Request(0, partition, Acks.ALL, part(index, text)));
    }

    public ByteBuffer part(int index, String text) {
        ByteBuffer part = ByteBuffer.allocate(BodyPart.HEADER_LENGTH + text.length());
        part.put(BodyPart.HEADER_LENGTH, text.getBytes(StandardCharsets.US_ASCII));
        BodyPart.seal(part, name, index);
        return part;
    }

    /** The batch of one message that names it. */
    public Batches message() {
        LargeBody body = body();
        return Batches.of("").each(none -> Records.aRecord().large(body));
    }

    public LargeBody body() {
        return new LargeBody(partition, name, length, runs.upTo(runs.parts()));
    }

    /** As it would be if another part were stored there. */
    public TestBody pretending(long offset, int bytes) {
        TestBody more = new TestBody(partition, name);
        more.runs = runs.upTo(runs.parts());
        more.runs.add(offset);
        more.length = length + bytes;
        return more;
    }

    /** As it would be for another partition. */
    public TestBody inPartition(int other) {
        TestBody moved = new TestBody(other, name);
        moved.runs = runs;
        moved.length = length;
        return moved;
    }

    public Answer isDropped(TestClient client) {
        return client.asks(new DropBody.Request(0, name.high(), name.low()));
    }

    /** @param consumer see {@link FetchPart.Request#consumerId} */
    public Answer isFetched(TestClient client, int consumer, int partitionOfMessage, long offset, int index) {
        return client.asks(new FetchPart.Request(
                0,
                consumer,
                partitionOfMessage,
                offset,
                partition,
                name.high(),
                name.low(),
                index,
                runs.offset(index)));
    }

    public static String textOf(Answer answer) {
        ByteBuffer part = answer.response(FetchPart.Response.class).part();
        BodyPart.check(part);
        return StandardCharsets.US_ASCII.decode(BodyPart.bytes(part)).toString();
    }

    public TestBody reads(TestClient client, int consumer, long offset, String... texts) {
        for (int i = 0; i < texts.length; i++) {
            assertThat(textOf(isFetched(client, consumer, partition, offset, i)))
                    .isEqualTo(texts[i]);
        }
        return this;
    }
}
