package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Close;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueConnection;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may be called when, and what is left when all is closed. */
@Timeout(30)
class ClosingTest {
    private ScriptedNode node;
    private Connection connection;

    @BeforeEach
    void connect() throws JMSException {
        node = ScriptedNode.start();
        connection = new DuramenConnectionFactory(node.url()).createConnection();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    @Test
    void shouldRefuseEverythingButCloseWhenClosed() throws Exception {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        Message message = session.createMessage();
        connection.close();
        connection.close();
        session.close();
        producer.close();
        consumer.close();
        assertThat(node.handled(Close.Request.class)).hasSize(1);
        assertThatThrownBy(() -> connection.createSession()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.start()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.getClientID()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createMessage()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.recover()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.getPriority()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.receive()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.getMessageSelector()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldLeaveNoThreadBehindThatKeepsTheJvmAlive() throws Exception {
        Session session = connection.createSession();
        session.createConsumer(session.createQueue("q")).setMessageListener(message -> {});
        connection.start();
        connection.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("duramen-session")));
    }

    @Test
    void shouldSetAClientIdOnlyFirstOfAll() throws Exception {
        assertThatThrownBy(() -> connection.setClientID("")).isInstanceOf(InvalidClientIDException.class);
        connection.setClientID("me");
        assertThat(connection.getClientID()).isEqualTo("me");
        assertThatThrownBy(() -> connection.setClientID("you")).isInstanceOf(IllegalStateException.class);
        Connection used = new DuramenConnectionFactory(node.url()).createConnection();
        used.createSession();
        assertThatThrownBy(() -> used.setClientID("me")).isInstanceOf(IllegalStateException.class);
        used.close();
    }

    /** Closes the session, and notes how that went. */
    private record Closer(Session session, BlockingQueue<Object> noted) implements CompletionListener {
        @Override
        public void onCompletion(Message message) {
            try {
                session.close();
                noted.add("closed");
            } catch (JMSException e) {
                noted.add(e);
            }
        }

        @Override
        public void onException(Message message, Exception exception) {
            noted.add(exception);
        }
    }

    @Test
    void shouldWaitForOpenCompletionsWhenTheSessionIsClosed() throws Exception {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        BlockingQueue<Object> noted = new LinkedBlockingQueue<>();
        producer.send(session.createTextMessage("m"), new Closer(session, noted));
        ScriptedNode.Received publish = node.expect(Publish.Request.class);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> DuramenContext.run(session::close));
        await().until(((DuramenSession) session)::isClosing);
        assertThat(closed).isNotDone();
        publish.answer(new Publish.Response(0));
        closed.get(10, TimeUnit.SECONDS);
        assertThat(noted.poll(10, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotLetACompletionListenerCloseItsOwnSession() throws Exception {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        BlockingQueue<Object> noted = new LinkedBlockingQueue<>();
        producer.send(session.createTextMessage("m"), new Closer(session, noted));
        node.expect(Publish.Request.class).answer(new Publish.Response(0));
        assertThat(noted.poll(10, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotLetAListenerCloseItsOwnSessionOrStopItsConnection() throws Exception {
        node.politely(Settle.Request.class, settle -> new Settle.Response(List.of()));
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();
        List<DuramenContext.Action> forbidden = List.of(session::close, connection::stop, connection::close);
        consumer.setMessageListener(message -> {
            for (DuramenContext.Action action : forbidden) {
                try {
                    action.run();
                    outcomes.add("allowed");
                } catch (JMSException e) {
                    outcomes.add(e);
                }
            }
            DuramenContext.run(consumer::close);
            outcomes.add("consumer closed");
        });
        connection.start();
        node.expect(Credit.Push.class);
        node.push(Wires.deliver(node.handled(Attach.Request.class).get(0), 0, "a"));
        for (int i = 0; i < forbidden.size(); i++) {
            assertThat(outcomes.poll(10, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(outcomes.poll(10, TimeUnit.SECONDS)).isEqualTo("consumer closed");
        await().until(() -> !node.handled(Settle.Request.class).isEmpty());
        assertThat(node.handled(Settle.Request.class).get(0).outcome()).isEqualTo(Settle.Outcome.ACCEPTED);
    }

    @Test
    void shouldSayWhichDestinationIsWrong() throws Exception {
        Session session = connection.createSession();
        assertThatThrownBy(() -> session.createConsumer(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createQueue("")).isInstanceOf(InvalidDestinationException.class);
        MessageProducer anonymous = session.createProducer(null);
        assertThatThrownBy(() -> anonymous.send(session.createMessage()))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> anonymous.send(null, session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
        node.impolitely(ResolveDestination.Request.class);
        CompletableFuture<Object> made = CompletableFuture.supplyAsync(
                () -> DuramenContext.ask(() -> session.createProducer(session.createQueue("nowhere"))));
        node.expect(ResolveDestination.Request.class).refuse(ErrorCode.DESTINATION_NOT_FOUND, "nowhere");
        assertThatThrownBy(() -> made.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(jakarta.jms.InvalidDestinationRuntimeException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void shouldNotConsumeFromATemporaryQueueOfAnotherConnection() throws Exception {
        Session session = connection.createSession();
        TemporaryQueue own = session.createTemporaryQueue();
        session.createConsumer(own).close();
        try (Connection other = new DuramenConnectionFactory(node.url()).createConnection()) {
            Session foreign = other.createSession();
            assertThatThrownBy(() -> foreign.createConsumer(own)).isInstanceOf(InvalidDestinationException.class);
        }
        own.delete();
        assertThat(node.handled(DeleteDestination.Request.class)).hasSize(1);
        assertThatThrownBy(() -> session.createConsumer(own)).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldKeepQueueSessionsToQueuesAndDurablesToClientIds() throws Exception {
        Session session = connection.createSession();
        Topic topic = session.createTopic("t");
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s")).isInstanceOf(IllegalStateException.class);
        session.createSharedDurableConsumer(topic, "s");
        assertThatThrownBy(() -> session.createDurableSubscriber(session.createTemporaryTopic(), "s"))
                .isInstanceOf(JMSException.class);
        Session queues = ((QueueConnection) connection).createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        assertThatThrownBy(() -> queues.createTopic("t")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> queues.unsubscribe("s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
    }
}
