package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SendingTest {
    private ScriptedNode node;
    private Connection connection;
    private Session session;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws JMSException {
        node = ScriptedNode.start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
        session = connection.createSession();
        producer = session.createProducer(session.createQueue("orders"));
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    private CompletableFuture<Void> sendInBackground(String text) {
        return CompletableFuture.runAsync(() -> {
            try {
                producer.send(session.createTextMessage(text));
            } catch (JMSException e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    @Test
    void shouldReturnFromAPersistentSendWhenItIsAnswered() throws Exception {
        CompletableFuture<Void> send = sendInBackground("m1");
        ScriptedNode.Received received = node.expect(Publish.Request.class);
        Publish.Request publish = (Publish.Request) received.frame().payload();
        assertThat(publish.acks()).isEqualTo(Publish.Acks.ALL);
        assertThat(Wires.texts(publish.batch())).containsExactly("m1");
        assertThat(RecordBatch.isPersistent(publish.batch())).isTrue();
        assertThat(send).isNotDone();
        received.answer(new Publish.Response(0));
        send.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldNumberSequencesWithoutGaps() throws Exception {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Void> send = sendInBackground("m" + i);
            ScriptedNode.Received received = node.expect(Publish.Request.class);
            assertThat(RecordBatch.baseSequence(
                            ((Publish.Request) received.frame().payload()).batch()))
                    .isEqualTo(i);
            received.answer(new Publish.Response(i));
            send.get(10, TimeUnit.SECONDS);
        }
    }

    /** A session whose send timed out may be used again: the late answer must not end another call. */
    @Test
    void shouldNotTakeTheLateAnswerOfASendThatTimedOutForTheNextOnes() throws Exception {
        connection.close();
        connection = new DuramenConnectionFactory(node.url("requestTimeoutMillis=500")).createConnection();
        session = connection.createSession();
        producer = session.createProducer(session.createQueue("orders"));
        assertThatThrownBy(() -> producer.send(session.createTextMessage("m1"))).isInstanceOf(JMSException.class);
        ScriptedNode.Received late = node.expect(Publish.Request.class);
        CompletableFuture<Void> second = sendInBackground("m2");
        ScriptedNode.Received next = node.expect(Publish.Request.class);
        late.answer(new Publish.Response(0));
        assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS)) // nobody has answered it
                .cause()
                .isInstanceOf(JMSException.class);
        next.answer(new Publish.Response(1));
        node.politely(Publish.Request.class, publish -> new Publish.Response(2));
        producer.send(session.createTextMessage("m3"));
        Publish.Request last = node.handled(Publish.Request.class).get(0);
        assertThat(Wires.texts(last.batch())).containsExactly("m3");
        assertThat(RecordBatch.baseSequence(last.batch())).isEqualTo(2);
    }

    @Test
    void shouldThrowWhatTheNodeRefusedWith() throws Exception {
        CompletableFuture<Void> send = sendInBackground("m1");
        node.expect(Publish.Request.class).refuse(ErrorCode.RESOURCE_EXHAUSTED, "disk");
        assertThatThrownBy(() -> send.get(10, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(io.duramen.protocol.ProtocolException.class)
                .cause()
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("disk");
    }

    @Test
    void shouldNotWaitWhenNonPersistentAndRaiseItsRefusalAtTheNextSend() throws Exception {
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(session.createTextMessage("m1"));
        ScriptedNode.Received received = node.expect(Publish.Request.class);
        assertThat(((Publish.Request) received.frame().payload()).acks()).isEqualTo(Publish.Acks.NONE);
        received.refuse(ErrorCode.RESOURCE_EXHAUSTED, "quota");
        session.createTemporaryQueue(); // an answer behind the refusal
        assertThatThrownBy(() -> producer.send(session.createTextMessage("m2")))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("quota");
        producer.send(session.createTextMessage("m3"));
        assertThat(Wires.texts(node.expected(Publish.Request.class).batch())).containsExactly("m3");
    }

    /** Notes what it is told as {@code text} or {@code text!error code}. */
    private static final class Notes implements CompletionListener {
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();

        @Override
        public void onCompletion(Message message) {
            note(message, "");
        }

        @Override
        public void onException(Message message, Exception exception) {
            note(message, "!" + ((JMSException) exception).getErrorCode());
        }

        private void note(Message message, String suffix) {
            try {
                told.add(message.getBody(String.class) + suffix);
            } catch (JMSException e) {
                told.add(e.toString());
            }
        }
    }

    @Test
    void shouldTellCompletionListenersInTheOrderOfTheSends() throws Exception {
        Notes notes = new Notes();
        for (int i = 0; i < 100; i++) {
            producer.send(session.createTextMessage("m" + i), notes);
        }
        List<String> sent = new ArrayList<>();
        int refused = -1;
        while (sent.size() < 100) {
            ScriptedNode.Received received = node.expect(Publish.Request.class);
            List<String> texts = Wires.texts(((Publish.Request) received.frame().payload()).batch());
            if (sent.isEmpty()) {
                refused = texts.size();
                received.refuse(ErrorCode.NOT_AUTHORIZED, "write");
            } else {
                received.answer(new Publish.Response(sent.size()));
            }
            sent.addAll(texts);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(sent.get(i)).isEqualTo("m" + i);
            assertThat(notes.told.poll(10, TimeUnit.SECONDS))
                    .isEqualTo("m" + i + (i < refused ? "!NOT_AUTHORIZED" : ""));
        }
    }

    @Test
    void shouldGatherManyMessagesInOneFrameWhileTheLinkIsBusy() throws Exception {
        Notes notes = new Notes();
        node.politely(Publish.Request.class, publish -> new Publish.Response(0));
        for (int i = 0; i < 5_000; i++) {
            producer.send(session.createTextMessage("m" + i), notes);
        }
        for (int i = 0; i < 5_000; i++) {
            assertThat(notes.told.poll(10, TimeUnit.SECONDS)).isEqualTo("m" + i);
        }
        assertThat(node.handled(Publish.Request.class)).hasSizeLessThan(5_000);
    }

    @Test
    void shouldRefuseAMessageAboveTheFrameLimitAndGoOn() throws Exception {
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        Message huge = session.createTextMessage("its body could go in parts, its properties cannot");
        huge.setStringProperty("p", "x".repeat(2 * 1024 * 1024));
        assertThatThrownBy(() -> producer.send(huge))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("frame limit");
        producer.send(session.createTextMessage("small"));
        assertThat(Wires.texts(node.expected(Publish.Request.class).batch())).containsExactly("small");
    }
}
