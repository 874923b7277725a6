package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.frame.Hello;
import io.duramen.protocol.frame.Publish;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What applications are told by a cluster in which nobody leads. */
@Timeout(30)
class LeaderlessTest {
    private static final String REASON = "shard 0 has no leader: 1 of 3 nodes answer";

    private ScriptedNode node;

    @BeforeEach
    void start() {
        node = ScriptedNode.start();
    }

    @AfterEach
    void close() {
        node.close();
    }

    /** Goal: the outcome of what was sent is not known; but nobody waits for a majority however long. */
    @Test
    void shouldFailWhoWaitsAfterTheRequestTimeoutWhereNobodyCanLead() throws Exception {
        try (Connection connection =
                new DuramenConnectionFactory(node.url("requestTimeoutMillis=300")).createConnection()) {
            CompletableFuture<Void> sent = send(connection);
            node.expected(Publish.Request.class);
            node.impolitely(Hello.Request.class);
            node.drop();
            while (!sent.isDone()) {
                node.expect(Hello.Request.class).refuse(ErrorCode.NO_MAJORITY, REASON);
            }

            assertThatThrownBy(sent::join)
                    .hasRootCauseInstanceOf(JMSException.class)
                    .rootCause()
                    .hasMessageContaining(REASON)
                    .hasMessageContaining("outcome unknown");
        }
    }

    @Test
    void shouldGoOnWaitingWhileOneIsBeingChosen() throws Exception {
        try (Connection connection =
                new DuramenConnectionFactory(node.url("requestTimeoutMillis=300")).createConnection()) {
            CompletableFuture<Void> sent = send(connection);
            node.expected(Publish.Request.class);
            node.impolitely(Hello.Request.class);
            node.drop();
            long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(900);
            int rounds = 0;
            while (System.nanoTime() - endNanos < 0) {
                node.expect(Hello.Request.class).refuse(ErrorCode.NOT_LEADER, "no node is known to lead the cluster");
                rounds++;
            }
            assertThat(sent).isNotDone();
            assertThat(rounds).as("soon again").isGreaterThan(3);

            node.expect(Hello.Request.class)
                    .answer(new Hello.Response(Protocol.VERSION, "", 1 << 20, 1000, 0, true, 1));
            node.expect(Publish.Request.class).answer(new Publish.Response(0));
            sent.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldRefuseANewConnectionWithTheReason() throws Exception {
        node.impolitely(Hello.Request.class);
        CompletableFuture<Void> refusal = CompletableFuture.runAsync(() -> {
            try {
                node.expect(Hello.Request.class).refuse(ErrorCode.NO_MAJORITY, REASON);
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });

        assertThatThrownBy(() -> new DuramenConnectionFactory(node.url()).createConnection())
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining(REASON);
        refusal.get(10, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Void> send(Connection connection) {
        return CompletableFuture.runAsync(() -> {
            try {
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue("orders"));
                producer.send(session.createTextMessage("m1"));
            } catch (JMSException e) {
                throw new CompletionException(e);
            }
        });
    }
}
