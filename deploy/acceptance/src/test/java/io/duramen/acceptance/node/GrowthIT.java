package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.destination.DuramenTopic;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A queue and a topic get further partitions twice, each time when the node starts after it was killed under load, while
 * producers and consumers keep their connections: everything comes once and in the order of its group or producer.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GrowthIT {
    private static final List<Integer> PARTITIONS = List.of(2, 4, 7);
    private static final int PRODUCERS = 6;
    private static final int NEW_PRODUCERS = 24;
    private static final int GROUPS = 10;
    private static final int MESSAGES = 150;
    private static final int CONSUMERS = 4;
    private static final int BEFORE_THE_KILL = 40;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final Pattern PARTITION =
            Pattern.compile("\"partition\":(\\d+),\"home\":\\d+,\"nextOffset\":(\\d+)");

    @TempDir
    private Path directory;

    private final Map<String, Integer> sent = new ConcurrentHashMap<>();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** What one producer or group sends, message by message, over its own session. */
    private final class Sender {
        private final String name;
        private final boolean grouped;
        private final Session session;
        private final List<MessageProducer> producers = new ArrayList<>();

        Sender(Connection connection, String name, boolean grouped) throws JMSException {
            this.name = name;
            this.grouped = grouped;
            session = connection.createSession();
            for (Destination to : List.of(new DuramenQueue("orders"), new DuramenTopic("events"))) {
                producers.add(session.createProducer(to));
            }
        }

        void send(int messages, CountDownLatch someSent) {
            try {
                for (int i = 0; i < messages; i++) {
                    int number = sent.getOrDefault(name, 0);
                    TextMessage message = session.createTextMessage(name + " " + number);
                    if (grouped) {
                        message.setStringProperty("JMSXGroupID", name);
                    }
                    for (MessageProducer producer : producers) {
                        producer.send(message);
                    }
                    sent.put(name, number + 1);
                    someSent.countDown();
                }
            } catch (JMSException | RuntimeException e) {
                failures.add(e);
            }
        }
    }

    private static List<Thread> start(List<Sender> senders, CountDownLatch someSent) {
        List<Thread> threads = new ArrayList<>();
        for (Sender sender : senders) {
            Thread thread = new Thread(() -> sender.send(MESSAGES, someSent), sender.name);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private List<Sender> senders(Connection connection, String name, int producers) throws JMSException {
        List<Sender> senders = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            senders.add(new Sender(connection, name + "-producer-" + i, false));
        }
        for (int i = 0; i < GROUPS; i++) {
            senders.add(new Sender(connection, name + "-group-" + i, true));
        }
        return senders;
    }

    private static Connection connect(ServerProcess server) throws JMSException {
        Connection connection = new DuramenConnectionFactory(server.url()).createConnection();
        connection.start();
        return connection;
    }

    @Test
    void shouldKeepOrderAndLoseNothingWhenPartitionsAreAddedToLiveDestinations() throws Exception {
        try (ServerProcess server = serverWith(PARTITIONS.get(0)).start();
                Connection old = connect(server)) {
            Session consuming = old.createSession();
            consuming
                    .createSharedDurableConsumer(new DuramenTopic("events"), "kept")
                    .close();
            consuming
                    .createConsumer(new DuramenQueue("orders"))
                    .setMessageListener(message -> received.add(text(message)));
            List<Sender> senders = senders(old, "old", PRODUCERS);
            grow(server, senders, PARTITIONS.get(1), false);
            grow(server, senders, PARTITIONS.get(2), true);
            try (Connection next = connect(server)) {
                join(start(senders(next, "new", NEW_PRODUCERS), new CountDownLatch(1)));
            }
            join(start(senders, new CountDownLatch(1)));
            assertThat(failures).isEmpty();
            requireAll("queue", received);
            requireAll("topic", kept(old));
            assertThat(server.terminate()).as(server.output()).isZero();
            requirePartitions(server);
        }
    }

    /**
     * Filled and then given further partitions with nobody connected; what was sent before and after is then taken by several
     * consumers at once. Each takes of a producer in order, and all together of a group.
     */
    @Test
    void shouldHandWhatWasSentBeforeAndAfterToSeveralConsumersInOrderWhenAFullQueueGrows() throws Exception {
        try (ServerProcess server = serverWith(PARTITIONS.get(0)).start()) {
            try (Connection first = connect(server)) {
                first.createSession()
                        .createSharedDurableConsumer(new DuramenTopic("events"), "kept")
                        .close();
                join(start(senders(first, "before", PRODUCERS), new CountDownLatch(1)));
            }
            assertThat(server.terminate()).as(server.output()).isZero();
            growing(server, PARTITIONS.get(2)).start();
            try (Connection next = connect(server)) {
                List<Sender> senders = senders(next, "after", NEW_PRODUCERS);
                for (int i = 0; i < GROUPS; i++) {
                    senders.add(new Sender(next, "before-group-" + i, true)); // the same groups go on
                }
                join(start(senders, new CountDownLatch(1)));
                assertThat(failures).isEmpty();
                requireOrdered(taken(next, session -> session.createConsumer(new DuramenQueue("orders"))));
                requireOrdered(taken(
                        next, session -> session.createSharedDurableConsumer(new DuramenTopic("events"), "kept")));
            }
            assertThat(server.terminate()).as(server.output()).isZero();
            requirePartitions(server);
        }
    }

    private interface Opening {
        MessageConsumer open(Session session) throws JMSException;
    }

    /** Everything that was sent, as several consumers of one session each took it, in the order in which they did. */
    private List<Taken> taken(Connection connection, Opening opening) throws Exception {
        int expected = sent.values().stream().mapToInt(Integer::intValue).sum();
        BlockingQueue<Taken> all = new LinkedBlockingQueue<>();
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < CONSUMERS; i++) {
            int consumer = i;
            Session session = connection.createSession();
            sessions.add(session);
            opening.open(session).setMessageListener(message -> all.add(new Taken(consumer, text(message))));
        }
        List<Taken> taken = new ArrayList<>();
        while (taken.size() < expected) {
            Taken one = all.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            assertThat(one).as("%d of %d came", taken.size(), expected).isNotNull();
            taken.add(one);
        }
        for (Session session : sessions) {
            session.close();
        }
        assertThat(all).as("come twice").isEmpty();
        return taken;
    }

    private record Taken(int consumer, String text) {
        String sender() {
            return text.substring(0, text.indexOf(' '));
        }

        int number() {
            return Integer.parseInt(text.substring(text.indexOf(' ') + 1));
        }
    }

    private void requireOrdered(List<Taken> taken) {
        Map<String, Integer> last = new TreeMap<>();
        Map<String, Integer> counts = new TreeMap<>();
        Set<Integer> consumers = new HashSet<>();
        for (Taken one : taken) {
            boolean grouped = one.sender().contains("-group-");
            String line = grouped ? one.sender() : one.sender() + " at consumer " + one.consumer();
            Integer before = last.put(line, one.number());
            int least = before == null ? 0 : before + 1;
            assertThat(one.number()).as("next of %s", line).isGreaterThanOrEqualTo(least);
            if (grouped) {
                assertThat(one.number()).as("next of %s", line).isEqualTo(least);
            }
            counts.merge(one.sender(), 1, Integer::sum);
            consumers.add(one.consumer());
        }
        assertThat(counts).isEqualTo(new TreeMap<>(sent));
        assertThat(consumers).as("consumers that got something").hasSize(CONSUMERS);
    }

    private ServerProcess serverWith(int partitions) {
        return growing(ServerProcess.on(directory.resolve("data")).with("log.shards", "2"), partitions);
    }

    private static ServerProcess growing(ServerProcess server, int partitions) {
        return server.with("broker.partitions-of", "orders=" + partitions + ",events=" + partitions);
    }

    /** Kills the node under load and starts it with more partitions. */
    private void grow(ServerProcess server, List<Sender> senders, int partitions, boolean withoutMetadata)
            throws Exception {
        CountDownLatch someSent = new CountDownLatch(BEFORE_THE_KILL * senders.size());
        List<Thread> threads = start(senders, someSent);
        assertThat(someSent.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        server.kill();
        if (withoutMetadata) {
            Files.delete(server.data().resolve("metadata").resolve("metadata.mv.db"));
        }
        growing(server, partitions).start();
        join(threads);
        assertThat(failures).isEmpty();
    }

    private static String text(jakarta.jms.Message message) {
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private BlockingQueue<String> kept(Connection connection) throws JMSException {
        BlockingQueue<String> texts = new LinkedBlockingQueue<>();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createSharedDurableConsumer(new DuramenTopic("events"), "kept");
        consumer.setMessageListener(message -> texts.add(text(message)));
        return texts;
    }

    /** All that was sent; what comes again after a kill aside, each sender's in its order. */
    private void requireAll(String from, BlockingQueue<String> texts) throws InterruptedException {
        int expected = sent.values().stream().mapToInt(Integer::intValue).sum();
        Set<String> known = new HashSet<>();
        Map<String, Integer> next = new TreeMap<>();
        while (known.size() < expected) {
            String text = texts.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            assertThat(text)
                    .as("%s: %d of %d came", from, known.size(), expected)
                    .isNotNull();
            if (known.add(text)) {
                int space = text.indexOf(' ');
                String sender = text.substring(0, space);
                int due = next.merge(sender, 1, Integer::sum) - 1;
                assertThat(Integer.parseInt(text.substring(space + 1)))
                        .as("%s: next of %s", from, sender)
                        .isEqualTo(due);
            }
        }
        assertThat(next).isEqualTo(new TreeMap<>(sent));
    }

    /** All are there, and those that were added are in use. */
    private static void requirePartitions(ServerProcess server) throws Exception {
        List<String> rows = server.command("metadata", "export");
        for (String name : List.of("orders", "events")) {
            Set<String> there = new HashSet<>();
            Set<String> used = new HashSet<>();
            for (String row : rows) {
                Matcher partition = PARTITION.matcher(row);
                while (row.contains("\"name\":\"" + name + "\"") && partition.find()) {
                    there.add(partition.group(1));
                    if (!partition.group(2).equals("0")) {
                        used.add(partition.group(1));
                    }
                }
            }
            assertThat(there).as(name).hasSize(PARTITIONS.get(2));
            assertThat(used).as(name).hasSizeGreaterThan(PARTITIONS.get(0));
        }
    }
}
