package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a send asks the node to answer, as the factory chooses it. */
@Timeout(30)
class ChosenAcksTest {
    private static final CompletionListener NOBODY = new CompletionListener() {
        @Override
        public void onCompletion(Message message) {}

        @Override
        public void onException(Message message, Exception exception) {}
    };

    private ScriptedNode node;

    @BeforeEach
    void start() {
        node = ScriptedNode.start();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private static void send(MessageProducer producer, Message message, boolean async) {
        try {
            if (async) {
                producer.send(message, NOBODY);
            } else {
                producer.send(message);
            }
        } catch (JMSException e) {
            throw new CompletionException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "persistentAcks=all, PERSISTENT, 0, ALL, ALL",
        "persistentAcks=1, PERSISTENT, 0, LEADER, LEADER",
        "persistentAcks=1, PERSISTENT, 60000, ALL, ALL",
        "persistentAcks=1, NON_PERSISTENT, 0, NONE, LEADER",
        "nonPersistentAcks=0, NON_PERSISTENT, 0, NONE, LEADER",
        "nonPersistentAcks=1, NON_PERSISTENT, 0, LEADER, LEADER",
        "nonPersistentAcks=1, NON_PERSISTENT, 60000, LEADER, LEADER",
        "nonPersistentAcks=all, NON_PERSISTENT, 0, ALL, ALL",
        "nonPersistentAcks=all, PERSISTENT, 0, ALL, ALL",
    })
    void shouldAskForWhatTheFactoryChose(
            String option, String mode, long delay, Publish.Acks blocking, Publish.Acks listening) throws Exception {
        try (Connection connection = new DuramenConnectionFactory(node.url(option)).createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            producer.setDeliveryMode(mode.equals("PERSISTENT") ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            producer.setDeliveryDelay(delay);
            for (boolean async : new boolean[] {false, true}) {
                Message message = session.createTextMessage("m");
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(producer, message, async));
                ScriptedNode.Received received = node.expect(Publish.Request.class);
                Publish.Request publish = (Publish.Request) received.frame().payload();
                assertThat(publish.acks()).isEqualTo(async ? listening : blocking);
                assertThat(RecordBatch.isPersistent(publish.batch())).isEqualTo(mode.equals("PERSISTENT"));
                if (publish.acks() != Publish.Acks.NONE) {
                    assertThat(sent.isDone() && !async).isFalse();
                    received.answer(new Publish.Response(0));
                }
                sent.get(10, TimeUnit.SECONDS);
            }
        }
    }

    /** A commit asks for nothing: it is always as safe as can be. */
    @Test
    void shouldCommitAsEverWhateverTheFactoryChose() throws Exception {
        node.politely(Commit.Request.class, commit -> new Commit.Response());
        try (Connection connection = new DuramenConnectionFactory(node.url("persistentAcks=1")).createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("m"));
            session.commit();
        }
        assertThat(node.handled(Commit.Request.class)).hasSize(1);
        assertThat(node.handled(Publish.Request.class)).isEmpty();
    }
}
