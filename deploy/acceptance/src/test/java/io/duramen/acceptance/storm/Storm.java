package io.duramen.acceptance.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.history.Kill;
import io.duramen.acceptance.history.Report;
import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ClusterVictim;
import io.duramen.acceptance.process.Victim;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Four blocking producers, two transacted ones, five consumers and a durable subscriber that comes and goes, over TCP,
 * while the server is killed at random moments. Run by one thread; the workers have theirs.
 *
 * <p>A random moment is a random number of messages confirmed since the server was ready.
 */
final class Storm {
    private static final int MESSAGES_BETWEEN_KILLS_MAX = 2_000;
    private static final int MESSAGES_AFTER_THE_LAST_KILL = 500;
    private static final long PROGRESS_SECONDS = 60;
    private static final long DRAINED_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long DRAIN_MILLIS = 50;

    private final Victim server;
    private final SplittableRandom random;
    private Field field;

    Storm(Victim server, long seed) {
        this.server = server;
        random = new SplittableRandom(seed);
    }

    /**
     * The same over a cluster, to its end: its nodes are ended in order, and have the same entries in their logs, and no promise is broken.
     *
     * @param name what a failure says, with the seed
     */
    static Report overCluster(ClusterVictim victim, String name, long seed, int kills) throws Exception {
        ClusterProcess cluster = victim.cluster();
        Report report;
        try {
            report = new Storm(victim, seed).run(kills);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(name + ": " + e.getMessage() + "\n" + cluster.output(), e);
        }
        System.out.println(name + "\n" + report + "\nuntil another node served, ms: " + cluster.changeMillis());
        assertThat(cluster.terminate())
                .as(name + ": exit codes\n" + cluster.output())
                .containsOnly(0);
        for (List<Path> ofShard : cluster.logs()) {
            System.out.printf("%,d entries are the same in all logs%n", ReplicaEntries.requireSame(ofShard, name));
        }
        assertThat(report.isClean()).as(name + "\n" + report).isTrue();
        return report;
    }

    Report run(int kills) throws IOException, InterruptedException, JMSException {
        server.begin();
        field = new Field(server.url());
        makeSubscription();
        List<Worker> producers = startProducers();
        List<Worker> consumers = startConsumers();
        for (int kill = 0; kill < kills; kill++) {
            awaitStored(random.nextInt(1, MESSAGES_BETWEEN_KILLS_MAX));
            long killedNanos = System.nanoTime();
            server.killAndReturn();
            field.history().killed(new Kill(killedNanos, System.nanoTime()));
            System.out.printf(
                    "kill %d of %d, %,d messages stored%n",
                    kill + 1, kills, field.history().stored());
        }
        awaitStored(MESSAGES_AFTER_THE_LAST_KILL);
        field.producersStop().countDown();
        for (Worker producer : producers) {
            producer.awaitEnd(PROGRESS_SECONDS);
        }
        field.history().awaitDelivered(PROGRESS_SECONDS / 2);
        field.consumersStop().countDown();
        for (Worker consumer : consumers) {
            consumer.awaitEnd(PROGRESS_SECONDS);
        }
        drainWhatIsLeft();
        server.end();
        return field.history().check();
    }

    private void awaitStored(int more) throws InterruptedException {
        long now = field.history().stored();
        if (!field.history().awaitStored(now + more, PROGRESS_SECONDS)) {
            throw new AssertionError(
                    "only " + (field.history().stored() - now) + " of " + more + " messages confirmed in "
                            + PROGRESS_SECONDS + " s; the server said:\n" + server.output() + "\n"
                            + field.history().check());
        }
    }

    private void makeSubscription() throws JMSException {
        try (Connection connection = field.factory().createConnection()) {
            connection.setClientID(Field.CLIENT_ID);
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createDurableConsumer(Field.news(session), Field.SUBSCRIPTION)
                    .close();
        }
    }

    private List<Worker> startProducers() {
        List<Worker> workers = new ArrayList<>();
        workers.add(new BlockingProducer(1, Field.SHARED, field, random.split()));
        workers.add(new BlockingProducer(2, Field.RETURNS, field, random.split()));
        workers.add(new BlockingProducer(3, Field.SINGLE, field, random.split()));
        workers.add(new BlockingProducer(4, Field.NEWS, field, random.split()));
        workers.add(new TransactedProducer(5, field, random.split()));
        workers.add(new TransactedProducer(6, field, random.split()));
        workers.forEach(Worker::start);
        return workers;
    }

    private List<Worker> startConsumers() {
        List<Worker> workers = new ArrayList<>();
        workers.add(new AcknowledgingConsumer(1, field, random.split()));
        workers.add(new AcknowledgingConsumer(2, field, random.split()));
        workers.add(new TransactedConsumer(Field.SHARED, 0, field, random.split()));
        workers.add(new TransactedConsumer(Field.RETURNS, 2, field, random.split()));
        workers.add(new AutomaticConsumer(field, random.split()));
        workers.add(new DurableVisitor(field, random.split()));
        workers.forEach(Worker::start);
        return workers;
    }

    /** With all consumers gone: whatever is still there comes out now, wanted or not. */
    private void drainWhatIsLeft() throws JMSException {
        try (Connection connection = field.factory().createConnection()) {
            connection.setClientID(Field.CLIENT_ID);
            connection.start();
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            List<Drain> drains = new ArrayList<>();
            for (String queue : List.of(Field.SHARED, Field.SINGLE, Field.RETURNS)) {
                drains.add(new Drain(session.createConsumer(Field.queue(session, queue)), queue, queue));
            }
            drains.add(new Drain(
                    session.createDurableConsumer(Field.news(session), Field.SUBSCRIPTION),
                    Field.SUBSCRIPTION,
                    Field.NEWS));
            long lastNanos = System.nanoTime();
            while (System.nanoTime() - lastNanos < DRAINED_NANOS) {
                for (Drain drain : drains) {
                    lastNanos = drain.takeAll() ? System.nanoTime() : lastNanos;
                }
            }
            for (Drain drain : drains) {
                drain.close();
            }
        }
    }

    /** Takes what is left of one subscription. */
    private final class Drain {
        private final MessageConsumer consumer;
        private final Receipts receipts;

        Drain(MessageConsumer consumer, String subscription, String destination) {
            this.consumer = consumer;
            this.receipts = new Receipts(field, subscription, destination, "drain");
        }

        /** @return whether there was something */
        boolean takeAll() throws JMSException {
            boolean any = false;
            for (Message message = consumer.receive(DRAIN_MILLIS);
                    message != null;
                    message = consumer.receive(DRAIN_MILLIS)) {
                receipts.settled();
                receipts.add(message);
                any = true;
            }
            return any;
        }

        void close() throws JMSException {
            consumer.close();
            receipts.settled();
        }
    }
}
