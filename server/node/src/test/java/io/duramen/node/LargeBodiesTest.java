package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.message.StreamedBytesMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are longer than a record may be: sent in parts, read in parts, whatever the kind of message. */
@Timeout(120)
class LargeBodiesTest {
    private static final long PATIENCE_MILLIS = 20_000;
    private static final int LENGTH = 3_000_001;

    @TempDir
    Path data;

    private Duramen node;
    private Connection connection;

    @BeforeEach
    void start() throws Exception {
        node = TestNodes.embedded()
                .dataDirectory(data)
                .port(0)
                .setting("broker.large-body-max", "8MiB")
                .start();
        connection = connect(node.url());
    }

    @AfterEach
    void end() throws Exception {
        connection.close();
        node.close();
    }

    private static Connection connect(String url) throws JMSException {
        Connection connection = new DuramenConnectionFactory(
                        url + "?largeBodyBytes=100000&reconnectDelayMillis=10&reconnectDelayMaxMillis=50"
                                + "&allowedClasses=**")
                .createConnection();
        connection.start();
        return connection;
    }

    private static BytesMessage streamed(Session session, long length) throws JMSException {
        StreamedBytesMessage message = (StreamedBytesMessage) session.createBytesMessage();
        message.setInputStream(new PatternStream(length));
        return message;
    }

    private static long check(Message message) throws JMSException, IOException {
        PatternStream.Check check = new PatternStream.Check();
        assertThat(((StreamedBytesMessage) message).saveTo(check)).isEqualTo(check.count());
        return check.count();
    }

    private static Message received(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MILLIS);
        assertThat(message).isNotNull();
        return message;
    }

    @Test
    void shouldArriveWhenItIsAStreamOrAnArray() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("large");
        MessageProducer producer = session.createProducer(queue);
        producer.send(streamed(session, LENGTH));
        BytesMessage plain = session.createBytesMessage();
        plain.writeBytes(PatternStream.bytes(LENGTH));
        producer.send(plain);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(plain);
        producer.send(streamed(session, 10));
        producer.send(streamed(session, 0));
        MessageConsumer consumer = session.createConsumer(queue);
        for (long length : new long[] {LENGTH, LENGTH, LENGTH, 10, 0}) {
            BytesMessage message = (BytesMessage) received(consumer);
            assertThat(message.getBodyLength()).isEqualTo(length);
            assertThat(check(message)).isEqualTo(length);
            assertThat(message.readBytes(new byte[1])).isEqualTo(-1);
            message.reset();
            assertThat(check(message)).isEqualTo(length);
        }
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldReadEveryTypeWhereverPartsEnd() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("large");
        BytesMessage sent = session.createBytesMessage();
        String text = "äöü-木-🌳".repeat(1000);
        for (int i = 0; i < 100; i++) {
            sent.writeByte((byte) i);
            sent.writeLong(i);
            sent.writeUTF(text);
            sent.writeDouble(i);
        }
        session.createProducer(queue).send(sent);
        BytesMessage message = (BytesMessage) received(session.createConsumer(queue));
        for (int i = 0; i < 100; i++) {
            assertThat(message.readByte()).isEqualTo((byte) i);
            assertThat(message.readLong()).isEqualTo(i);
            assertThat(message.readUTF()).isEqualTo(text);
            assertThat(message.readDouble()).isEqualTo(i);
        }
        assertThatThrownBy(message::readInt).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldArriveWhateverTheKindOfMessage() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("large");
        MessageProducer producer = session.createProducer(queue);
        String text = "text ä".repeat(200_000);
        byte[] bytes = PatternStream.bytes(LENGTH);
        producer.send(session.createTextMessage(text));
        MapMessage map = session.createMapMessage();
        map.setBytes("bytes", bytes);
        map.setString("text", text);
        producer.send(map);
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(bytes);
        stream.writeString(text);
        stream.writeInt(7);
        producer.send(stream);
        producer.send(session.createObjectMessage(bytes));
        MessageConsumer consumer = session.createConsumer(queue);
        Message textReceived = received(consumer);
        MapMessage mapReceived = (MapMessage) received(consumer);
        StreamMessage streamReceived = (StreamMessage) received(consumer);
        assertThat(streamReceived.readObject()).isEqualTo(bytes);
        assertThat(streamReceived.readString()).isEqualTo(text);
        assertThat(streamReceived.readInt()).isEqualTo(7);
        Message objectReceived = received(consumer);
        assertThat(((TextMessage) textReceived).getText()).isEqualTo(text);
        assertThat(mapReceived.getBytes("bytes")).isEqualTo(bytes);
        assertThat(mapReceived.getString("text")).isEqualTo(text);
        assertThat(((ObjectMessage) objectReceived).getObject()).isEqualTo(bytes);
        producer.send(streamed(session, LENGTH));
        assertThat(received(consumer).getBody(byte[].class)).isEqualTo(bytes);
    }

    @Test
    void shouldGoOnWhenTheConnectionIsCutAgainAndAgain() throws Exception {
        try (CuttingRelay relay = new CuttingRelay(node.port()).cutsAfter(1_000_000);
                Connection unsteady = connect(relay.url())) {
            Session session = unsteady.createSession();
            Queue queue = session.createQueue("large");
            session.createProducer(queue).send(streamed(session, LENGTH));
            int whileSent = relay.cuts();
            assertThat(whileSent).isPositive();
            Session reading = unsteady.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = reading.createConsumer(queue);
            Message message = received(consumer);
            assertThat(check(message)).isEqualTo(LENGTH);
            assertThat(relay.cuts()).isGreaterThan(whileSent);
            message.acknowledge();
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldBeReadUntilItIsAcknowledged() throws Exception {
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("large");
        MessageProducer producer = session.createProducer(queue);
        producer.send(streamed(session, LENGTH));
        producer.send(streamed(session, LENGTH));
        MessageConsumer consumer = session.createConsumer(queue);
        Message first = received(consumer);
        Message second = received(consumer);
        assertThat(check(second)).isEqualTo(LENGTH);
        assertThat(check(first)).isEqualTo(LENGTH);
        first.acknowledge();
        ((BytesMessage) first).reset();
        assertThatThrownBy(() -> check(first))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("until its message is acknowledged");
    }

    @Test
    void shouldBeAcceptedWithTheNextReceiveWhenAcknowledgedAutomatically() throws Exception {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, AcknowledgeModes.NONE}) {
            try (Session session = connection.createSession(mode)) {
                Queue queue = session.createQueue("large");
                session.createProducer(queue).send(streamed(session, LENGTH));
                MessageConsumer consumer = session.createConsumer(queue);
                Message message = received(consumer);
                assertThat(check(message)).isEqualTo(LENGTH);
                assertThat(consumer.receiveNoWait()).isNull();
                session.createProducer(queue).send(streamed(session, LENGTH));
                assertThat(check(received(consumer))).isEqualTo(LENGTH);
            }
            try (Session session = connection.createSession()) {
                assertThat(session.createConsumer(session.createQueue("large")).receiveNoWait())
                        .isNull();
            }
        }
    }

    /** By the end of its listener: it is neither kept nor given again. */
    @Test
    void shouldBeAcceptedOnceHeardInEachModeThatAcknowledgesByItself() throws Exception {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, AcknowledgeModes.NONE}) {
            CompletableFuture<Long> heard = new CompletableFuture<>();
            try (Session session = connection.createSession(mode)) {
                Queue queue = session.createQueue("heard");
                session.createConsumer(queue).setMessageListener(message -> {
                    try {
                        heard.complete(check(message));
                    } catch (Exception | AssertionError e) {
                        heard.completeExceptionally(e);
                    }
                });
                Session other = connection.createSession();
                other.createProducer(queue).send(streamed(other, LENGTH));
                assertThat(heard.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(LENGTH);
                other.close();
            }
            try (Session session = connection.createSession()) {
                assertThat(session.createConsumer(session.createQueue("heard")).receiveNoWait())
                        .as("what mode " + mode + " gave back")
                        .isNull();
            }
        }
    }

    @Test
    void shouldBeReadInAListener() throws Exception {
        Session session = connection.createSession();
        Topic topic = session.createTopic("news");
        CompletableFuture<Long> heard = new CompletableFuture<>();
        session.createConsumer(topic).setMessageListener(message -> {
            try {
                heard.complete(check(message));
            } catch (Exception | AssertionError e) {
                heard.completeExceptionally(e);
            }
        });
        Session other = connection.createSession();
        MessageConsumer second = other.createConsumer(topic);
        other.createProducer(topic).send(streamed(other, LENGTH));
        assertThat(heard.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(LENGTH);
        assertThat(check(received(second))).isEqualTo(LENGTH);
    }

    @Test
    void shouldComeAgainWhenRolledBackAndNotBeSentWhenRolledBack() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue queue = session.createQueue("large");
        MessageProducer producer = session.createProducer(queue);
        producer.send(streamed(session, LENGTH));
        session.rollback();
        producer.send(streamed(session, LENGTH));
        producer.send(session.createTextMessage("small"));
        session.commit();
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(check(received(consumer))).isEqualTo(LENGTH);
        session.rollback();
        Message again = received(consumer);
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(check(again)).isEqualTo(LENGTH);
        assertThat(received(consumer)).isInstanceOf(TextMessage.class);
        session.commit();
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldBeBrowsedAndSentOn() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("large");
        Queue next = session.createQueue("next");
        MessageProducer producer = session.createProducer(queue);
        producer.send(streamed(session, LENGTH));
        Enumeration<?> browsed = session.createBrowser(queue).getEnumeration();
        assertThat(check((Message) browsed.nextElement())).isEqualTo(LENGTH);
        Message message = received(session.createConsumer(queue));
        session.createProducer(next).send(message);
        Message forwarded = received(session.createConsumer(next));
        assertThat(check(forwarded)).isEqualTo(LENGTH);
    }

    @Test
    void shouldBeSentAsynchronously() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("large");
        CompletableFuture<Message> completed = new CompletableFuture<>();
        session.createProducer(queue).send(streamed(session, LENGTH), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                completed.complete(message);
            }

            @Override
            public void onException(Message message, Exception exception) {
                completed.completeExceptionally(exception);
            }
        });
        completed.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(check(received(session.createConsumer(queue)))).isEqualTo(LENGTH);
    }

    @Test
    void shouldSayWhatWentWrong() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("large");
        MessageProducer producer = session.createProducer(queue);
        assertThatThrownBy(() -> producer.send(streamed(session, 9_000_000)))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("broker.large-body-max (8388608)");
        StreamedBytesMessage broken = (StreamedBytesMessage) session.createBytesMessage();
        broken.setInputStream(new InputStream() {
            private final InputStream some = new ByteArrayInputStream(PatternStream.bytes(LENGTH));

            @Override
            public int read() throws IOException {
                int next = some.read();
                if (next < 0) {
                    throw new IOException("the source is gone");
                }
                return next;
            }
        });
        assertThatThrownBy(() -> producer.send(broken))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("the source is gone");
        assertThatThrownBy(() -> producer.send(broken)).hasMessageContaining("read by an earlier send");
        assertThatThrownBy(broken::reset).hasMessageContaining("can only be sent");
        assertThat(session.createConsumer(queue).receiveNoWait()).isNull();
        broken.clearBody();
        broken.writeInt(5);
        producer.send(broken);
        byte[] received = received(session.createConsumer(queue)).getBody(byte[].class);
        assertThat(Arrays.equals(received, new byte[] {0, 0, 0, 5})).isTrue();
    }
}
