package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that send many times what a frame holds, on a node of two shards. */
@Timeout(120)
class LongTransactionsTest {
    private static final int FRAME_BYTES = 128 * 1024;
    private static final int BODY_BYTES = 4 * 1024;

    /** To each of two queues: four times what a frame holds, together. */
    private static final int MESSAGES = 60;

    private static final long WAIT_MILLIS = 10_000;

    @TempDir
    private Path data;

    private Duramen node;

    @BeforeEach
    void start() throws IOException {
        node = started("10000");
    }

    private Duramen started(String largeSendsMax) throws IOException {
        return TestNodes.quick()
                .dataDirectory(data)
                .setting("log.shards", "2")
                .setting("network.frame-length-max", FRAME_BYTES / 1024 + "KiB")
                .setting("broker.large-sends-max", largeSendsMax)
                .start();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static String text(int number) {
        return number + "x".repeat(BODY_BYTES);
    }

    private static List<String> texts() {
        return IntStream.range(0, MESSAGES).mapToObj(LongTransactionsTest::text).toList();
    }

    private JMSContext transacted() {
        return node.connectionFactory().createContext(JMSContext.SESSION_TRANSACTED);
    }

    private static void send(JMSContext context) {
        for (String text : texts()) {
            context.createProducer().send(context.createQueue("one"), text);
            context.createProducer().send(context.createQueue("other"), text);
        }
    }

    private void holds(String queue, List<String> expected) {
        try (JMSContext context = node.connectionFactory().createContext()) {
            var consumer = context.createConsumer(context.createQueue(queue));
            for (String text : expected) {
                assertThat(consumer.receiveBody(String.class, WAIT_MILLIS)).isEqualTo(text);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldCommitOrRollBackWhatNoFrameHolds() throws IOException {
        try (JMSContext context = transacted()) {
            send(context);
            context.rollback();
            send(context);
            context.commit();
        }
        node.close();
        node = started("10000");
        holds("one", texts());
        holds("other", texts());
    }

    @Test
    void shouldStoreNothingOfWhatIsNotCommitted() throws IOException {
        try (JMSContext context = transacted()) {
            send(context);
        }
        holds("one", List.of());
        holds("other", List.of());
    }

    @Test
    void shouldPrepareAndCommitABranchThatNoFrameHolds() throws Exception {
        try (XAConnection connection = new DuramenXAConnectionFactory(node.url()).createXAConnection()) {
            XASession session = connection.createXASession();
            Xid xid = new TestXid("long");
            XAResource resource = session.getXAResource();
            resource.start(xid, XAResource.TMNOFLAGS);
            MessageProducer producer = session.createProducer(session.createQueue("one"));
            for (String text : texts()) {
                producer.send(session.createTextMessage(text));
            }
            resource.end(xid, XAResource.TMSUCCESS);
            assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
            holds("one", List.of());
            resource.commit(xid, false);
            holds("one", texts());
        }
    }

    /** The bodies that the node takes ahead are few: as many as there is room for go along with their messages. */
    @Test
    void shouldUseTheFrameToItsEndWhereTheNodeTakesNoBodiesAhead() throws IOException {
        node.close();
        node = started("1");
        int sent = 0;
        try (JMSContext context = transacted()) {
            Queue queue = context.createQueue("one");
            try {
                for (; ; sent++) {
                    context.createProducer().send(queue, text(sent));
                }
            } catch (ResourceAllocationRuntimeException full) {
                assertThat(full).hasMessageContaining("network.frame-length-max");
            }
            assertThat(sent).isGreaterThan(FRAME_BYTES * 3 / 4 / (BODY_BYTES + 300));
            context.commit();
        }
        holds("one", texts().subList(0, sent));
    }
}
