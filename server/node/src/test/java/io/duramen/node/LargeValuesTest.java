package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.message.StreamedBytesMessage;
import io.duramen.jms.message.StreamedValuesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Long stream messages, value by value; and what else goes on while a body is on its way. */
@Timeout(120)
class LargeValuesTest {
    private static final long PATIENCE_MILLIS = 20_000;
    private static final int LENGTH = 3_000_001;
    private static final int VALUES = 100_000;

    @TempDir
    Path data;

    private Duramen node;
    private Connection connection;
    private Session session;
    private Queue queue;

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.embedded().dataDirectory(data).start();
        connection = new DuramenConnectionFactory(node.url() + "?largeBodyBytes=100000").createConnection();
        connection.start();
        session = connection.createSession();
        queue = session.createQueue("large");
    }

    @AfterEach
    void end() throws Exception {
        connection.close();
        node.close();
    }

    private static Message received(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MILLIS);
        assertThat(message).isNotNull();
        return message;
    }

    private StreamedValuesMessage given(Stream<?> values) throws JMSException {
        StreamedValuesMessage message = (StreamedValuesMessage) session.createStreamMessage();
        message.setValues(values.iterator());
        return message;
    }

    @Test
    void shouldStreamValuesWhenAStreamMessageIsLong() throws Exception {
        StreamedValuesMessage sent =
                given(IntStream.range(0, VALUES).mapToObj(i -> i % 2 == 0 ? (Object) i : "value " + i));
        MessageProducer producer = session.createProducer(queue);
        producer.send(sent);
        assertThatThrownBy(() -> producer.send(sent)).hasMessageContaining("earlier send");
        StreamMessage message = (StreamMessage) received(session.createConsumer(queue));
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < VALUES; i += 2) {
                assertThat(message.readInt()).isEqualTo(i);
                assertThat(message.readString()).isEqualTo("value " + (i + 1));
            }
            assertThatThrownBy(message::readObject).isInstanceOf(MessageEOFException.class);
            message.reset();
        }
    }

    @Test
    void shouldReadALongArrayInPiecesOrWhole() throws Exception {
        byte[] array = PatternStream.bytes(LENGTH);
        session.createProducer(queue).send(given(Stream.of(array, "text", null, 7L)));
        StreamMessage message = (StreamMessage) received(session.createConsumer(queue));
        byte[] piece = new byte[100_001];
        int place = 0;
        for (int read = message.readBytes(piece); read == piece.length; read = message.readBytes(piece)) {
            assertThat(Arrays.equals(piece, 0, read, array, place, place + read))
                    .isTrue();
            place += read;
            assertThatThrownBy(message::readInt).hasMessageContaining("partly read");
        }
        assertThat(place).isEqualTo(LENGTH - LENGTH % piece.length);
        assertThatThrownBy(message::readInt).isInstanceOf(NumberFormatException.class);
        assertThat(message.readString()).isEqualTo("text");
        assertThat(message.readObject()).isNull();
        assertThat(message.readLong()).isEqualTo(7);
        assertThatThrownBy(message::readObject).isInstanceOf(MessageEOFException.class);
        message.reset();
        assertThat(message.readObject()).isEqualTo(array);
    }

    @Test
    void shouldRefuseValuesThatAreNone() throws Exception {
        StreamedValuesMessage wrong = given(Stream.concat(Stream.of("fine"), List.of(new Object()).stream()));
        assertThatThrownBy(() -> session.createProducer(queue).send(wrong)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> wrong.writeInt(1)).hasMessageContaining("clearBody");
        assertThatThrownBy(wrong::reset).hasMessageContaining("can only be sent");
    }

    /** A body of which the second half is there only once the latch is open. */
    private static InputStream halting(CountDownLatch latch) throws IOException {
        InputStream rest = new PatternStream(LENGTH);
        InputStream first = new ByteArrayInputStream(rest.readNBytes(LENGTH / 2));
        return new SequenceInputStream(first, new FilterInputStream(rest) {
            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return super.read(into, from, most);
            }
        });
    }

    @Test
    void shouldNotHoldUpOthersOfItsConnectionWhileItIsOnItsWay() throws Exception {
        Session other = connection.createSession();
        Queue small = other.createQueue("small");
        CountDownLatch othersAreDone = new CountDownLatch(1);
        StreamedBytesMessage message = (StreamedBytesMessage) session.createBytesMessage();
        message.setInputStream(halting(othersAreDone));
        MessageProducer producer = session.createProducer(queue);
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
            try {
                producer.send(message);
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
        MessageConsumer consumer = other.createConsumer(small);
        for (int i = 0; i < 10; i++) {
            other.createProducer(small).send(other.createTextMessage("m" + i));
            assertThat(received(consumer).getBody(String.class)).isEqualTo("m" + i);
        }
        assertThat(other.createConsumer(queue).receiveNoWait()).isNull();
        assertThat(sent).isNotDone();
        othersAreDone.countDown();
        sent.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(((StreamedBytesMessage) received(session.createConsumer(queue))).saveTo(new PatternStream.Check()))
                .isEqualTo(LENGTH);
    }
}
