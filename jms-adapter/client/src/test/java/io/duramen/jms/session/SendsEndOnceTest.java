package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.jms.peer.Wires;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever writes a send to the socket, and wherever the connection breaks, comes back or ends: it ends once. */
@Timeout(120)
class SendsEndOnceTest {
    private static final int ROUNDS = 12;
    private static final int THREADS = 4;
    private static final int SENDS = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ScriptedNode node;
    private Connection connection;

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** What became of a send: all of this is written once, by whoever ends it. */
    private static final class Sent implements CompletionListener {
        private final String text;
        private final boolean blocking;
        private final AtomicInteger returned = new AtomicInteger();
        private final AtomicInteger threw = new AtomicInteger();
        private final AtomicInteger completed = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();

        Sent(String text, boolean blocking) {
            this.text = text;
            this.blocking = blocking;
        }

        @Override
        public void onCompletion(Message message) {
            completed.incrementAndGet();
        }

        @Override
        public void onException(Message message, Exception exception) {
            failed.incrementAndGet();
        }

        int calls() {
            return returned.get() + threw.get();
        }

        int told() {
            return completed.get() + failed.get();
        }

        /** Told of once if, and only if, the call returned and did not wait. */
        boolean hasEndedOnce() {
            return calls() == 1 && told() == (blocking ? 0 : returned.get());
        }

        boolean isStored() {
            return blocking ? returned.get() == 1 : completed.get() == 1;
        }
    }

    private void begin(String options) throws JMSException {
        node = ScriptedNode.startOnTcp().politely(Publish.Request.class, publish -> new Publish.Response(0));
        connection = new DuramenConnectionFactory(
                        node.url("reconnectDelayMillis=1&reconnectDelayMaxMillis=2" + options))
                .createConnection();
    }

    /** One session's sends, some of which wait. */
    private List<Sent> sending(String name, Random random, List<Future<?>> running) throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        List<Sent> all = new ArrayList<>();
        for (int i = 0; i < SENDS; i++) {
            all.add(new Sent(name + ":" + i, random.nextInt(4) > 0));
        }
        running.add(threads.submit(() -> all.forEach(each -> send(session, producer, each))));
        return all;
    }

    private static void send(Session session, MessageProducer producer, Sent sent) {
        try {
            if (sent.blocking) {
                producer.send(session.createTextMessage(sent.text));
            } else {
                producer.send(session.createTextMessage(sent.text), sent);
            }
            sent.returned.incrementAndGet();
        } catch (JMSException e) {
            sent.threw.incrementAndGet();
        }
    }

    private static boolean isDone(List<Future<?>> running) {
        return running.stream().allMatch(Future::isDone);
    }

    /** Waits until the node has had some more, or nobody sends any more. */
    private void awaitMore(int more, List<Future<?>> running) {
        int before = node.handled(Publish.Request.class).size();
        while (node.handled(Publish.Request.class).size() < before + more && !isDone(running)) {
            Thread.onSpinWait();
        }
    }

    private void checkAll(String seed, List<Sent> all, List<Future<?>> running) throws Exception {
        for (Future<?> each : running) {
            each.get(30, TimeUnit.SECONDS);
        }
        connection.close(); // returns when all listeners were told
        assertThat(all).as(seed).allMatch(Sent::hasEndedOnce, "ended once");
        Set<String> stored = storedUnderOneNumberEach(seed);
        assertThat(all.stream().filter(Sent::isStored).map(sent -> sent.text))
                .as(seed)
                .isSubsetOf(stored);
        node.close();
    }

    /** However often a message came, it came as the same message. */
    private Set<String> storedUnderOneNumberEach(String seed) {
        Map<String, Set<String>> numbers = new HashMap<>();
        for (Publish.Request publish : node.handled(Publish.Request.class)) {
            ByteBuffer batch = publish.batch();
            long sequence = RecordBatch.baseSequence(batch);
            for (String text : Wires.texts(batch)) {
                numbers.computeIfAbsent(text, each -> new HashSet<>())
                        .add(RecordBatch.producerId(batch) + "/" + sequence++);
            }
        }
        assertThat(numbers.values()).as(seed).allMatch(each -> each.size() == 1);
        return numbers.keySet();
    }

    @Test
    void shouldEndEachSendOnceWhenTheConnectionBreaksAndIsGivenUpInTheEnd() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            begin("&reconnectAttemptsMax=3");
            List<Future<?>> running = new ArrayList<>();
            List<Sent> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.addAll(sending("t" + i, random, running));
            }
            for (int drops = random.nextInt(4); drops > 0; drops--) {
                awaitMore(1 + random.nextInt(10), running);
                node.drop();
            }
            awaitMore(1 + random.nextInt(10), running);
            node.beAway();
            node.drop();
            checkAll("round " + round, all, running);
        }
    }

    @Test
    void shouldEndEachSendOnceWhenTheConnectionIsClosedMeanwhile() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            begin("");
            List<Future<?>> running = new ArrayList<>();
            List<Sent> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.addAll(sending("t" + i, random, running));
            }
            awaitMore(1 + random.nextInt(20), running);
            if (random.nextBoolean()) {
                node.drop();
            }
            connection.close();
            checkAll("round " + round, all, running);
        }
    }
}
