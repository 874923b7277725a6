package io.duramen.node;

import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends to some queues, and receives from them, as much to each, on a thread of its own, which goes on until this is closed. What fails while a
 * shard gets another leader is let go.
 */
final class BusyQueues implements AutoCloseable {
    private static final byte[] BODY = new byte[32 * 1_024];
    private static final long PAUSE_MILLIS = 10;
    private static final long RECEIVE_MILLIS = 1_000;
    private static final int MORE = 5;

    private final TestCluster cluster;
    private final List<String> queues;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong rounds = new AtomicLong();

    // ---- of the thread alone

    private JMSContext context;
    private final Map<String, JMSConsumer> consumers = new TreeMap<>();

    BusyQueues(TestCluster cluster, List<String> queues) {
        this.cluster = cluster;
        this.queues = queues;
        thread.scheduleWithFixedDelay(this::round, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void round() {
        try {
            if (context == null) {
                context = cluster.factory().createContext();
                queues.forEach(queue -> consumers.put(queue, context.createConsumer(context.createQueue(queue))));
            }
            for (String queue : queues) {
                context.createProducer().send(context.createQueue(queue), BODY);
            }
            if (consumers.values().stream().filter(BusyQueues::receives).count() == queues.size()) {
                rounds.incrementAndGet();
            }
        } catch (JMSRuntimeException e) {
            end();
        }
    }

    private static boolean receives(JMSConsumer consumer) {
        return consumer.receive(RECEIVE_MILLIS) != null;
    }

    /** Until some further messages were received from all queues. */
    void awaitMore() {
        long enough = rounds.get() + MORE;
        await().atMost(TestCluster.PATIENCE).until(() -> rounds.get() >= enough);
    }

    private void end() {
        consumers.clear();
        if (context != null) {
            context.close();
            context = null;
        }
    }

    @Override
    public void close() {
        thread.execute(this::end);
        thread.shutdown();
        await().atMost(TestCluster.PATIENCE).until(thread::isTerminated);
    }
}
