package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.Identify;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
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
class ReconnectTest {
    private ScriptedNode node;
    private Connection connection;

    @BeforeEach
    void start() {
        node = ScriptedNode.start();
    }

    @AfterEach
    void close() throws JMSException {
        node.politely(Settle.Request.class, settle -> new Settle.Response(List.of()));
        connection.close();
        node.close();
    }

    private void connect(String options) throws JMSException {
        connection = new DuramenConnectionFactory(
                        node.url("prefetchMillis=0" + (options.isEmpty() ? "" : "&" + options)))
                .createConnection();
    }

    private static CompletableFuture<Void> inBackground(DuramenContext.Action action) {
        return CompletableFuture.runAsync(() -> {
            try {
                action.run();
            } catch (JMSException e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    @Test
    void shouldRepeatAnUnansweredPublishUnchanged() throws Exception {
        connect("clientId=me");
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        CompletableFuture<Void> sent = inBackground(() -> producer.send(session.createTextMessage("m1")));
        Publish.Request first = node.expected(Publish.Request.class);
        node.drop();
        ScriptedNode.Received again = node.expect(Publish.Request.class);
        assertThat(again.frame().payload()).isEqualTo(first);
        assertThat(sent).isNotDone();
        again.answer(new Publish.Response(0));
        sent.get(10, TimeUnit.SECONDS);
        List<Identify.Request> claims = node.handled(Identify.Request.class);
        assertThat(claims).hasSize(2);
        assertThat(claims.get(1)).isEqualTo(claims.get(0));
    }

    @Test
    void shouldRepeatALongMessageUnchangedWhenOthersWereAnsweredMeanwhile() throws Exception {
        node.frameLengthMax(16 << 20);
        connect("");
        Session unanswered = connection.createSession();
        MessageProducer waiting = unanswered.createProducer(unanswered.createQueue("orders"));
        Session answered = connection.createSession();
        MessageProducer going = answered.createProducer(answered.createQueue("orders"));
        String first = "1".repeat(300_000);
        CompletableFuture<Void> sent = inBackground(() -> waiting.send(unanswered.createTextMessage(first)));
        node.expected(Publish.Request.class);
        for (String other : List.of("2", "3", "4")) {
            CompletableFuture<Void> next =
                    inBackground(() -> going.send(answered.createTextMessage(other.repeat(300_000))));
            node.expect(Publish.Request.class).answer(new Publish.Response(0));
            next.get(10, TimeUnit.SECONDS);
        }
        node.drop();
        ScriptedNode.Received again = node.expect(Publish.Request.class);
        assertThat(Wires.texts(((Publish.Request) again.frame().payload()).batch()))
                .containsExactly(first);
        again.answer(new Publish.Response(0));
        sent.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldAttachAgainWithWhatTheApplicationHasAndDropWhatItHasNotSeen() throws Exception {
        connect("");
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        Attach.Request attach = node.handled(Attach.Request.class).get(0);
        connection.start();
        node.expected(Credit.Push.class);
        node.push(Wires.deliver(attach, 3, "a", "b", "c"));
        consumer.receive();
        node.drop();
        Credit.Push credit = node.expected(Credit.Push.class);
        assertThat(credit.messages()).isEqualTo(1000);
        assertThat(credit.seen()).isZero();
        Attach.Request again = node.handled(Attach.Request.class).get(1);
        assertThat(again.consumerId()).isEqualTo(attach.consumerId());
        assertThat(again.held()).containsExactly(new Attach.HeldDeliveries(1, List.of(OffsetRange.of(3))));
        node.push(Wires.deliver(again, 4, "b"));
        assertThat(consumer.receive().getBody(String.class)).isEqualTo("b");
        CompletableFuture<Void> acknowledged =
                inBackground(() -> ((DuramenSession) session).consumers().acceptGiven());
        ScriptedNode.Received settle = node.expect(Settle.Request.class);
        assertThat(((Settle.Request) settle.frame().payload()).ranges()).containsExactly(new OffsetRange(3, 4));
        settle.answer(new Settle.Response(List.of()));
        acknowledged.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldDetachBehindTheSettlementsItRepeatsWhenItWasClosingAtTheLoss() throws Exception {
        connect("");
        node.impolitely(Detach.Request.class);
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        Attach.Request attach = node.handled(Attach.Request.class).get(0);
        connection.start();
        node.expected(Credit.Push.class);
        node.push(Wires.deliver(attach, 3, "a"));
        consumer.receive();
        Settle.Request settle = node.expected(Settle.Request.class);
        CompletableFuture<Void> closed = inBackground(session::close);
        node.expected(Detach.Request.class);
        node.drop();
        ScriptedNode.Received again = node.expect(Settle.Request.class);
        assertThat(again.frame().payload()).isEqualTo(settle);
        again.answer(new Settle.Response(List.of()));
        node.expect(Detach.Request.class).answer(new Detach.Response());
        closed.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldMakeTemporaryDestinationsAgain() throws Exception {
        connect("");
        Session session = connection.createSession();
        session.createTemporaryQueue();
        node.drop();
        session.createQueue("orders");
        session.createProducer(session.createQueue("orders")); // answered over the new connection
        List<CreateTemporary.Request> made = node.handled(CreateTemporary.Request.class);
        assertThat(made).hasSize(2);
        assertThat(made.get(1)).isEqualTo(made.get(0));
    }

    @Test
    void shouldFailEverythingAndTellTheExceptionListenerWhenItGivesUp() throws Exception {
        connect("reconnectAttemptsMax=2&reconnectDelayMillis=1");
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(told::add);
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        CompletableFuture<Void> sent = inBackground(() -> producer.send(session.createTextMessage("m1")));
        node.expect(Publish.Request.class);
        node.beAway();
        node.drop();
        assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("outcome unknown");
        assertThat(told.poll(10, TimeUnit.SECONDS)).hasMessageContaining("gave up");
        assertThatThrownBy(() -> producer.send(session.createTextMessage("m2"))).isInstanceOf(JMSException.class);
        node.beThere();
    }

    @Test
    void shouldTakeSilenceOfTwiceTheHeartbeatForALostConnection() throws Exception {
        node.heartbeatMillis(50);
        connect("reconnect=false");
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(told::add);
        node.beDeaf();
        assertThat(told.poll(10, TimeUnit.SECONDS)).hasMessageContaining("silent");
    }

    @Test
    void shouldLetAReceiverWaitOnWhenTheConnectionIsLostAndBack() throws Exception {
        connect("");
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        connection.start();
        node.expected(Credit.Push.class);
        CompletableFuture<Void> received = inBackground(
                () -> assertThat(consumer.receive().getBody(String.class)).isEqualTo("late"));
        node.drop();
        node.expected(Credit.Push.class);
        node.push(Wires.deliver(node.handled(Attach.Request.class).get(1), 0, "late"));
        received.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldGoOnAtTheNextNodeWithTheSameSendAndTheSameConsumerWhenItsNodeIsGone() throws Exception {
        try (ScriptedNode first = ScriptedNode.startOnTcp();
                ScriptedNode second = ScriptedNode.startOnTcp()) {
            String both = first.url() + "," + second.url().substring("duramen://".length());
            connection = new DuramenConnectionFactory(both + "?prefetchMillis=0&prefetch=10").createConnection();
            BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
            connection.setExceptionListener(told::add);
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("in"));
            MessageProducer producer = session.createProducer(session.createQueue("out"));
            connection.start();
            first.expected(Credit.Push.class);
            CompletableFuture<Void> sent = inBackground(() -> producer.send(session.createTextMessage("m1")));
            Publish.Request asked = first.expected(Publish.Request.class);
            first.beAway();
            first.drop();
            ScriptedNode.Received again = second.expect(Publish.Request.class);
            assertThat(again.frame().payload()).isEqualTo(asked);
            again.answer(new Publish.Response(0));
            sent.get(10, TimeUnit.SECONDS);
            second.expected(Credit.Push.class);
            second.politely(Settle.Request.class, settle -> new Settle.Response(List.of()));
            second.push(Wires.deliver(second.handled(Attach.Request.class).get(0), 7, "m7"));
            assertThat(consumer.receive().getBody(String.class)).isEqualTo("m7");
            assertThat(told).isEmpty();
            connection.close();
            first.beThere();
        }
    }

    @Test
    void shouldTellTheExceptionListenerOnceWhateverElseFailsWithTheConnection() throws Exception {
        connect("reconnect=false");
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(told::add);
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        session.createConsumer(session.createQueue("a"));
        session.createConsumer(session.createQueue("b"));
        session.createTemporaryQueue();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        CompletableFuture<Void> sent = inBackground(() -> producer.send(session.createTextMessage("m1")));
        node.expect(Publish.Request.class);
        node.drop();
        assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS)).cause().isInstanceOf(JMSException.class);
        assertThat(told.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThatThrownBy(() -> session.createProducer(session.createQueue("other")))
                .isInstanceOf(JMSException.class);
        connection.close();
        assertThat(told).isEmpty();
    }
}
