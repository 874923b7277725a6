package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.SpareBuffers;
import io.duramen.protocol.record.RecordBatch;
import jakarta.jms.JMSException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BatchBufferTest {
    @Test
    void shouldEncodeTheSameIntoABufferThatHeldSomethingElse() throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.setStringProperty("colour", "red");
        message.writeBytes(new byte[1 << 20]);
        BatchBuffer clean = sealed(message);
        byte[] expected = bytes(clean);

        Arrays.fill(clean.written().array(), (byte) 0xA5);
        clean.recycle();
        assertThat(bytes(sealed(message))).isEqualTo(expected);
    }

    private static BatchBuffer sealed(DuramenMessage message) throws JMSException {
        BatchBuffer out = new BatchBuffer(SpareBuffers.LENGTH_MIN, RecordBatch.HEADER_LENGTH);
        MessageEncoder.encode(message, Records.send(), out);
        RecordBatch.seal(out.written(), true, 7, 0, 3, 1);
        return out;
    }

    private static byte[] bytes(BatchBuffer from) {
        byte[] bytes = new byte[from.length()];
        from.written().get(bytes);
        return bytes;
    }
}
