package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.InitProducer;
import io.duramen.protocol.frame.TransactionOutcome;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TransactionInProgressException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TransactionalProducerTest {
    private static final int EPOCH = 3;
    private static final long BEYOND = (long) EPOCH << 32;

    private ScriptedNode node;
    private DuramenConnection connection;
    private TransactionalProducer producer;
    private Queue queue;

    @BeforeEach
    void init() throws Exception {
        node = ScriptedNode.start();
        connection = (DuramenConnection) new DuramenConnectionFactory(node.url()).createConnection();
        node.politely(
                InitProducer.Request.class, request -> new InitProducer.Response(255, EPOCH, BEYOND - 7, "line 9"));
        producer = connection.createTransactionalProducer("mover");
        queue = producer.session().createQueue("out");
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    private CompletableFuture<Void> inBackground(DuramenContext.Action action) {
        return CompletableFuture.runAsync(() -> {
            try {
                action.run();
            } catch (JMSException e) {
                throw new CompletionException(e);
            }
        });
    }

    private void sends(String text) throws JMSException {
        producer.send(queue, producer.session().createTextMessage(text));
    }

    @Test
    void shouldTellWhatAnEarlierIncarnationHasCommitted() {
        InitProducer.Request request = node.handled(InitProducer.Request.class).get(0);
        assertThat(request.name()).isEqualTo("mover");
        assertThat(request.incarnation()).isNotEqualTo(request.producerId());
        assertThat(producer.lastTransaction())
                .contains(new TransactionalProducer.LastTransaction("0-ff-" + (BEYOND - 7) + "-2", "line 9"));
    }

    @Test
    void shouldCommitUnderItsEpochWithItsLabel() throws Exception {
        producer.begin();
        sends("x");
        CompletableFuture<Void> committed = inBackground(() -> producer.commit("line 10"));
        ScriptedNode.Received received = node.expect(Commit.Request.class);
        Commit.Request commit = (Commit.Request) received.frame().payload();
        assertThat(commit.producerId()).isEqualTo(255);
        assertThat(commit.producerEpoch()).isEqualTo(EPOCH);
        assertThat(commit.sequence()).isEqualTo(BEYOND + 1);
        assertThat(commit.label()).isEqualTo("line 10");
        assertThat(Wires.texts(commit.batches().get(0).batch())).containsExactly("x");
        received.answer(new Commit.Response());
        committed.get(10, TimeUnit.SECONDS);
        producer.begin();
        producer.commit(); // nothing to say
        producer.begin();
        inBackground(() -> producer.commit("only a label"));
        assertThat(node.expected(Commit.Request.class).sequence()).isEqualTo(BEYOND + 2);
    }

    @Test
    void shouldNotCommitWhatIsAborted() throws Exception {
        producer.begin();
        sends("x");
        producer.abort();
        producer.begin();
        producer.commit();
        assertThat(node.hasUnexpected()).isFalse();
    }

    @Test
    void shouldBeOverWhenItIsFenced() throws Exception {
        producer.begin();
        sends("x");
        CompletableFuture<Void> committed = inBackground(producer::commit);
        node.expect(Commit.Request.class).refuse(ErrorCode.PRODUCER_FENCED, "epoch 4");
        assertThatThrownBy(() -> committed.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(ProducerFencedException.class)
                .hasMessageContaining("epoch 4");
        assertThatThrownBy(producer::begin).isInstanceOf(ProducerFencedException.class);
        assertThatThrownBy(() -> sends("y")).isInstanceOf(ProducerFencedException.class);
        producer.close();
    }

    @Test
    void shouldNotComeToBeWhenItIsFencedAtOnce() {
        node.impolitely(InitProducer.Request.class);
        CompletableFuture<Void> made = inBackground(() -> connection.createTransactionalProducer("mover"));
        CompletableFuture.runAsync(() -> {
            try {
                node.expect(InitProducer.Request.class).refuse(ErrorCode.PRODUCER_FENCED, "taken over");
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        assertThatThrownBy(() -> made.get(10, TimeUnit.SECONDS)).cause().isInstanceOf(ProducerFencedException.class);
    }

    private OutcomeUnknownException interruptedCommit() throws Exception {
        CompletableFuture<OutcomeUnknownException> failed = new CompletableFuture<>();
        producer.begin();
        sends("x");
        Thread committing = new Thread(() -> {
            try {
                producer.commit();
            } catch (OutcomeUnknownException e) {
                failed.complete(e);
            } catch (JMSException e) {
                failed.completeExceptionally(e);
            }
        });
        committing.start();
        node.expect(Commit.Request.class);
        committing.interrupt();
        return failed.get(10, TimeUnit.SECONDS);
    }

    private CompletableFuture<Void> told(DuramenContext.Action action, TransactionOutcome.Verdict verdict)
            throws Exception {
        CompletableFuture<Void> asked = inBackground(action);
        ScriptedNode.Received question = node.expect(TransactionOutcome.Request.class);
        assertThat(question.frame().payload()).isEqualTo(new TransactionOutcome.Request(0, 255, EPOCH, BEYOND + 1));
        question.answer(new TransactionOutcome.Response(verdict));
        return asked;
    }

    @Test
    void shouldLearnAnOutcomeThatItMissed() throws Exception {
        assertThat(interruptedCommit().transactionId()).isEqualTo("0-ff-" + (BEYOND + 1) + "-3");
        assertThatThrownBy(producer::begin).isInstanceOf(IllegalStateException.class);
        told(producer::commit, TransactionOutcome.Verdict.COMMITTED).get(10, TimeUnit.SECONDS);
        producer.begin();
    }

    @Test
    void shouldNotAbortWhatHasCommitted() throws Exception {
        interruptedCommit();
        CompletableFuture<Void> aborted = told(producer::abort, TransactionOutcome.Verdict.COMMITTED);
        assertThatThrownBy(() -> aborted.get(10, TimeUnit.SECONDS)).cause().isInstanceOf(IllegalStateException.class);
        producer.begin();
    }

    @Test
    void shouldBeOverWhenANewerIncarnationHasCommittedSince() throws Exception {
        interruptedCommit();
        CompletableFuture<Void> again = told(producer::commit, TransactionOutcome.Verdict.FORGOTTEN);
        assertThatThrownBy(() -> again.get(10, TimeUnit.SECONDS)).cause().isInstanceOf(ProducerFencedException.class);
        assertThatThrownBy(producer::begin).isInstanceOf(ProducerFencedException.class);
    }

    @Test
    void shouldKeepTheEndsOfItsTransactionsToItself() throws Exception {
        assertThat(producer.session().getTransacted()).isTrue();
        assertThatThrownBy(() -> producer.session().commit()).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(() -> producer.session().rollback()).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(() -> sends("x")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::abort).isInstanceOf(IllegalStateException.class);
    }
}
