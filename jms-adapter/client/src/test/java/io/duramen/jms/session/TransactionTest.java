package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.TransactionOutcome;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TransactionTest {
    private ScriptedNode node;
    private Connection connection;
    private Session session;
    private MessageProducer producer;
    private MessageConsumer consumer;
    private Attach.Request attach;

    @BeforeEach
    void connect() throws Exception {
        node = ScriptedNode.start();
        connection = new DuramenConnectionFactory(node.url("prefetch=10&prefetchMillis=0")).createConnection();
        session = connection.createSession(Session.SESSION_TRANSACTED);
        producer = session.createProducer(session.createQueue("out"));
        consumer = session.createConsumer(session.createQueue("in"));
        attach = node.handled(Attach.Request.class).get(0);
        connection.start();
        node.expected(Credit.Push.class);
    }

    @AfterEach
    void close() throws JMSException {
        node.politely(Settle.Request.class, settle -> new Settle.Response(List.of()));
        connection.close();
        node.close();
    }

    private CompletableFuture<Void> inBackground(DuramenContext.Action action) {
        return CompletableFuture.runAsync(() -> {
            try {
                action.run();
            } catch (JMSException e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    private CompletableFuture<Void> workAndCommit() throws JMSException {
        node.push(Wires.deliver(attach, 40, "a", "b", "c"));
        consumer.receive();
        consumer.receive();
        producer.send(session.createTextMessage("x"));
        producer.send(session.createTextMessage("y"));
        return inBackground(session::commit);
    }

    @Test
    void shouldCommitSendsAndSettlementsInOneFrame() throws Exception {
        CompletableFuture<Void> committed = workAndCommit();
        ScriptedNode.Received received = node.expect(Commit.Request.class);
        Commit.Request commit = (Commit.Request) received.frame().payload();
        assertThat(commit.sequence()).isEqualTo(1);
        assertThat(commit.batches()).hasSize(1);
        assertThat(Wires.texts(commit.batches().get(0).batch())).containsExactly("x", "y");
        assertThat(commit.settlements())
                .containsExactly(
                        new Commit.ConsumerSettlement(attach.consumerId(), 1, List.of(new OffsetRange(40, 41))));
        assertThat(committed).isNotDone();
        received.answer(new Commit.Response());
        committed.get(10, TimeUnit.SECONDS);
        session.commit(); // nothing to say
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldSayNothingToTheNodeAboutSendsThatAreRolledBack() throws Exception {
        producer.send(session.createTextMessage("x"));
        session.rollback();
        session.commit();
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldGiveEverythingBackWhenTheNodeNoLongerLendsIt() throws Exception {
        CompletableFuture<Void> committed = workAndCommit();
        node.expect(Commit.Request.class).refuse(ErrorCode.LEASE_LOST, "40");
        assertThat(node.expected(Credit.Push.class).drain()).isTrue();
        node.push(new Drained.Push(0, attach.consumerId()));
        for (Settle.Outcome outcome : List.of(Settle.Outcome.REJECTED, Settle.Outcome.RELEASED)) {
            ScriptedNode.Received settle = node.expect(Settle.Request.class);
            assertThat(((Settle.Request) settle.frame().payload()).outcome()).isEqualTo(outcome);
            settle.answer(new Settle.Response(List.of()));
        }
        assertThatThrownBy(() -> committed.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(TransactionRolledBackException.class);
    }

    @Test
    void shouldRepeatTheSameCommitWhenItsAnswerWasLost() throws Exception {
        CompletableFuture<Void> committed = workAndCommit();
        Commit.Request first = node.expected(Commit.Request.class);
        node.drop();
        ScriptedNode.Received again = node.expect(Commit.Request.class);
        assertThat(again.frame().payload()).isEqualTo(first);
        Attach.Request resumed = node.handled(Attach.Request.class).get(1);
        assertThat(resumed.held()).containsExactly(new Attach.HeldDeliveries(1, List.of(new OffsetRange(40, 41))));
        again.answer(new Commit.Response());
        committed.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldFailTheSendThatWouldMakeTheTransactionTooLarge() throws Exception {
        String text = "x".repeat(1000); // longer ones would go ahead of it
        int[] sent = {0};
        assertThatThrownBy(() -> {
                    for (; ; sent[0]++) {
                        producer.send(session.createTextMessage(text));
                    }
                })
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("transaction");
        assertThat(sent[0]).isGreaterThan(800);
        CompletableFuture<Void> committed = inBackground(session::commit);
        ScriptedNode.Received received = node.expect(Commit.Request.class);
        assertThat(Wires.texts(((Commit.Request) received.frame().payload())
                        .batches()
                        .get(0)
                        .batch()))
                .hasSize(sent[0]);
        received.answer(new Commit.Response());
        committed.get(10, TimeUnit.SECONDS);
    }

    private OutcomeUnknownException interruptedCommit() throws Exception {
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        producer.send(session.createTextMessage("x"));
        Thread committing = new Thread(() -> {
            try {
                session.commit();
                failed.complete(null);
            } catch (JMSException e) {
                failed.complete(e);
            }
        });
        committing.start();
        node.expect(Commit.Request.class);
        committing.interrupt();
        return (OutcomeUnknownException) failed.get(10, TimeUnit.SECONDS);
    }

    /** What the node says when the session asks, which it does in {@code action}. */
    private CompletableFuture<Void> told(DuramenContext.Action action, TransactionOutcome.Verdict verdict)
            throws Exception {
        CompletableFuture<Void> asked = inBackground(action);
        ScriptedNode.Received question = node.expect(TransactionOutcome.Request.class);
        assertThat(((TransactionOutcome.Request) question.frame().payload()).sequence())
                .isEqualTo(1);
        question.answer(new TransactionOutcome.Response(verdict));
        return asked;
    }

    @Test
    void shouldTellThatACommitWhoseAnswerWasMissedHasHappened() throws Exception {
        OutcomeUnknownException unknown = interruptedCommit();
        assertThat(unknown.getErrorCode()).isEqualTo("OUTCOME_UNKNOWN");
        assertThatThrownBy(() -> producer.send(session.createTextMessage("y")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("commit() again");
        told(session::commit, TransactionOutcome.Verdict.COMMITTED).get(10, TimeUnit.SECONDS);
        session.commit(); // nothing is left to say
        producer.send(session.createTextMessage("y"));
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldRollBackWhereTheCommitHasNotHappened() throws Exception {
        interruptedCommit();
        CompletableFuture<Void> again = told(session::commit, TransactionOutcome.Verdict.NOT_COMMITTED);
        assertThatThrownBy(() -> again.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(TransactionRolledBackException.class);
        session.commit();
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldNotRollBackWhatHasCommitted() throws Exception {
        interruptedCommit();
        CompletableFuture<Void> rollback = told(session::rollback, TransactionOutcome.Verdict.COMMITTED);
        assertThatThrownBy(() -> rollback.get(10, TimeUnit.SECONDS)).cause().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldTellTheOutcomeOverAnotherConnection() throws Exception {
        String id = interruptedCommit().transactionId();
        node.politely(
                TransactionOutcome.Request.class,
                question -> new TransactionOutcome.Response(TransactionOutcome.Verdict.NOT_COMMITTED));
        try (DuramenConnection other =
                (DuramenConnection) new DuramenConnectionFactory(node.url()).createConnection()) {
            assertThat(other.outcomeOf(id)).isEqualTo(Outcome.NOT_COMMITTED);
            assertThatThrownBy(() -> other.outcomeOf("7")).isInstanceOf(JMSException.class);
        }
    }
}
