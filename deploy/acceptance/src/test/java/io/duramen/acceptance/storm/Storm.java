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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Six blocking producers, two transacted ones, consumers that are alone, compete, share a subscription or have a group at a time, and a
 * durable subscriber that comes and goes, over TCP, while the server is killed at random moments. Run by one thread; the workers have theirs.
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
    private final List<Company> company;
    private Field field;

    Storm(Victim server, long seed, Company... company) {
        this.server = server;
        this.company = List.of(company);
        random = new SplittableRandom(seed);
    }

    /**
     * The same over a cluster, to its end: its nodes are ended in order, and have the same entries in their logs, and no promise is broken.
     *
     * @param name what a failure says, with the seed
     */
    static Report overCluster(ClusterVictim victim, String name, long seed, Rounds rounds, Company... company)
            throws Exception {
        ClusterProcess cluster = victim.cluster();
        Report report;
        try {
            report = new Storm(victim, seed, company).run(rounds);
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

    Report run(Rounds rounds) throws Exception {
        try {
            return runInCompany(rounds);
        } finally {
            company.forEach(Company::close);
        }
    }

    private Report runInCompany(Rounds rounds) throws Exception {
        server.begin();
        field = new Field(server.url());
        makeSubscriptions();
        for (Company one : company) {
            one.start();
        }
        List<Worker> producers = startProducers();
        List<Worker> consumers = startConsumers();
        for (int kill = 0; rounds.goOnAfter(kill); kill++) {
            awaitStored(random.nextInt(1, MESSAGES_BETWEEN_KILLS_MAX));
            long killedNanos = System.nanoTime();
            server.killAndReturn();
            field.history().killed(new Kill(killedNanos, System.nanoTime()));
            System.out.printf(
                    "kill %d, %s, %,d messages stored%n",
                    kill + 1, rounds, field.history().stored());
        }
        awaitStored(MESSAGES_AFTER_THE_LAST_KILL);
        field.producersStop().countDown();
        for (Worker producer : producers) {
            producer.awaitEnd(PROGRESS_SECONDS);
        }
        for (Company one : company) {
            one.stop();
        }
        field.history().awaitDelivered(PROGRESS_SECONDS / 2);
        field.consumersStop().countDown();
        for (Worker consumer : consumers) {
            consumer.awaitEnd(PROGRESS_SECONDS);
        }
        drainWhatIsLeft();
        server.end();
        Report report = field.history().check();
        for (Company one : company) {
            one.judge(report);
        }
        return report;
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

    private void makeSubscriptions() throws JMSException {
        try (Connection connection = field.factory().createConnection()) {
            connection.setClientID(Field.CLIENT_ID);
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createDurableConsumer(Field.news(session), Field.SUBSCRIPTION)
                    .close();
        }
        try (Connection connection = field.factory().createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createSharedDurableConsumer(Field.offers(session), Field.READERS)
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
        workers.add(new BlockingProducer(7, Field.GROUPED, field, random.split()));
        workers.add(new BlockingProducer(8, Field.OFFERS, field, random.split()));
        workers.forEach(Worker::start);
        return workers;
    }

    private List<Worker> startConsumers() {
        List<Worker> workers = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            workers.add(new AcknowledgingConsumer(i, Field.SHARED, field, random.split()));
            workers.add(new AcknowledgingConsumer(2 + i, Field.OFFERS, field, random.split()));
        }
        for (int i = 5; i <= 7; i++) {
            workers.add(new AcknowledgingConsumer(i, Field.GROUPED, field, random.split()));
        }
        workers.add(new TransactedConsumer(Field.SHARED, 0, field, random.split()));
        workers.add(new TransactedConsumer(Field.RETURNS, 2, field, random.split()));
        workers.add(new AutomaticConsumer(field, random.split()));
        workers.add(new DurableVisitor(field, random.split()));
        workers.forEach(Worker::start);
        return workers;
    }

    /** With all consumers gone: whatever is still there comes out now, wanted or not. */
    private void drainWhatIsLeft() throws JMSException {
        try (Connection visitor = field.factory().createConnection();
                Connection connection = field.factory().createConnection()) {
            visitor.setClientID(Field.CLIENT_ID);
            visitor.start();
            connection.start();
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            Session visiting = visitor.createSession(Session.AUTO_ACKNOWLEDGE);
            List<Drain> drains = new ArrayList<>();
            for (String queue : List.of(Field.SHARED, Field.SINGLE, Field.RETURNS, Field.GROUPED)) {
                drains.add(new Drain(session.createConsumer(Field.queue(session, queue)), queue, queue));
            }
            drains.add(new Drain(
                    visiting.createDurableConsumer(Field.news(visiting), Field.SUBSCRIPTION),
                    Field.SUBSCRIPTION,
                    Field.NEWS));
            drains.add(new Drain(
                    session.createSharedDurableConsumer(Field.offers(session), Field.READERS),
                    Field.READERS,
                    Field.OFFERS));
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
