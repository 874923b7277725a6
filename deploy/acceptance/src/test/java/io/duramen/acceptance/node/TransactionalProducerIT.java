package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.acceptance.process.ServerProcess;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.ProducerFencedException;
import io.duramen.jms.session.TransactionalProducer;
import io.duramen.jms.session.TransactionalProducer.LastTransaction;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A chain of incarnations of one producer, the server killed between every two steps: each input has one output. */
class TransactionalProducerIT {
    private static final int INPUTS = 5;
    private static final long PATIENCE_MILLIS = 60_000;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldMakeOneOfEachWhenTheServerIsKilledBetweenTheSteps() throws Exception {
        List<DuramenConnection> predecessors = new ArrayList<>();
        try (ServerProcess server = ServerProcess.on(directory.resolve("data"))) {
            server.start();
            new QueueLoad(server.url(), "in").send(0, INPUTS, 1);
            for (int done = 0; done < INPUTS; done++) {
                DuramenConnection connection = connect(server);
                TransactionalProducer producer = connection.createTransactionalProducer("chain");
                assertThat(producer.lastTransaction()
                                .map(LastTransaction::label)
                                .orElse("none"))
                        .isEqualTo(done == 0 ? "none" : "output " + (done - 1));
                killAtTurn(server, done, 0);
                MessageConsumer consumer = producer.session().createConsumer(queue("in"));
                Message input = consumer.receive(PATIENCE_MILLIS);
                producer.begin();
                producer.send(queue("out"), producer.session().createTextMessage("output " + done));
                killAtTurn(server, done, 1);
                producer.commit("output " + done);
                killAtTurn(server, done, 2);
                assertThat(input).isNotNull();
                consumer.close();
                predecessors.add(connection);
            }
            rebuildMetadata(server);
            try (DuramenConnection last = connect(server);
                    TransactionalProducer producer = last.createTransactionalProducer("chain")) {
                assertThat(producer.lastTransaction().orElseThrow().label()).isEqualTo("output " + (INPUTS - 1));
                assertThat(drain(last, "out")).hasSize(INPUTS).doesNotHaveDuplicates();
                assertThat(drain(last, "in")).isEmpty();
            }
            for (DuramenConnection predecessor : predecessors) {
                predecessor.close();
            }
        }
    }

    private static void killAtTurn(ServerProcess server, int done, int step) throws Exception {
        if (done % 4 == step || done % 4 == 3) {
            server.kill();
            server.start();
        }
    }

    private static void rebuildMetadata(ServerProcess server) throws Exception {
        server.kill();
        try (Stream<Path> files = Files.walk(server.data().resolve("metadata"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        server.start();
    }

    private static DuramenConnection connect(ServerProcess server) throws JMSException {
        DuramenConnection connection =
                (DuramenConnection) new DuramenConnectionFactory(server.url()).createConnection();
        connection.start();
        return connection;
    }

    private static Queue queue(String name) {
        return new DuramenQueue(name);
    }

    private static List<String> drain(DuramenConnection connection, String name) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(queue(name));
            for (Message next = consumer.receiveNoWait(); next != null; next = consumer.receiveNoWait()) {
                texts.add(next.getBody(String.class));
            }
        }
        return texts;
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldFenceOverAKill() throws Exception {
        try (ServerProcess server =
                        ServerProcess.on(directory.resolve("fencing")).start();
                DuramenConnection one = connect(server);
                DuramenConnection two = connect(server)) {
            TransactionalProducer first = one.createTransactionalProducer("mover");
            first.begin();
            first.send(queue("out"), first.session().createTextMessage("of the first"));
            TransactionalProducer second = two.createTransactionalProducer("mover");
            server.kill();
            server.start();
            assertThatThrownBy(first::commit).isInstanceOf(ProducerFencedException.class);
            second.begin();
            second.send(queue("out"), second.session().createTextMessage("of the second"));
            second.commit();
            assertThat(drain(two, "out")).containsExactly("of the second");
        }
    }
}
