package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Chapter 3, header fields: what send sets, and what arrives. */
class MessageHeadersTest extends OnANode {
    @Test
    @Section({"3.4.1", "3.4.2", "3.4.10", "3.4.11"})
    void shouldSetWhatTheProducerDecidesOverWhatTheApplicationSet() throws Exception {
        Message message = session.createMessage();
        message.setJMSDestination(topic);
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSPriority(9);
        message.setJMSMessageID("ID:mine");
        message.setJMSTimestamp(1);
        message.setJMSExpiration(1);
        message.setJMSDeliveryTime(1);
        MessageProducer producer = session.createProducer(queue);
        producer.setPriority(2);
        long before = System.currentTimeMillis();
        producer.send(message);

        Message received = receive(Message.class);
        for (Message each : List.of(message, received)) {
            assertThat(each.getJMSDestination()).isEqualTo(queue);
            assertThat(each.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(each.getJMSPriority()).isEqualTo(2);
            assertThat(each.getJMSMessageID()).startsWith("ID:").isNotEqualTo("ID:mine");
            assertThat(each.getJMSTimestamp()).isBetween(before, System.currentTimeMillis());
            assertThat(each.getJMSExpiration()).isZero();
            assertThat(each.getJMSDeliveryTime()).isEqualTo(each.getJMSTimestamp());
        }
        assertThat(received.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
    }

    @Test
    @Section("3.4.3")
    void shouldGiveEveryMessageAnIdOfItsOwn() throws Exception {
        Set<String> ids = new HashSet<>();
        Message message = session.createMessage();
        MessageProducer one = session.createProducer(queue);
        MessageProducer other = session.createProducer(queue);
        for (int i = 0; i < 50; i++) {
            one.send(message);
            ids.add(message.getJMSMessageID());
            other.send(message);
            ids.add(message.getJMSMessageID());
        }
        assertThat(ids).hasSize(100).allMatch(id -> id.startsWith("ID:"));
    }

    @Test
    @Section({"3.4.3", "3.4.4"})
    void shouldLeaveOutIdAndTimestampWhereTheProducerNeedsNone() throws Exception {
        MessageProducer producer = session.createProducer(queue);
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        Message message = session.createMessage();
        producer.send(message);
        Message received = receive(Message.class);

        assertThat(message.getJMSMessageID()).isNull();
        assertThat(received.getJMSMessageID()).isNull();
        assertThat(received.getJMSTimestamp()).isZero();
    }

    @Test
    @Section({"3.4.5", "3.4.6", "3.4.8"})
    void shouldCarryWhatTheApplicationSets() throws Exception {
        Message message = session.createMessage();
        message.setJMSCorrelationID("order-7");
        message.setJMSType("order");
        message.setJMSReplyTo(topic);
        Message received = through(message);

        assertThat(received.getJMSCorrelationID()).isEqualTo("order-7");
        assertThat(received.getJMSType()).isEqualTo("order");
        assertThat(received.getJMSReplyTo()).isEqualTo(topic);
        Message second = session.createMessage();
        second.setJMSCorrelationIDAsBytes(new byte[] {1, -1});
        assertThat(through(second).getJMSCorrelationIDAsBytes()).isEqualTo(new byte[] {1, -1});
    }

    @Test
    @Section({"3.4.7", "3.5.11"})
    void shouldMarkARedeliveryAndCountIt() throws Exception {
        send("m");
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        Message first = consumer.receive(PATIENCE);
        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        client.recover();
        Message second = consumer.receive(PATIENCE);
        assertThat(second.getJMSRedelivered()).isTrue();
        assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        second.acknowledge();
    }

    @Test
    @Section({"3.4.9", "7.8"})
    void shouldComputeTheExpirationAndNotDeliverBeyondIt() throws Exception {
        MessageProducer producer = session.createProducer(queue);
        Message lasting = session.createTextMessage("lasting");
        producer.send(session.createTextMessage("short"), DeliveryMode.PERSISTENT, 4, 1);
        producer.setTimeToLive(600_000);
        producer.send(lasting);

        assertThat(lasting.getJMSExpiration()).isEqualTo(lasting.getJMSTimestamp() + 600_000);
        TextMessage received = receive(TextMessage.class);
        while ("short".equals(received.getText())) { // it may be met within its one millisecond
            received = receive(TextMessage.class);
        }
        assertThat(received.getText()).isEqualTo("lasting");
        assertThat(received.getJMSExpiration()).isEqualTo(lasting.getJMSExpiration());
    }

    @Test
    @Section("3.9")
    void shouldSendTheSameObjectAgainChanged() throws Exception {
        TextMessage message = session.createTextMessage("first");
        send(message);
        message.setText("second");
        send(message);
        assertThat(receive(TextMessage.class).getText()).isEqualTo("first");
        assertThat(receive(TextMessage.class).getText()).isEqualTo("second");
    }

    @Test
    @Section("3.10")
    void shouldRedeliverTheOriginalWhateverTheConsumerChanged() throws Exception {
        TextMessage message = session.createTextMessage("original");
        message.setIntProperty("number", 1);
        send(message);
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        TextMessage received = (TextMessage) consumer.receive(PATIENCE);
        received.clearBody();
        received.setText("changed");
        received.clearProperties();
        received.setIntProperty("number", 2);
        client.recover();
        TextMessage again = (TextMessage) consumer.receive(PATIENCE);
        assertThat(again.getText()).isEqualTo("original");
        assertThat(again.getIntProperty("number")).isEqualTo(1);
        again.acknowledge();
    }

    @Test
    @Section("3.5.9")
    void shouldCarryTheDefinedPropertiesThatItSaysItSupports() throws Exception {
        assertThat(names(connection.getMetaData().getJMSXPropertyNames()))
                .contains("JMSXDeliveryCount", "JMSXGroupID", "JMSXGroupSeq", "JMSXUserID", "JMSXRcvTimestamp");
        Message message = session.createMessage();
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 3);
        long before = System.currentTimeMillis();
        Message received = through(message);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
        assertThat(received.getLongProperty("JMSXRcvTimestamp")).isBetween(before, System.currentTimeMillis());
        assertThat(message.propertyExists("JMSXRcvTimestamp")).isFalse();
        assertThat(received.propertyExists("JMSXUserID")).isFalse();
    }

    @Test
    @Section("3.5.9")
    void shouldSayWhoSentItWhereTheFactoryIsToldTo() throws Exception {
        DuramenConnectionFactory factory = factory();
        factory.setUserId(true);
        String secret =
                java.nio.file.Files.readString(data.resolve("admin-secret")).trim();
        try (Connection admin = factory.createConnection("admin", secret)) {
            Session own = admin.createSession();
            Message message = own.createMessage();
            own.createProducer(queue).send(message);
            assertThat(message.getStringProperty("JMSXUserID")).isEqualTo("admin");
        }
        assertThat(receive(Message.class).getStringProperty("JMSXUserID")).isEqualTo("admin");
    }
}
