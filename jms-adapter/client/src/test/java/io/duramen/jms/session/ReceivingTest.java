package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReceivingTest {
    private ScriptedNode node;
    private Connection connection;
    private Session session;
    private MessageConsumer consumer;
    private Attach.Request attach;

    @BeforeEach
    void start() {
        node = ScriptedNode.start();
    }

    @AfterEach
    void close() throws JMSException {
        node.politely(Settle.Request.class, settle -> new Settle.Response(List.of()));
        node.politely(Detach.Request.class, detach -> new Detach.Response());
        connection.close();
        node.close();
    }

    private void consume(String options, int mode) throws Exception {
        connection = new DuramenConnectionFactory(node.url("prefetchMillis=0&" + options)).createConnection();
        session = connection.createSession(mode);
        consumer = session.createConsumer(session.createQueue("orders"));
        attach = node.handled(Attach.Request.class).get(0);
        connection.start();
    }

    private Credit.Push expectCredit() throws InterruptedException {
        return node.expected(Credit.Push.class);
    }

    private static String text(Message message) throws JMSException {
        return message == null ? null : message.getBody(String.class);
    }

    private void expectSettle(Settle.Outcome outcome, boolean urgent, long first, long last) throws Exception {
        ScriptedNode.Received received = node.expect(Settle.Request.class);
        Settle.Request settle = (Settle.Request) received.frame().payload();
        assertThat(settle.outcome()).isEqualTo(outcome);
        assertThat(settle.urgent()).isEqualTo(urgent);
        assertThat(settle.ranges()).containsExactly(new OffsetRange(first, last));
        received.answer(new Settle.Response(List.of()));
    }

    @Test
    void shouldSettleABatchInOneFrameWhenItsLastMessageIsReceived() throws Exception {
        consume("prefetch=1000", Session.AUTO_ACKNOWLEDGE);
        Credit.Push credit = expectCredit();
        assertThat(credit.messages()).isEqualTo(1000);
        assertThat(credit.bytes()).isEqualTo(1024 * 1024);
        node.push(Wires.deliver(attach, 5, "a", "b", "c"));
        assertThat(text(consumer.receive())).isEqualTo("a");
        assertThat(text(consumer.receive())).isEqualTo("b");
        assertThat(text(consumer.receive())).isEqualTo("c");
        OffsetRange settled = null;
        while (settled == null || settled.last() < 7) { // a slow run may cut it in two, never lose any
            ScriptedNode.Received received = node.expect(Settle.Request.class);
            OffsetRange next =
                    ((Settle.Request) received.frame().payload()).ranges().get(0);
            assertThat(next.first()).isEqualTo(settled == null ? 5 : settled.last() + 1);
            settled = next;
            received.answer(new Settle.Response(List.of()));
        }
    }

    @Test
    void shouldReplenishCreditWhenHalfIsUsed() throws Exception {
        consume("prefetch=4", Session.CLIENT_ACKNOWLEDGE);
        assertThat(expectCredit().messages()).isEqualTo(4);
        node.push(Wires.deliver(attach, 0, "a", "b", "c", "d"));
        consumer.receive();
        consumer.receive();
        Credit.Push credit = expectCredit();
        assertThat(credit.messages()).isEqualTo(2);
        assertThat(credit.seen()).isEqualTo(2);
    }

    @Test
    void shouldFetchOneMessageOnDemandWhenPrefetchIsZero() throws Exception {
        consume("prefetch=0", Session.CLIENT_ACKNOWLEDGE);
        CompletableFuture<Message> received = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        received.complete(consumer.receive());
                    } catch (JMSException e) {
                        received.completeExceptionally(e);
                    }
                })
                .start();
        assertThat(expectCredit().messages()).isEqualTo(1);
        node.push(Wires.deliver(attach, 0, "a"));
        assertThat(text(received.get(10, TimeUnit.SECONDS))).isEqualTo("a");
        session.createTemporaryQueue(); // an answer behind whatever would have been sent
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldAskTheNodeBeforeSayingThatNothingIsThere() throws Exception {
        consume("prefetch=1000", Session.CLIENT_ACKNOWLEDGE);
        expectCredit();
        CompletableFuture<String> answer = inBackground(() -> text(consumer.receiveNoWait()));
        Credit.Push drain = expectCredit();
        assertThat(drain.drain()).isTrue();
        assertThat(answer).isNotDone();
        node.push(Wires.deliver(attach, 0, "a"));
        node.push(new Drained.Push(0, attach.consumerId()));
        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("a");
        CompletableFuture<String> next = inBackground(() -> text(consumer.receiveNoWait()));
        Credit.Push again = expectCredit();
        assertThat(again.drain()).isTrue();
        assertThat(again.messages()).isEqualTo(1000);
        node.push(new Drained.Push(0, attach.consumerId()));
        assertThat(next.get(10, TimeUnit.SECONDS)).isNull();
    }

    interface Question<T> {
        T ask() throws Exception;
    }

    private static <T> CompletableFuture<T> inBackground(Question<T> question) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return question.ask();
            } catch (Exception e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    @Test
    void shouldSettleEverythingGivenWhenOneMessageIsAcknowledged() throws Exception {
        consume("prefetch=1000", Session.CLIENT_ACKNOWLEDGE);
        expectCredit();
        node.push(Wires.deliver(attach, 0, "a", "b", "c"));
        Message first = consumer.receive();
        consumer.receive();
        CompletableFuture<Void> acknowledged = inBackground(() -> {
            first.acknowledge();
            return null;
        });
        ScriptedNode.Received received = node.expect(Settle.Request.class);
        Settle.Request settle = (Settle.Request) received.frame().payload();
        assertThat(settle.ranges()).containsExactly(new OffsetRange(0, 1));
        assertThat(settle.urgent()).isTrue();
        assertThat(settle.seen()).isEqualTo(2);
        assertThat(acknowledged).isNotDone();
        received.answer(new Settle.Response(List.of()));
        acknowledged.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldGiveBackInOrderAndGrantCreditOnlyAfterwardsWhenRecovering() throws Exception {
        consume("prefetch=10", Session.CLIENT_ACKNOWLEDGE);
        expectCredit();
        node.push(Wires.deliver(attach, 0, "a", "b", "c"));
        consumer.receive();
        CompletableFuture<Void> recovered = inBackground(() -> {
            session.recover();
            return null;
        });
        assertThat(expectCredit().drain()).isTrue();
        node.push(Wires.deliver(attach, 3, "d")); // was on its way
        node.push(new Drained.Push(0, attach.consumerId()));
        expectSettle(Settle.Outcome.REJECTED, true, 0, 0);
        assertThat(recovered).isNotDone();
        expectSettle(Settle.Outcome.RELEASED, true, 1, 3);
        recovered.get(10, TimeUnit.SECONDS);
        assertThat(expectCredit().messages()).isEqualTo(10);
        node.push(Wires.deliver(attach.consumerId(), new Wires.Sent(0, 2, "a", 0)));
        Message again = consumer.receive();
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    void shouldCallTheListenerAndSettleAfterItReturned() throws Exception {
        consume("prefetch=1000", Session.AUTO_ACKNOWLEDGE);
        expectCredit();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        CountDownLatch mayReturn = new CountDownLatch(1);
        consumer.setMessageListener(message -> {
            try {
                heard.add(text(message));
                mayReturn.await();
            } catch (JMSException | InterruptedException e) {
                heard.add(e.toString());
            }
        });
        node.push(Wires.deliver(attach, 0, "a"));
        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
        assertThat(node.hasUnexpected()).isFalse();
        mayReturn.countDown();
        expectSettle(Settle.Outcome.ACCEPTED, false, 0, 0);
    }

    @Test
    void shouldGiveAMessageBackWhenTheListenerThrows() throws Exception {
        consume("prefetch=1000", Session.AUTO_ACKNOWLEDGE);
        expectCredit();
        consumer.setMessageListener(message -> {
            throw new IllegalArgumentException("on purpose");
        });
        node.push(Wires.deliver(attach, 0, "a", "b"));
        assertThat(expectCredit().drain()).isTrue();
        node.push(new Drained.Push(0, attach.consumerId()));
        expectSettle(Settle.Outcome.REJECTED, true, 0, 0);
        expectSettle(Settle.Outcome.RELEASED, true, 1, 1);
        consumer.setMessageListener(null);
    }

    @Test
    void shouldReturnNullFromAReceiveWhenTheConsumerIsClosed() throws Exception {
        consume("prefetch=1000", Session.AUTO_ACKNOWLEDGE);
        CompletableFuture<Thread> receiver = new CompletableFuture<>();
        CompletableFuture<String> received = inBackground(() -> {
            receiver.complete(Thread.currentThread());
            return text(consumer.receive());
        });
        Thread thread = receiver.get(10, TimeUnit.SECONDS);
        await().until(() -> thread.getState() == Thread.State.WAITING);
        expectCredit();
        consumer.close();
        assertThat(received.get(10, TimeUnit.SECONDS)).isNull();
        assertThatThrownBy(() -> consumer.receive()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldKeepTheLeasesOfAClosedConsumerUntilTheSessionSettlesThem() throws Exception {
        consume("prefetch=1000", Session.CLIENT_ACKNOWLEDGE);
        expectCredit();
        node.push(Wires.deliver(attach, 0, "a", "b"));
        Message message = consumer.receive();
        node.impolitely(Detach.Request.class);
        CompletableFuture<Void> closed = inBackground(() -> {
            consumer.close();
            return null;
        });
        ScriptedNode.Received detach = node.expect(Detach.Request.class);
        assertThat(((Detach.Request) detach.frame().payload()).keepSeen()).isTrue();
        assertThat(((Detach.Request) detach.frame().payload()).seen()).isEqualTo(1);
        detach.answer(new Detach.Response());
        closed.get(10, TimeUnit.SECONDS);
        CompletableFuture<Void> acknowledged = inBackground(() -> {
            message.acknowledge();
            return null;
        });
        expectSettle(Settle.Outcome.ACCEPTED, true, 0, 0);
        acknowledged.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldNotGiveWhatHasExpiredMeanwhile() throws Exception {
        consume("prefetch=1000", Session.CLIENT_ACKNOWLEDGE);
        expectCredit();
        node.push(Wires.deliver(attach.consumerId(), new Wires.Sent(0, 1, "old", 1), Wires.Sent.of(1, "new")));
        assertThat(text(consumer.receive())).isEqualTo("new");
        expectSettle(Settle.Outcome.RELEASED, false, 0, 0);
    }

    @Test
    void shouldGiveNothingWhileStopped() throws Exception {
        consume("prefetch=1000", Session.CLIENT_ACKNOWLEDGE);
        expectCredit();
        connection.stop();
        node.push(Wires.deliver(attach, 0, "a"));
        assertThat(consumer.receive(20)).isNull();
        connection.start();
        assertThat(text(consumer.receive())).isEqualTo("a");
    }

    @Test
    void shouldWaitForTheListenerWhenStopping() throws Exception {
        consume("prefetch=1000", Session.CLIENT_ACKNOWLEDGE);
        expectCredit();
        CountDownLatch heard = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        consumer.setMessageListener(message -> {
            heard.countDown();
            try {
                mayReturn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        node.push(Wires.deliver(attach, 0, "a"));
        heard.await();
        CompletableFuture<Void> stopped = inBackground(() -> {
            connection.stop();
            return null;
        });
        assertThatThrownBy(() -> stopped.get(50, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        mayReturn.countDown();
        stopped.get(10, TimeUnit.SECONDS);
    }
}
