package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.record.DedupKey;
import io.duramen.protocol.record.MessageRecord;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Which messages have a dedup key in their record. */
class DedupIdTest {
    private final DuramenMessage message = new DuramenTextMessage();

    private static DedupKey keyOf(DuramenMessage sent) throws JMSException {
        ByteBuffer record = Records.encode(sent);
        assertThat(MessageRecord.check(record, 0)).isEqualTo(record.limit());
        return DedupKey.isIn(record, 0) ? DedupKey.at(record, 0) : null;
    }

    @Test
    void shouldBeInTheRecordWhenThePropertyIsSet() throws JMSException {
        assertThat(keyOf(message)).isNull();
        message.setStringProperty("_AMQ_DUPL_ID", "a");
        message.setJMSType("t");
        assertThat(keyOf(message)).isEqualTo(DedupKey.of("a"));
        message.setStringProperty("JMS_Duramen_DedupId", "b");
        assertThat(keyOf(message)).isEqualTo(DedupKey.of("b"));
        message.setLongProperty("JMS_Duramen_DedupId", 7);
        assertThat(keyOf(message)).isEqualTo(DedupKey.of("7"));
        message.setStringProperty("JMS_Duramen_DedupId", "");
        assertThat(keyOf(message)).isNull();
    }

    @Test
    void shouldKeepItWhenAReceivedMessageIsSentOnUnlessItsPropertiesAreCleared() throws JMSException {
        message.setStringProperty("JMS_Duramen_DedupId", "a");
        DuramenMessage received = Records.received(message);
        assertThat(received.getStringProperty("JMS_Duramen_DedupId")).isEqualTo("a");
        assertThat(keyOf(received)).isEqualTo(DedupKey.of("a"));
        received.clearProperties();
        assertThat(keyOf(received)).isNull();
    }

    /** The key is the same for ever, and for clients in other languages. */
    @Test
    void shouldBeTheFirstHalfOfTheSha256() {
        assertThat(DedupKey.of("abc")).isEqualTo(new DedupKey(0xba7816bf8f01cfeaL, 0x414140de5dae2223L));
        assertThat(RecordBatch.ATTRIBUTE_DEDUP).isEqualTo(1 << 7);
    }
}
