package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.destination.DuramenTemporaryTopic;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.record.BodyType;
import io.duramen.protocol.record.MessageRecord;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class MessageCodecTest {
    private static final int GROUP_HASH_OF_CUSTOMER_17 = 2088029965;

    @Test
    void shouldWriteFixedHeaderWhenSent() throws JMSException {
        SendHeaders send = new SendHeaders()
                .destination(Records.ORDERS)
                .persistent(false)
                .priority(9)
                .times(100, 200, 300)
                .id(0xABCL, 42);
        ByteBuffer record = Records.encode(new DuramenTextMessage("ä"), send);

        assertThat(MessageRecord.check(record, 0)).isEqualTo(record.remaining()).isEqualTo(66);
        assertThat(record.get(MessageRecord.FLAGS_AT)).isZero();
        assertThat(record.get(MessageRecord.PRIORITY_AT)).isEqualTo((byte) 9);
        assertThat(record.get(MessageRecord.BODY_TYPE_AT)).isEqualTo((byte) BodyType.TEXT.ordinal());
        assertThat(record.getLong(MessageRecord.TIMESTAMP_AT)).isEqualTo(100);
        assertThat(record.getLong(MessageRecord.EXPIRATION_AT)).isEqualTo(200);
        assertThat(record.getLong(MessageRecord.DELIVERY_TIME_AT)).isEqualTo(300);
        assertThat(record.getInt(MessageRecord.GROUP_HASH_AT)).isZero();
        assertThat(record.getLong(MessageRecord.ID_PRODUCER_AT)).isEqualTo(0xABC);
        assertThat(record.getLong(MessageRecord.ID_NUMBER_AT)).isEqualTo(42);
    }

    @Test
    void shouldSetTheSameHeadersOnSentAndReceivedMessage() throws JMSException {
        SendHeaders send = new SendHeaders()
                .destination(Records.ORDERS)
                .persistent(false)
                .priority(2)
                .times(100, 200, 0)
                .id(0xABCL, 42);
        DuramenMessage sent = new DuramenMessage();
        sent.setJMSMessageID("ID:mine");
        sent.setJMSPriority(8);
        DuramenMessage received =
                MessageDecoder.decode(Records.encode(sent, send), Records.ORDERS, 1, AllowedClasses.NONE);

        for (DuramenMessage message : new DuramenMessage[] {sent, received}) {
            assertThat(message.getJMSMessageID()).isEqualTo("ID:0000000000000abc-42");
            assertThat(message.getJMSDestination()).isEqualTo(new DuramenQueue("orders"));
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(message.getJMSPriority()).isEqualTo(2);
            assertThat(message.getJMSTimestamp()).isEqualTo(100);
            assertThat(message.getJMSExpiration()).isEqualTo(200);
            assertThat(message.getJMSDeliveryTime()).isEqualTo(100);
            assertThat(message.getJMSRedelivered()).isFalse();
        }
    }

    @Test
    void shouldLeaveOutIdAndTimestampWhenProducerIsToldSo() throws JMSException {
        DuramenMessage sent = new DuramenMessage();
        DuramenMessage received = Records.decode(
                Records.encode(sent, Records.send().times(0, 0, 0).id(0, 0)));

        assertThat(sent.getJMSMessageID()).isNull();
        assertThat(received.getJMSMessageID()).isNull();
        assertThat(received.getJMSTimestamp()).isZero();
        assertThat(received.getJMSDeliveryTime()).isZero();
    }

    @Test
    void shouldCarryOptionalHeaders() throws JMSException {
        DuramenMessage message = new DuramenMessage();
        message.setJMSCorrelationID("c-1");
        message.setJMSType("order");
        message.setJMSReplyTo(new DuramenTemporaryTopic("replies"));
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 3);
        DuramenMessage received = Records.decode(Records.encode(
                message,
                Records.send().publisher("me".getBytes(StandardCharsets.UTF_8)).userId("ann")));

        assertThat(received.getJMSCorrelationID()).isEqualTo("c-1");
        assertThat(received.getJMSType()).isEqualTo("order");
        assertThat(received.getJMSReplyTo()).isEqualTo(new DuramenTemporaryTopic("replies"));
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getLongProperty("JMSXGroupSeq")).isEqualTo(3);
        assertThat(received.getStringProperty("JMSXUserID")).isEqualTo("ann");
        assertThat(Collections.list(received.getPropertyNames()))
                .containsExactlyInAnyOrder(
                        "JMSXGroupID", "JMSXGroupSeq", "JMSXUserID", "JMSXDeliveryCount", "JMSXRcvTimestamp");
    }

    @Test
    void shouldNotSayWhoSentItWhenTheRecordDoesNotSayThatTheServerLooked() throws JMSException {
        var record = Records.encode(new DuramenMessage(), Records.send().userId("ann"));
        record.put(MessageRecord.FLAGS_AT, (byte) 0);
        DuramenMessage received = Records.decode(record);

        assertThat(received.propertyExists("JMSXUserID")).isFalse();
        assertThat(received.getStringProperty("JMSXUserID")).isNull();
    }

    @Test
    void shouldHashTheGroupStablyAndNeverToZero() throws JMSException {
        DuramenMessage message = new DuramenMessage();
        for (String group : new String[] {"", "a", "customer-17"}) {
            message.setStringProperty("JMSXGroupID", group);
            int hash = Records.encode(message).getInt(MessageRecord.GROUP_HASH_AT);
            assertThat(hash).isNotZero();
            assertThat(Records.encode(message).getInt(MessageRecord.GROUP_HASH_AT))
                    .isEqualTo(hash);
        }
        // Stored records and placements hang on it.
        assertThat(Records.encode(message).getInt(MessageRecord.GROUP_HASH_AT)).isEqualTo(GROUP_HASH_OF_CUSTOMER_17);
    }

    @Test
    void shouldKeepCorrelationIdGivenAsBytes() throws JMSException {
        byte[] id = {(byte) 0xFF, 0, 1};
        DuramenMessage message = new DuramenMessage();
        message.setJMSCorrelationIDAsBytes(id);
        id[0] = 9;
        DuramenMessage received = Records.received(message);

        assertThat(received.getJMSCorrelationIDAsBytes()).containsExactly(0xFF, 0, 1);
        assertThat(received.getJMSCorrelationID()).isNull();
        message.setJMSCorrelationIDAsBytes("grün".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(Records.received(message).getJMSCorrelationID()).isEqualTo("grün");
        message.setJMSCorrelationID("c");
        assertThat(Records.received(message).getJMSCorrelationIDAsBytes()).containsExactly('c');
    }

    @Test
    void shouldCountDeliveries() throws JMSException {
        ByteBuffer record = Records.encode(new DuramenMessage());
        DuramenMessage first = MessageDecoder.decode(record, Records.ORDERS, 1, AllowedClasses.NONE);
        DuramenMessage second = MessageDecoder.decode(record, Records.ORDERS, 2, AllowedClasses.NONE);

        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(second.getJMSRedelivered()).isTrue();
        assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(second.propertyExists("JMSXDeliveryCount")).isTrue();
    }

    @Test
    void shouldSendReceivedMessageOnUnchanged() throws JMSException {
        DuramenTextMessage message = new DuramenTextMessage("hello");
        message.setIntProperty("size", 5);
        message.setJMSType("t");
        DuramenTextMessage forwarded = Records.received(Records.received(message));

        assertThat(forwarded.getText()).isEqualTo("hello");
        assertThat(forwarded.getIntProperty("size")).isEqualTo(5);
        assertThat(forwarded.getJMSType()).isEqualTo("t");
    }

    @Test
    void shouldSendReceivedMessageOnWithNewBodyOrProperties() throws JMSException {
        DuramenTextMessage message = new DuramenTextMessage("hello");
        message.setIntProperty("size", 5);
        DuramenTextMessage received = Records.received(message);
        received.clearBody();
        assertThat(received.getText()).isNull();
        received.setText("bye");
        received.clearProperties();
        received.setStringProperty("colour", "red");
        DuramenTextMessage forwarded = Records.received(received);

        assertThat(forwarded.getText()).isEqualTo("bye");
        assertThat(forwarded.propertyExists("size")).isFalse();
        assertThat(forwarded.getStringProperty("colour")).isEqualTo("red");
    }

    @Test
    void shouldLeaveBufferAndMessageAsTheyWereWhenEncodingFails() throws JMSException {
        BatchBuffer out = new BatchBuffer(10, 4);
        MessageEncoder.encode(new DuramenTextMessage("first"), Records.send(), out);
        ByteBuffer before = out.written();
        DuramenTextMessage broken = new DuramenTextMessage("broken \uD83D");
        broken.setStringProperty("p", "x".repeat(1000));

        assertThatThrownBy(() -> MessageEncoder.encode(broken, Records.send(), out))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("character 7");
        assertThat(out.written()).isEqualTo(before);
        assertThat(broken.getJMSMessageID()).isNull();
    }

    @Test
    void shouldRefuseNameLongerThanTheRecordCanSay() throws JMSException {
        DuramenMapMessage message = new DuramenMapMessage();
        message.setInt("ä".repeat(32_768), 1);
        assertThatThrownBy(() -> Records.encode(message)).isInstanceOf(MessageTooLongException.class);
    }

    @Test
    void shouldRefuseWhatIsNoRecord() throws JMSException {
        ByteBuffer record = Records.encode(new DuramenTextMessage("x"));
        assertThatThrownBy(() -> Records.decode(record.slice(0, record.limit() - 1)))
                .isInstanceOf(MalformedFrameException.class);
        ByteBuffer longer =
                ByteBuffer.allocate(record.limit() + 1).put(record.duplicate()).rewind();
        assertThatThrownBy(() -> Records.decode(longer)).isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void shouldReportDamagedTextWhenItIsAskedFor() throws JMSException {
        ByteBuffer record = Records.encode(new DuramenTextMessage("x"));
        record.put(record.limit() - 1, (byte) 0xFF);
        DuramenTextMessage damaged = (DuramenTextMessage) Records.decode(record);
        assertThatThrownBy(damaged::getText).isInstanceOf(MessageFormatException.class);
    }
}
