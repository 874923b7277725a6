package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DeadLetters;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The modes beyond the specification's, and what the node may ask back in any mode. */
@Timeout(30)
class AcknowledgeModesTest {
    private final List<Settle.Request> settled = new CopyOnWriteArrayList<>();
    private ScriptedNode node;
    private Connection connection;
    private Session session;
    private MessageConsumer consumer;
    private Attach.Request attach;

    @BeforeEach
    void start() {
        node = ScriptedNode.start().politely(Settle.Request.class, settle -> {
            settled.add(settle);
            return new Settle.Response(List.of());
        });
    }

    @AfterEach
    void close() throws JMSException {
        if (connection != null) {
            connection.close();
        }
        node.close();
    }

    private void consume(int mode, String... texts) throws Exception {
        consume(mode, making -> making.createQueue("orders"), texts);
    }

    private interface QueueOf {
        Queue in(Session session) throws JMSException;
    }

    private void consume(int mode, QueueOf queue, String... texts) throws Exception {
        connection = new DuramenConnectionFactory(node.url("prefetch=10&prefetchMillis=0")).createConnection();
        session = connection.createSession(mode);
        consumer = session.createConsumer(queue.in(session));
        attach = node.handled(Attach.Request.class).get(0);
        connection.start();
        node.expected(Credit.Push.class);
        node.push(Wires.deliver(attach, 0, texts));
    }

    private static String text(Message message) throws JMSException {
        return message == null ? null : message.getBody(String.class);
    }

    private void expectSettled(Settle.Outcome outcome, long seen, OffsetRange... ranges) {
        Awaitility.await().until(() -> !settled.isEmpty());
        Settle.Request next = settled.remove(0);
        assertThat(next.outcome()).isEqualTo(outcome);
        assertThat(next.ranges()).containsExactly(ranges);
        assertThat(next.seen()).isEqualTo(seen);
    }

    @Test
    void shouldAcknowledgeOneMessageAloneWhenIndividual() throws Exception {
        consume(AcknowledgeModes.INDIVIDUAL, "a", "b", "c");
        assertThat(session.getAcknowledgeMode()).isEqualTo(AcknowledgeModes.INDIVIDUAL);
        Message a = consumer.receive();
        Message b = consumer.receive();
        b.acknowledge();
        expectSettled(Settle.Outcome.ACCEPTED, 2, OffsetRange.of(1));
        b.acknowledge();
        a.acknowledge();
        expectSettled(Settle.Outcome.ACCEPTED, 2, OffsetRange.of(0));
        assertThat(settled).isEmpty();
        session.close();
        assertThatThrownBy(a::acknowledge).isInstanceOf(jakarta.jms.IllegalStateException.class);
    }

    @Test
    void shouldRefuseOneMessageAloneAndSayWhy() throws Exception {
        consume(Session.CLIENT_ACKNOWLEDGE, "a", "b");
        Message a = consumer.receive();
        DeadLetters.refuse(a, "no such article");
        assertThat(settled.get(0).reason()).isEqualTo("no such article");
        expectSettled(Settle.Outcome.REFUSED, 1, OffsetRange.of(0));
        assertThatThrownBy(() -> DeadLetters.refuse(a, "")).isInstanceOf(jakarta.jms.IllegalStateException.class);
        assertThatThrownBy(() -> DeadLetters.refuse(session.createTextMessage(), ""))
                .isInstanceOf(jakarta.jms.IllegalStateException.class);
        consumer.receive().acknowledge();
        expectSettled(Settle.Outcome.ACCEPTED, 2, OffsetRange.of(1));
    }

    @Test
    void shouldTellTheNodeWhatItGivesToTheApplicationAgain() throws Exception {
        consume(Session.CLIENT_ACKNOWLEDGE, "first");
        assertThat(text(consumer.receive())).isEqualTo("first");
        node.push(Wires.deliver(attach.consumerId(), new Wires.Sent(1, 2, "again", 0)));
        assertThat(text(consumer.receive())).isEqualTo("again");
        expectSettled(Settle.Outcome.RELEASED, 2);
    }

    @Test
    void shouldGiveBackOnlyWhatIsNotAcknowledgedWhenIndividualAndRecovered() throws Exception {
        consume(AcknowledgeModes.INDIVIDUAL, "a", "b", "c", "d");
        node.politely(Credit.Push.class, credit -> {
            if (credit.drain()) {
                node.push(new io.duramen.protocol.frame.Drained.Push(0, attach.consumerId()));
            }
            return null;
        });
        Message a = consumer.receive();
        consumer.receive().acknowledge();
        expectSettled(Settle.Outcome.ACCEPTED, 2, OffsetRange.of(1));
        consumer.receive();
        session.recover();
        expectSettled(Settle.Outcome.REJECTED, 3, OffsetRange.of(0), OffsetRange.of(2));
        expectSettled(Settle.Outcome.RELEASED, 4, OffsetRange.of(3));
        a.acknowledge();
        assertThat(settled).as("it is no longer the session's").isEmpty();
    }

    @Test
    void shouldSettleWhatATemporaryQueueGaveThoughNothingMoreIsSaid() throws Exception {
        consume(Session.AUTO_ACKNOWLEDGE, Session::createTemporaryQueue, "reply");
        assertThat(text(consumer.receive())).isEqualTo("reply");
        expectSettled(Settle.Outcome.ACCEPTED, 1, OffsetRange.of(0));
        node.push(Wires.deliver(attach.consumerId(), new Wires.Sent(1, 1, "last", 0)));
        assertThat(text(consumer.receive())).isEqualTo("last");
        connection.close();
        expectSettled(Settle.Outcome.ACCEPTED, 2, OffsetRange.of(1));
    }

    @Test
    void shouldSettleWhenMessagesArriveWhenNothingIsAcknowledged() throws Exception {
        consume(AcknowledgeModes.NONE, "a", "b", "c");
        expectSettled(Settle.Outcome.ACCEPTED, 3, new OffsetRange(0, 2));
        Message a = consumer.receive();
        assertThat(text(a)).isEqualTo("a");
        a.acknowledge();
        session.recover();
        node.push(new Recall.Push(0, attach.consumerId(), 5));
        assertThat(text(consumer.receive())).isEqualTo("b");
        assertThat(text(consumer.receive())).isEqualTo("c");
        assertThat(settled).isEmpty();
    }

    /** The API documentation of JMSConsumer.receiveBody: what cannot be had as that type is as if not received. */
    @Test
    void shouldGoOnAfterAListenerThrewAndGiveNothingBackWhenNothingIsAcknowledged() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        connection = new DuramenConnectionFactory(node.url("prefetch=10&prefetchMillis=0")).createConnection();
        session = connection.createSession(AcknowledgeModes.NONE);
        consumer = session.createConsumer(session.createQueue("orders"));
        consumer.setMessageListener(message -> {
            try {
                heard.add(text(message));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
            throw new IllegalStateException("after " + heard);
        });
        attach = node.handled(Attach.Request.class).get(0);
        connection.start();
        node.expected(Credit.Push.class);
        node.push(Wires.deliver(attach, 0, "m0", "m1"));
        Awaitility.await().until(() -> heard.size() == 2);
        session.close();
        assertThat(heard).containsExactly("m0", "m1");
        assertThat(settled).isNotEmpty().allMatch(settle -> settle.outcome() == Settle.Outcome.ACCEPTED);
    }

    @Test
    void shouldGiveAgainWhatWasAskedForAsAnotherTypeWhenNothingIsAcknowledged() throws Exception {
        try (JMSContext context = new DuramenConnectionFactory(node.url("")).createContext(AcknowledgeModes.NONE);
                JMSConsumer receiving = context.createConsumer(context.createQueue("orders"))) {
            attach = node.handled(Attach.Request.class).get(0);
            node.expected(Credit.Push.class);
            node.push(Wires.deliver(attach, 0, "a", "b"));
            assertThatThrownBy(() -> receiving.receiveBody(Integer.class))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(receiving.receiveBody(String.class)).isEqualTo("a");
            assertThat(receiving.receiveBody(String.class)).isEqualTo("b");
        }
    }

    @Test
    void shouldAcknowledgeAllThatWasGivenWhenAContextIsIndividual() throws Exception {
        try (JMSContext context =
                        new DuramenConnectionFactory(node.url("")).createContext(AcknowledgeModes.INDIVIDUAL);
                JMSConsumer receiving = context.createConsumer(context.createQueue("orders"))) {
            attach = node.handled(Attach.Request.class).get(0);
            node.expected(Credit.Push.class);
            node.push(Wires.deliver(attach, 0, "a", "b", "c"));
            receiving.receive();
            receiving.receive();
            context.acknowledge();
            expectSettled(Settle.Outcome.ACCEPTED, 2, new OffsetRange(0, 1));
        }
    }

    /** Section 6.2.10 of the specification, DUPS_OK_ACKNOWLEDGE: lazily, but all of it. */
    @Test
    void shouldAcknowledgeLazilyWhenDuplicatesAreOk() throws Exception {
        consume(Session.DUPS_OK_ACKNOWLEDGE, "a", "b", "c", "d", "e", "f");
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.DUPS_OK_ACKNOWLEDGE);
        for (int i = 0; i < 6; i++) {
            consumer.receive();
        }
        Awaitility.await().until(() -> messagesSettled() == 6);
        assertThat(settled).hasSizeLessThan(6).allMatch(settle -> settle.outcome() == Settle.Outcome.ACCEPTED);
    }

    private long messagesSettled() {
        return settled.stream()
                .flatMap(settle -> settle.ranges().stream())
                .mapToLong(range -> range.last() - range.first() + 1)
                .sum();
    }

    @Test
    void shouldStillGiveWhatArrivedBeforeTheConnectionWasLostWhenNothingIsAcknowledged() throws Exception {
        consume(AcknowledgeModes.NONE, "a", "b");
        expectSettled(Settle.Outcome.ACCEPTED, 2, new OffsetRange(0, 1));
        node.drop();
        Awaitility.await().until(() -> node.handled(Attach.Request.class).size() == 2);
        assertThat(node.handled(Attach.Request.class).get(1).held()).isEmpty();
        assertThat(text(consumer.receive())).isEqualTo("a");
        assertThat(text(consumer.receive())).isEqualTo("b");
    }

    /** It stands behind what is given back: credit from before it is void. */
    private void expectAnswerToRecall(long seen) throws Exception {
        Credit.Push answer = node.expected(Credit.Push.class);
        assertThat(answer.messages()).isZero();
        assertThat(answer.seen()).isEqualTo(seen);
    }

    @Test
    void shouldGiveBackTheLatestUnseenAndSayWhatWasSeenWhenRecalled() throws Exception {
        consume(Session.CLIENT_ACKNOWLEDGE, "a", "b", "c", "d");
        Message a = consumer.receive();
        node.push(new Recall.Push(0, attach.consumerId(), 2));
        expectSettled(Settle.Outcome.RELEASED, 1, new OffsetRange(2, 3));
        expectAnswerToRecall(1);
        node.push(new Recall.Push(0, attach.consumerId(), 2));
        expectSettled(Settle.Outcome.RELEASED, 4, OffsetRange.of(1));
        expectAnswerToRecall(4);
        node.push(new Recall.Push(0, attach.consumerId(), 2));
        expectAnswerToRecall(4);
        a.acknowledge();
        expectSettled(Settle.Outcome.ACCEPTED, 4, OffsetRange.of(0));
    }

    @Test
    void shouldAskForMoreOnlyWhenTheApplicationDoesAfterARecall() throws Exception {
        consume(Session.CLIENT_ACKNOWLEDGE, "a", "b");
        consumer.receive();
        node.push(new Recall.Push(0, attach.consumerId(), 9));
        expectSettled(Settle.Outcome.RELEASED, 2, OffsetRange.of(1));
        expectAnswerToRecall(2);
        session.createTemporaryQueue(); // an answer behind whatever would have been sent
        assertThat(node.hasUnexpected()).isFalse();
        assertThat(consumer.receive(1)).isNull();
        assertThat(node.expected(Credit.Push.class).messages()).isEqualTo(10);
        node.push(Wires.deliver(attach, 5, "f"));
        consumer.receive().acknowledge();
        expectSettled(Settle.Outcome.ACCEPTED, 3, OffsetRange.of(0), OffsetRange.of(5));
    }
}
