package io.duramen.node;

import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Moves messages from one queue to the other and back, some in each transaction, over all shards, on a thread of its own. What it is refused, or
 * does not hear of, it tries again: that is atomic whatever became of it.
 */
final class TokenMover implements AutoCloseable {
    private static final int MOVED_AT_ONCE = 7;
    private static final int MORE = 5;
    private static final long RECEIVE_MILLIS = 500;

    private final TestCluster cluster;
    private final String[] queues;
    private final AtomicLong committed = new AtomicLong();
    private final Thread thread = new Thread(this::run, "token-mover");
    private volatile boolean ends;

    TokenMover(TestCluster cluster, String one, String other) {
        this.cluster = cluster;
        this.queues = new String[] {one, other};
        thread.start();
    }

    private void run() {
        int from = 0;
        while (!ends) {
            try (JMSContext context = cluster.factory().createContext(JMSContext.SESSION_TRANSACTED)) {
                while (!ends) {
                    from = move(context, queues[from], queues[1 - from]) ? from : 1 - from;
                }
            } catch (JMSRuntimeException e) {
                // Once more, with whatever there is.
            }
        }
    }

    /** Whether there was something. */
    private boolean move(JMSContext context, String from, String to) {
        int moved = 0;
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(from))) {
            String text = consumer.receiveBody(String.class, RECEIVE_MILLIS);
            while (text != null && ++moved < MOVED_AT_ONCE) {
                context.createProducer().setProperty("JMSXGroupID", text).send(context.createQueue(to), text);
                text = consumer.receiveBody(String.class, RECEIVE_MILLIS);
            }
            if (text != null) {
                context.createProducer().setProperty("JMSXGroupID", text).send(context.createQueue(to), text);
            }
            context.commit();
        }
        committed.addAndGet(moved > 0 ? 1 : 0);
        return moved > 0;
    }

    /** Until some further transactions were committed. */
    void awaitMore() {
        long enough = committed.get() + MORE;
        await().atMost(TestCluster.PATIENCE).until(() -> committed.get() >= enough);
    }

    @Override
    public void close() {
        ends = true;
        await().atMost(TestCluster.PATIENCE).until(() -> !thread.isAlive());
    }
}
