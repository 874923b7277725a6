package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.ResolveDestination;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On how many nodes the factory has destinations made. */
@Timeout(30)
class ChosenReplicasTest {
    private ScriptedNode node;

    @BeforeEach
    void start() {
        node = ScriptedNode.start();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private void use(String options) throws Exception {
        try (Connection connection = new DuramenConnectionFactory(node.url(options)).createConnection()) {
            Session session = connection.createSession();
            session.createProducer(session.createQueue("orders")).close();
            session.createProducer(session.createTopic("news")).close();
        }
    }

    private static ResolveDestination.Request asked(String name, DestinationKind kind, int replicas) {
        return new ResolveDestination.Request(name, kind, true, replicas);
    }

    @Test
    void shouldAskForAsManyAsTheFactoryChose() throws Exception {
        use("replicas=3");

        assertThat(node.handled(ResolveDestination.Request.class))
                .containsExactly(asked("orders", DestinationKind.QUEUE, 3), asked("news", DestinationKind.TOPIC, 3));
    }

    @Test
    void shouldLeaveItToTheSettingsWhereTheFactoryChoseNothing() throws Exception {
        use("");

        assertThat(node.handled(ResolveDestination.Request.class))
                .containsExactly(asked("orders", DestinationKind.QUEUE, 0), asked("news", DestinationKind.TOPIC, 0));
    }

    @Test
    void shouldGoOnWithoutItAtANodeThatHasNoSuchThing() throws Exception {
        node.speaking(ResolveDestination.REPLICAS_SINCE - 1);
        use("replicas=3");

        assertThat(node.handled(ResolveDestination.Request.class))
                .containsExactly(asked("orders", DestinationKind.QUEUE, 0), asked("news", DestinationKind.TOPIC, 0));
    }
}
