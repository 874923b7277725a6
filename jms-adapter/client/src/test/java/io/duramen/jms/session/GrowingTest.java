package io.duramen.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.peer.ScriptedNode;
import io.duramen.protocol.frame.Hello;
import io.duramen.protocol.frame.PartitionRef;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.ResolveDestination;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A destination gets further partitions while clients hold the old ones. */
@Timeout(60)
class GrowingTest {
    private static final int KEYED = 2;
    private static final int GROUPS = 20;
    private static final int NEW_SESSIONS = 200;

    private ScriptedNode node;
    private Connection connection;
    private volatile int partitions = KEYED;
    private volatile int firstPartition = 1;

    @BeforeEach
    void start() throws JMSException {
        node = ScriptedNode.start();
        node.politely(
                ResolveDestination.Request.class,
                request -> new ResolveDestination.Response(
                        request.name(),
                        request.kind(),
                        IntStream.range(firstPartition, firstPartition + partitions)
                                .mapToObj(id -> new PartitionRef(id, 0))
                                .toList(),
                        KEYED));
        node.politely(Publish.Request.class, request -> new Publish.Response(0));
        connection = connect();
    }

    private Connection connect() throws JMSException {
        return new DuramenConnectionFactory(node.url()).createConnection();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        node.close();
    }

    /** Has the connection come back, and ask anew: before it has noticed that it was lost it goes on as it did. */
    private void growsTo(int more) {
        int before = node.handled(Hello.Request.class).size();
        partitions = more;
        node.drop();
        Awaitility.await().until(() -> node.handled(Hello.Request.class).size() > before);
    }

    /** Sends a message; returns the partition that it went to. */
    private int send(Session session, String property, String value) throws JMSException {
        int before = node.handled(Publish.Request.class).size();
        MessageProducer producer = session.createProducer(session.createQueue("orders"));
        Message message = session.createMessage();
        if (property != null) {
            message.setStringProperty(property, value);
        }
        producer.send(message);
        List<Publish.Request> sent = node.handled(Publish.Request.class);
        assertThat(sent).hasSizeGreaterThan(before);
        return sent.get(sent.size() - 1).partition();
    }

    private Map<String, Integer> places(Session session, String property) throws JMSException {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < GROUPS; i++) {
            places.put("key " + i, send(session, property, "key " + i));
        }
        return places;
    }

    @Test
    void shouldKeepGroupsWhereTheyAreWhenPartitionsAreAdded() throws JMSException {
        requireKept("JMSXGroupID");
    }

    @Test
    void shouldKeepIdsWhereTheyAreWhenPartitionsAreAdded() throws JMSException {
        requireKept("JMS_Duramen_DedupId");
    }

    private void requireKept(String property) throws JMSException {
        Map<String, Integer> before = places(connection.createSession(), property);
        assertThat(Set.copyOf(before.values())).containsExactlyInAnyOrder(1, 2);

        growsTo(8);

        assertThat(places(connection.createSession(), property)).isEqualTo(before);
        try (Connection next = connect()) {
            assertThat(places(next.createSession(), property)).isEqualTo(before);
        }
    }

    @Test
    void shouldKeepProducersWhereTheyAreWhenPartitionsAreAdded() throws JMSException {
        Map<Session, Integer> before = new HashMap<>();
        for (int i = 0; i < GROUPS; i++) {
            Session session = connection.createSession();
            before.put(session, send(session, null, null));
        }
        for (int more : List.of(3, 8)) {
            growsTo(more);
            for (Map.Entry<Session, Integer> one : before.entrySet()) {
                assertThat(send(one.getKey(), null, null)).isEqualTo(one.getValue());
            }
        }
    }

    @Test
    void shouldUseAllPartitionsForProducersOfNewConnections() throws JMSException {
        send(connection.createSession(), null, null);
        growsTo(4);
        Set<Integer> used = new HashSet<>();
        try (Connection next = connect()) {
            for (int i = 0; i < NEW_SESSIONS && used.size() < 4; i++) {
                try (Session session = next.createSession()) {
                    used.add(send(session, null, null));
                }
            }
        }
        assertThat(used).containsExactlyInAnyOrder(1, 2, 3, 4);
    }

    @Test
    void shouldBeginAnewWhenADestinationWasDeletedAndMadeAgain() throws JMSException {
        send(connection.createSession(), null, null);
        firstPartition = 11;
        growsTo(4);
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < NEW_SESSIONS && used.size() < 4; i++) {
            try (Session session = connection.createSession()) {
                used.add(send(session, null, null));
            }
        }
        assertThat(used).containsExactlyInAnyOrder(11, 12, 13, 14);
    }
}
