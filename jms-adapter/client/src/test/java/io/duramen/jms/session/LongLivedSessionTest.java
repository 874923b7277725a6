package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.ResolveDestination;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pools keep sessions for as long as the process lives: what came and went must not be remembered for ever. */
@Timeout(60)
class LongLivedSessionTest {
    private ScriptedNode node;
    private DuramenConnection connection;

    @BeforeEach
    void connect() throws JMSException {
        node = ScriptedNode.start();
        connection = (DuramenConnection) new DuramenConnectionFactory(node.url()).createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    @Test
    void shouldKeepNothingOfConsumersThatWereClosed() throws Exception {
        for (int mode : List.of(
                Session.AUTO_ACKNOWLEDGE,
                Session.DUPS_OK_ACKNOWLEDGE,
                Session.CLIENT_ACKNOWLEDGE,
                Session.SESSION_TRANSACTED)) {
            DuramenSession session = (DuramenSession) connection.createSession(mode);
            for (int i = 0; i < 20; i++) {
                session.createConsumer(session.createQueue("orders")).close();
            }
            assertThat(session.consumers().feedCount()).as("mode %d", mode).isZero();
        }
    }

    @Test
    void shouldKeepLittleOfTheTemporaryQueuesThatItHasAnsweredTo() throws Exception {
        node.politely(Publish.Request.class, publish -> null)
                .politely(
                        ResolveDestination.Request.class,
                        r -> new ResolveDestination.Response(
                                r.name(),
                                r.kind(),
                                List.of(new PartitionRef(r.name().hashCode(), 0)),
                                1));
        DuramenSession session = (DuramenSession) connection.createSession();
        DuramenDestination own = (DuramenDestination) session.createTemporaryQueue();
        MessageProducer producer = session.createProducer(null);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < 2 * Conversation.FOREIGN_MAX + 10; i++) {
            producer.send(DuramenDestination.of(DestinationKind.TEMPORARY_QUEUE, "temp." + i), session.createMessage());
            assertThat(connection.conversation().resolvedCount()).isLessThanOrEqualTo(Conversation.FOREIGN_MAX + 1);
        }
        int asked = node.handled(ResolveDestination.Request.class).size();
        producer.send(own, session.createMessage());
        assertThat(node.handled(ResolveDestination.Request.class)).hasSize(asked); // its own it does not forget
    }
}
