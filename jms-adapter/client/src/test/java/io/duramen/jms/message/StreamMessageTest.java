package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import org.junit.jupiter.api.Test;

class StreamMessageTest {
    @Test
    void shouldReadValuesInTheOrderWritten() throws JMSException {
        DuramenStreamMessage message = new DuramenStreamMessage();
        message.writeBoolean(true);
        message.writeByte((byte) 1);
        message.writeShort((short) 2);
        message.writeChar('c');
        message.writeInt(3);
        message.writeLong(4);
        message.writeFloat(5);
        message.writeDouble(6);
        message.writeString("s");
        message.writeString(null);
        message.writeBytes(new byte[] {1, 2, 3}, 1, 1);
        DuramenStreamMessage received = Records.received(message);

        Object[] expected = {true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6.0, "s", null, new byte[] {2}};
        for (Object value : expected) {
            assertThat(received.readObject()).isEqualTo(value);
        }
        assertThatThrownBy(received::readObject).isInstanceOf(MessageEOFException.class);
        received.reset();
        assertThat(received.readBoolean()).isTrue();
    }

    @Test
    void shouldRefuseReadingOrWritingOutOfTurn() throws JMSException {
        DuramenStreamMessage message = new DuramenStreamMessage();
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1])).isInstanceOf(MessageNotReadableException.class);
        message.writeInt(1);
        DuramenStreamMessage received = Records.received(message);
        message.reset();
        assertThatThrownBy(() -> message.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.writeBytes(new byte[0])).isInstanceOf(MessageNotWriteableException.class);
        received.clearBody();
        received.writeInt(2);
        received.reset();
        assertThat(received.readInt()).isEqualTo(2);
    }

    @Test
    void shouldReadByteArrayInPartsAndSayItsEnd() throws JMSException {
        DuramenStreamMessage message = new DuramenStreamMessage();
        message.writeBytes(new byte[] {1, 2, 3, 4});
        message.writeInt(5);
        DuramenStreamMessage received = Records.received(message);
        byte[] part = new byte[2];

        assertThat(received.readBytes(part)).isEqualTo(2);
        assertThatThrownBy(received::readInt).isInstanceOf(MessageFormatException.class);
        assertThat(received.readBytes(part)).isEqualTo(2);
        assertThat(part).containsExactly(3, 4);
        assertThatThrownBy(received::readObject).isInstanceOf(MessageFormatException.class);
        assertThat(received.readBytes(part)).isEqualTo(-1);
        assertThat(received.readInt()).isEqualTo(5);
        received.reset();
        assertThat(received.readBytes(new byte[10])).isEqualTo(4);
        assertThat(received.readInt()).isEqualTo(5);
    }

    @Test
    void shouldReadEmptyAndNullByteArrays() throws JMSException {
        DuramenStreamMessage message = new DuramenStreamMessage();
        message.writeBytes(new byte[0]);
        message.writeObject(null);
        message.writeString("x");
        DuramenStreamMessage received = Records.received(message);

        assertThat(received.readBytes(new byte[2])).isZero();
        assertThat(received.readBytes(new byte[2])).isEqualTo(-1);
        assertThatThrownBy(() -> received.readBytes(new byte[2])).isInstanceOf(MessageFormatException.class);
        assertThat(received.readString()).isEqualTo("x");
        assertThatThrownBy(() -> received.readBytes(new byte[2])).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldNotGiveOutItsBodyAsOneObject() throws JMSException {
        DuramenStreamMessage message = new DuramenStreamMessage();
        assertThat(message.isBodyAssignableTo(Object.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(Object.class)).isInstanceOf(MessageFormatException.class);
    }
}
