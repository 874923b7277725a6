package io.duramen.examples;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.ProducerFencedException;
import io.duramen.jms.session.TransactionalProducer;
import io.duramen.jms.session.TransactionalProducer.LastTransaction;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;

/**
 * Loads the lines of a file into two queues, each line exactly once, although the loader is ended in its midst and, worse, is
 * not quite dead. Run by one thread.
 *
 * <p>Each transaction is committed with a label that says how far the work is. Whoever takes the name over is told of the last
 * one that has committed, and goes on behind it; the one that had the name before cannot commit any more.
 */
public final class TransactionalProducerExample {
    private static final String NAME = "examples.loader";
    private static final int LINES = 6;

    private TransactionalProducerExample() {}

    /** @param args the server's URL, or nothing for a node on this machine */
    public static void main(String[] args) throws JMSException {
        DuramenConnectionFactory factory = new DuramenConnectionFactory(ServerUrl.from(args));
        try (DuramenConnection one = (DuramenConnection) factory.createConnection();
                DuramenConnection two = (DuramenConnection) factory.createConnection()) {
            TransactionalProducer first = one.createTransactionalProducer(NAME);
            load(first, next(first), LINES / 2);
            // It hangs, with a line half done; so somebody starts another one, which takes the name over.
            first.begin();
            send(first, LINES / 2 + 1);

            TransactionalProducer second = two.createTransactionalProducer(NAME);
            load(second, next(second), LINES);

            // The first wakes up.
            try {
                first.commit("line " + (LINES / 2 + 1));
                System.out.println("this must not happen");
            } catch (ProducerFencedException e) {
                System.out.println("the first loader is fenced");
            }
            drain(two, "examples.loader.lines");
            drain(two, "examples.loader.audit");
        }
    }

    /** The line behind the last that was loaded, by whichever loader. */
    private static int next(TransactionalProducer producer) {
        String label = producer.lastTransaction().map(LastTransaction::label).orElse("line 0");
        System.out.println("taken over behind " + label);
        return 1 + Integer.parseInt(label.substring("line ".length())) % LINES;
    }

    private static void load(TransactionalProducer producer, int from, int to) throws JMSException {
        for (int line = from; line <= to; line++) {
            producer.begin();
            send(producer, line);
            producer.commit("line " + line);
        }
        System.out.println("loaded lines " + from + " to " + to);
    }

    private static void send(TransactionalProducer producer, int line) throws JMSException {
        Session session = producer.session();
        producer.send(session.createQueue("examples.loader.lines"), session.createTextMessage("line " + line));
        producer.send(session.createQueue("examples.loader.audit"), session.createTextMessage("loaded line " + line));
    }

    private static void drain(DuramenConnection connection, String name) throws JMSException {
        connection.start();
        try (Session session = connection.createSession()) {
            Queue queue = session.createQueue(name);
            MessageConsumer consumer = session.createConsumer(queue);
            int count = 0;
            for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
                count++;
            }
            System.out.println(name + " has " + count + " messages");
        }
    }
}
