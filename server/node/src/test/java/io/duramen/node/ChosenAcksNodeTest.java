package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.SettingRow;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends that wait for less or more than usual, to a destination that asks for what it likes. */
@Timeout(60)
class ChosenAcksNodeTest {
    private static final long PATIENCE_MILLIS = 20_000;

    @Test
    void shouldStoreWhatIsSentHoweverItIsAnswered() throws Exception {
        String name = "n" + UUID.randomUUID();
        try (Duramen node = TestNodes.quick().setting("node.name", name).start();
                JmxConsole console = new JmxConsole(name);
                Connection connection = new DuramenConnectionFactory(
                                node.url() + "?persistentAcks=1&nonPersistentAcks=all")
                        .createConnection()) {
            connection.start();
            DestinationsMXBean destinations = console.of(DestinationsMXBean.class);
            destinations.create("orders", "QUEUE", 1);
            assertThat(destinations.settings("orders")).contains(new SettingRow("acks", "client", false));
            assertThatThrownBy(() -> destinations.change("orders", "acks:1"))
                    .hasMessageContaining("'acks:1' is neither client nor all");
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            for (String acks : new String[] {"client", "all"}) {
                destinations.change("orders", "acks:" + acks);
                assertThat(destinations.settings("orders")).contains(new SettingRow("acks", acks, true));
                for (int mode : new int[] {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT}) {
                    producer.setDeliveryMode(mode);
                    producer.send(session.createTextMessage(acks + mode));
                    assertThat(consumer.receive(PATIENCE_MILLIS).getBody(String.class))
                            .isEqualTo(acks + mode);
                }
            }
        }
    }
}
