package io.duramen.jms.branch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.peer.Wires;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.OffsetRange;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.Settle;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an XA session is given: its branch's while there is one, acknowledged as it goes otherwise. */
@Timeout(30)
class BranchDeliveriesTest extends OnAScriptedNode {
    private final List<Settle.Request> settled = new CopyOnWriteArrayList<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private MessageConsumer consumer;
    private Attach.Request attach;

    BranchDeliveriesTest() {
        super("prefetch=10&prefetchMillis=0");
    }

    @BeforeEach
    void consume() throws Exception {
        node.politely(Settle.Request.class, settle -> {
            settled.add(settle);
            return new Settle.Response(List.of());
        });
        consumer = session.createConsumer(session.createQueue("in"));
        attach = node.handled(Attach.Request.class).get(0);
        connection.start();
        node.expected(Credit.Push.class);
    }

    private void delivers(String... texts) {
        node.push(Wires.deliver(attach, 0, texts));
    }

    private void hearing(boolean failing) throws JMSException {
        MessageListener listener = message -> {
            hear(message);
            if (failing) {
                throw new IllegalStateException("on purpose");
            }
        };
        consumer.setMessageListener(listener);
    }

    private void hear(Message message) {
        try {
            heard.add(message.getBody(String.class));
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private void expectSettled(Settle.Outcome outcome, long first, long last) {
        await().until(() -> !settled.isEmpty());
        Settle.Request next = settled.remove(0);
        assertThat(next.outcome()).isEqualTo(outcome);
        assertThat(next.ranges()).containsExactly(new OffsetRange(first, last));
    }

    /** Prepares the branch, which accepts the offsets from 0 to that one. */
    private void expectPrepared(long last) throws Exception {
        resource.end(ONE, XAResource.TMSUCCESS);
        node.politely(Prepare.Request.class, prepare -> new Prepare.Response());
        CompletableFuture<Integer> vote = codeOf(() -> resource.prepare(ONE));
        assertCode(0, vote);
        assertThat(node.handled(Prepare.Request.class).get(0).settlements())
                .containsExactly(
                        new Commit.ConsumerSettlement(attach.consumerId(), 1, List.of(new OffsetRange(0, last))));
        assertThat(settled).isEmpty();
    }

    @Test
    void shouldAcceptWithTheBranchWhatIsReceivedInOne() throws Exception {
        resource.start(ONE, XAResource.TMNOFLAGS);
        delivers("m0", "m1");
        assertThat(consumer.receive(10_000)).isNotNull();
        assertThat(consumer.receive(10_000)).isNotNull();
        expectPrepared(1);
    }

    @Test
    void shouldAcceptAtOnceWhatIsReceivedOutsideOfOne() throws Exception {
        delivers("m0");
        assertThat(consumer.receive(10_000)).isNotNull();
        expectSettled(Settle.Outcome.ACCEPTED, 0, 0);
    }

    @Test
    void shouldAcceptWithTheBranchWhatAListenerHeardInOne() throws Exception {
        resource.start(ONE, XAResource.TMNOFLAGS);
        hearing(false);
        delivers("m0", "m1");
        await().until(() -> heard.size() == 2);
        consumer.setMessageListener(null);
        expectPrepared(1);
    }

    @Test
    void shouldLeaveToTheBranchWhatAListenerThrewAtInOne() throws Exception {
        resource.start(ONE, XAResource.TMNOFLAGS);
        hearing(true);
        delivers("m0", "m1");
        await().until(() -> heard.size() == 2);
        consumer.setMessageListener(null);
        expectPrepared(1);
    }

    @Test
    void shouldAcceptAtOnceWhatAListenerHeardOutsideOfOne() throws Exception {
        hearing(false);
        delivers("m0");
        expectSettled(Settle.Outcome.ACCEPTED, 0, 0);
    }

    @Test
    void shouldGiveBackWhatAListenerThrewAtOutsideOfOne() throws Exception {
        hearing(true);
        delivers("m0");
        assertThat(node.expected(Credit.Push.class).drain()).isTrue();
        node.push(new Drained.Push(0, attach.consumerId()));
        expectSettled(Settle.Outcome.REJECTED, 0, 0);
        consumer.setMessageListener(null);
    }
}
