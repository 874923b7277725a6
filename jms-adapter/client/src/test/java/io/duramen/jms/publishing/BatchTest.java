package io.duramen.jms.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.link.LinkLostException;
import io.duramen.jms.message.DuramenBytesMessage;
import io.duramen.jms.message.MessageEncoder;
import io.duramen.jms.message.SendHeaders;
import io.duramen.protocol.frame.Publish;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BatchTest {
    @Test
    void shouldLetOthersHaveItsMemoryOnceItIsAnsweredAndTheTransportIsDoneWithIt() throws JMSException {
        Batch batch = batchOfOneLongMessage();
        ByteBuffer sealed = batch.seal(7, 0);
        assertThat(sealed.isDirect()).isTrue();
        batch.sending();
        batch.answered(new Publish.Response(0));
        assertThat(batch.isAnswered()).isTrue();
        assertThat(batch.lengthBytes()).isEqualTo(sealed.limit());
        batch.sent();
        assertThat(batch.lengthBytes()).isZero();
    }

    @Test
    void shouldKeepItsMemoryWhileItMayBeSentAgainOrItsSendHasFailed() throws JMSException {
        Batch batch = batchOfOneLongMessage();
        ByteBuffer sealed = batch.seal(7, 0);
        batch.sending();
        batch.sent();
        assertThat(batch.lengthBytes()).as("after the first connection").isEqualTo(sealed.limit());
        batch.sending();
        batch.failed(new LinkLostException("gone", true, null));
        batch.sent();
        assertThat(batch.lengthBytes()).as("after the last one").isEqualTo(sealed.limit());
    }

    private static Batch batchOfOneLongMessage() throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeBytes(new byte[1 << 20]);
        Batch batch = new Batch(1, Publish.Acks.ALL, true, 2_048, new SendWindow(1 << 20), new Hold(() -> {}));
        batch.added(MessageEncoder.encode(message, new SendHeaders(), batch.bytes));
        return batch;
    }
}
