package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BytesMessageTest {
    @Test
    void shouldReadAllTypesAsWritten() throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        Object[] values = {true, (byte) -3, (short) -300, 'ß', 70_000, -1L << 50, 1.5f, -2.25, "a\0ä€\uD83D\uDE00\uD83D"
        };
        for (Object value : values) {
            message.writeObject(value);
        }
        message.writeObject(new byte[] {1, 2});
        message.writeBytes(new byte[] {9, 8, 7, 6}, 1, 2);
        DuramenBytesMessage received = Records.received(message);

        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readByte()).isEqualTo((byte) -3);
        assertThat(received.readShort()).isEqualTo((short) -300);
        assertThat(received.readChar()).isEqualTo('ß');
        assertThat(received.readInt()).isEqualTo(70_000);
        assertThat(received.readLong()).isEqualTo(-1L << 50);
        assertThat(received.readFloat()).isEqualTo(1.5f);
        assertThat(received.readDouble()).isEqualTo(-2.25);
        assertThat(received.readUTF()).isEqualTo("a\0ä€\uD83D\uDE00\uD83D");
        assertThat(received.readUnsignedShort()).isEqualTo(0x102);
        assertThat(received.readUnsignedByte()).isEqualTo(8);
        assertThat(received.readUnsignedByte()).isEqualTo(7);
        assertThatThrownBy(received::readByte).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldGoOnWritingBehindWhatWasWrittenAtOnceAndKeepACopyOfIt() throws JMSException {
        byte[] value = new byte[10_000];
        Arrays.fill(value, (byte) 5);
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeBytes(value, 100, 9_000);
        Arrays.fill(value, (byte) 6);
        message.writeInt(8);
        message.writeBytes(value);
        DuramenBytesMessage received = Records.received(message);

        assertThat(received.getBodyLength()).isEqualTo(9_000 + 4 + 10_000);
        byte[] read = new byte[9_000];
        assertThat(received.readBytes(read)).isEqualTo(9_000);
        assertThat(read).containsOnly(5);
        assertThat(received.readInt()).isEqualTo(8);
        assertThat(received.readByte()).isEqualTo((byte) 6);
    }

    @Test
    void shouldWriteWhatDataOutputWrites() throws JMSException, IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(expected);
        data.writeUTF("\0a\u0080\u07FF\u0800\uFFFF");
        data.writeDouble(Math.PI);
        data.writeChar('x');
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeUTF("\0a\u0080\u07FF\u0800\uFFFF");
        message.writeDouble(Math.PI);
        message.writeChar('x');

        assertThat(message.getBody(byte[].class)).isEqualTo(expected.toByteArray());
    }

    @Test
    void shouldRefuseReadingWhileItIsWritten() {
        DuramenBytesMessage message = new DuramenBytesMessage();
        assertThatThrownBy(message::readByte).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::readUTF).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::getBodyLength).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1])).isInstanceOf(MessageNotReadableException.class);
    }

    @Test
    void shouldRefuseWritingOnceResetOrReceivedUntilClearBody() throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeInt(1);
        DuramenBytesMessage received = Records.received(message);
        message.writeInt(2); // sending leaves it writable
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(8);
        for (DuramenBytesMessage readOnly : Arrays.asList(message, received)) {
            assertThatThrownBy(() -> readOnly.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
            assertThatThrownBy(() -> readOnly.writeBytes(new byte[0])).isInstanceOf(MessageNotWriteableException.class);
            assertThatThrownBy(() -> readOnly.writeUTF("")).isInstanceOf(MessageNotWriteableException.class);
            readOnly.clearBody();
            readOnly.writeByte((byte) 5);
            readOnly.reset();
            assertThat(readOnly.getBodyLength()).isEqualTo(1);
            assertThat(readOnly.readByte()).isEqualTo((byte) 5);
        }
    }

    @Test
    void shouldReadBytesInPartsUpToTheEnd() throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeBytes(new byte[] {1, 2, 3, 4, 5});
        DuramenBytesMessage received = Records.received(message);
        byte[] part = new byte[3];

        assertThat(received.readBytes(part)).isEqualTo(3);
        assertThat(part).containsExactly(1, 2, 3);
        assertThat(received.readBytes(part)).isEqualTo(2);
        assertThat(part).containsExactly(4, 5, 3);
        assertThat(received.readBytes(part)).isEqualTo(-1);
        received.reset();
        assertThat(received.readBytes(part, 1)).isEqualTo(1);
        assertThat(received.readBytes(part, 0)).isZero();
        assertThatThrownBy(() -> received.readBytes(part, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> received.readBytes(part, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    interface Read {
        Object from(DuramenBytesMessage message) throws JMSException;
    }

    static Stream<Read> readsOfMoreThanOneByte() {
        return Stream.of(
                DuramenBytesMessage::readShort,
                DuramenBytesMessage::readUnsignedShort,
                DuramenBytesMessage::readChar,
                DuramenBytesMessage::readInt,
                DuramenBytesMessage::readLong,
                DuramenBytesMessage::readFloat,
                DuramenBytesMessage::readDouble,
                DuramenBytesMessage::readUTF);
    }

    @ParameterizedTest
    @MethodSource("readsOfMoreThanOneByte")
    void shouldStayWhereItIsWhenBytesDoNotSuffice(Read read) throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeByte((byte) 7);
        message.reset();
        assertThatThrownBy(() -> read.from(message)).isInstanceOf(MessageEOFException.class);
        assertThat(message.readByte()).isEqualTo((byte) 7);
    }

    @Test
    void shouldRefuseBytesThatAreNoText() throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeShort((short) 2);
        message.writeBytes(new byte[] {(byte) 0xC3, 'x'});
        message.reset();
        assertThatThrownBy(message::readUTF).isInstanceOf(MessageFormatException.class);
        assertThat(message.readShort()).isEqualTo((short) 2);
        assertThatThrownBy(() -> new DuramenBytesMessage().writeUTF("x".repeat(65_536)))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> new DuramenBytesMessage().writeObject(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void shouldCarryBigBodyAndEmptyBody() throws JMSException {
        byte[] big = new byte[5_000_000];
        Arrays.fill(big, (byte) 3);
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeBytes(big);
        assertThat(Records.received(message).getBody(byte[].class)).isEqualTo(big);

        DuramenBytesMessage empty = Records.received(new DuramenBytesMessage());
        assertThat(empty.getBodyLength()).isZero();
        assertThat(empty.readBytes(new byte[1])).isEqualTo(-1);
        assertThat(empty.getBody(String.class)).isNull();
        assertThat(empty.isBodyAssignableTo(String.class)).isTrue();
    }

    @Test
    void shouldNotMoveWhenBodyIsTakenWhole() throws JMSException {
        DuramenBytesMessage message = new DuramenBytesMessage();
        message.writeBytes(new byte[] {1, 2});
        DuramenBytesMessage received = Records.received(message);
        assertThat(received.readByte()).isEqualTo((byte) 1);
        assertThat(received.getBody(byte[].class)).containsExactly(1, 2);
        assertThat(received.getBody(Object.class)).isEqualTo(new byte[] {1, 2});
        assertThatThrownBy(() -> received.getBody(String.class)).isInstanceOf(MessageFormatException.class);
        assertThat(received.isBodyAssignableTo(String.class)).isFalse();
        assertThat(received.readByte()).isEqualTo((byte) 2);
    }
}
