package io.duramen.jms.message;

import io.duramen.protocol.record.BodyType;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * One thread at a time. Bytes, first written, then, from {@link #reset} on or once received, read: straight from the
 * record. Big-endian; strings in the modified UTF-8 of {@link java.io.DataOutput}. A read that fails does not move.
 */
public final class DuramenBytesMessage extends DuramenMessage implements StreamedBytesMessage {
    private static final int SMALLEST_CAPACITY = 64;
    private static final int COPIED_AT_ONCE = 64 * 1024;
    private static final int WRITTEN_AT_ONCE = 4 * 1024;

    /** Position at the end of what is written; null while reading. */
    private ByteBuffer out;
    /** Null while writing, or where reading has not begun. */
    private BodyReading in;
    /** What was written, once it is read; null where it was received. */
    private ByteBuffer written;
    /** The body in place of what is written; null for none. */
    private InputStream stream;

    private boolean streamRead;

    /** A message to be sent, without bytes. */
    public DuramenBytesMessage() {
        this(ByteBuffer.allocate(0));
    }

    private DuramenBytesMessage(ByteBuffer out) {
        this.out = out;
    }

    static DuramenBytesMessage toReceive() {
        return new DuramenBytesMessage(null);
    }

    @Override
    BodyType bodyType() {
        return BodyType.BYTES;
    }

    @Override
    void putOwnBody(BatchBuffer to) throws JMSException {
        ByteBuffer own = own();
        to.ensure(own.remaining()).put(own);
    }

    /** A view of all that was written. */
    private ByteBuffer own() {
        return out != null ? out.duplicate().flip() : written.duplicate();
    }

    @Override
    BodyContent longOwnBody(int lengthMax) throws JMSException {
        if (stream != null) {
            if (streamRead) {
                throw new JMSException("the input stream of the message was read by an earlier send");
            }
            streamRead = true;
            return new StreamContent(stream);
        }
        int length = out != null ? out.position() : written.remaining();
        return length > lengthMax ? new BytesContent(own()) : null;
    }

    @Override
    boolean isReadInParts() {
        return true;
    }

    @Override
    void clearOwnBody() {
        out = ByteBuffer.allocate(0);
        in = null;
        written = null;
        stream = null;
        streamRead = false;
    }

    @Override
    Object bodyValue() throws JMSException {
        ByteBuffer whole = isBodyInRecord() ? recordBody() : own();
        if (!whole.hasRemaining()) {
            return null;
        }
        byte[] copy = new byte[whole.remaining()];
        whole.get(copy);
        return copy;
    }

    @Override
    Class<?> bodyClass() {
        return byte[].class;
    }

    @Override
    public void reset() throws JMSException {
        if (stream != null) {
            throw new JMSException("a message whose body is an input stream can only be sent");
        }
        if (out != null) {
            written = own();
            out = null;
        }
        in = null;
    }

    private BodyReading in() throws JMSException {
        if (out != null) {
            throw new MessageNotReadableException("a bytes message is write-only until reset");
        }
        if (in == null) {
            BodyParts parts = bodyParts();
            in = parts != null
                    ? new BodyReading(parts)
                    : new BodyReading(isBodyInRecord() ? recordBody() : written.duplicate());
        }
        return in;
    }

    private ByteBuffer in(int bytes) throws JMSException {
        return in().atLeast(bytes);
    }

    private ByteBuffer room(int length) throws JMSException {
        if (out == null) {
            throw new MessageNotWriteableException("a bytes message is read-only until clearBody");
        }
        if (stream != null) {
            throw new MessageNotWriteableException("the body is an input stream; clearBody drops it");
        }
        return out.remaining() >= length ? out : grow(length);
    }

    private ByteBuffer grow(int length) throws MessageTooLongException {
        long needed = (long) out.position() + length;
        if (needed > BatchBuffer.MAX_CAPACITY) {
            throw new MessageTooLongException("a bytes message holds at most " + BatchBuffer.MAX_CAPACITY + " bytes");
        }
        long capacity = Math.max(Math.max(needed, SMALLEST_CAPACITY), out.capacity() * 2L);
        ByteBuffer larger = ByteBuffer.allocate((int) Math.min(capacity, BatchBuffer.MAX_CAPACITY));
        out = larger.put(out.flip());
        return out;
    }

    private MessageEOFException ended() {
        return new MessageEOFException("the body ends after " + in.length() + " bytes");
    }

    /** @throws MessageNotReadableException while the message is written */
    @Override
    public long getBodyLength() throws JMSException {
        return in().length();
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return readByte() != 0;
    }

    @Override
    public byte readByte() throws JMSException {
        ByteBuffer from = in(1);
        try {
            return from.get();
        } catch (BufferUnderflowException e) {
            throw ended();
        }
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return readByte() & 0xFF;
    }

    @Override
    public short readShort() throws JMSException {
        ByteBuffer from = in(2);
        try {
            return from.getShort();
        } catch (BufferUnderflowException e) {
            throw ended();
        }
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return readShort() & 0xFFFF;
    }

    @Override
    public char readChar() throws JMSException {
        return (char) readShort();
    }

    @Override
    public int readInt() throws JMSException {
        ByteBuffer from = in(4);
        try {
            return from.getInt();
        } catch (BufferUnderflowException e) {
            throw ended();
        }
    }

    @Override
    public long readLong() throws JMSException {
        ByteBuffer from = in(8);
        try {
            return from.getLong();
        } catch (BufferUnderflowException e) {
            throw ended();
        }
    }

    @Override
    public float readFloat() throws JMSException {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() throws JMSException {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    public String readUTF() throws JMSException {
        ByteBuffer from = in(2);
        if (from.remaining() >= 2) {
            from = in(2 + (from.getShort(from.position()) & 0xFFFF));
        }
        int start = from.position();
        try {
            return ModifiedUtf8.read(from);
        } catch (BufferUnderflowException e) {
            from.position(start);
            throw ended();
        } catch (MessageFormatException e) {
            from.position(start);
            throw e;
        }
    }

    @Override
    public int readBytes(byte[] value) throws JMSException {
        return readBytes(value, value.length);
    }

    /** @throws IndexOutOfBoundsException where the length is negative or beyond the array's */
    @Override
    public int readBytes(byte[] value, int length) throws JMSException {
        Objects.checkFromIndexSize(0, length, value.length);
        int read = in().readFully(value, 0, length);
        return read == 0 && (length > 0 || !in(1).hasRemaining()) ? -1 : read;
    }

    /** Reads what is there of the next bytes; -1 at the end. */
    int readSome(byte[] into, int from, int length) throws JMSException {
        return in().read(into, from, length);
    }

    @Override
    public void setInputStream(InputStream body) throws JMSException {
        Objects.requireNonNull(body, "no input stream");
        if (out == null) {
            throw new MessageNotWriteableException("a bytes message is read-only until clearBody");
        }
        out = ByteBuffer.allocate(0);
        stream = body;
        streamRead = false;
    }

    @Override
    public InputStream getInputStream() throws JMSException {
        in();
        return new BodyInput(this);
    }

    @Override
    public long saveTo(OutputStream to) throws JMSException, IOException {
        byte[] some = new byte[COPIED_AT_ONCE];
        long saved = 0;
        for (int read = readSome(some, 0, some.length); read > 0; read = readSome(some, 0, some.length)) {
            to.write(some, 0, read);
            saved += read;
        }
        return saved;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        room(1).put((byte) (value ? 1 : 0));
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        room(1).put(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        room(2).putShort(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        room(2).putChar(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        room(4).putInt(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        room(8).putLong(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        room(4).putFloat(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        room(8).putDouble(value);
    }

    /** @throws MessageFormatException where the text takes more than 65,535 bytes */
    @Override
    public void writeUTF(String value) throws JMSException {
        int length = ModifiedUtf8.length(value);
        ModifiedUtf8.write(value, length, room(2 + length));
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        writeBytes(value, 0, value.length);
    }

    /** @throws IndexOutOfBoundsException where the range is not in the array */
    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        if (length >= WRITTEN_AT_ONCE && room(0).capacity() == 0) {
            // All of the body, most likely: a copy is made without filling it with zeros first.
            out = ByteBuffer.wrap(Arrays.copyOfRange(value, offset, offset + length))
                    .position(length);
        } else {
            room(length).put(value, offset, length);
        }
    }

    /**
     * @throws NullPointerException for null
     * @throws MessageFormatException where the value is no primitive's object, String or byte[]
     */
    @Override
    public void writeObject(Object value) throws JMSException {
        Objects.requireNonNull(value, "a null has no bytes");
        if (value instanceof byte[] bytes) {
            writeBytes(bytes);
        } else if (value instanceof String text) {
            writeUTF(text);
        } else if (value instanceof Boolean b) {
            writeBoolean(b);
        } else if (value instanceof Character c) {
            writeChar(c);
        } else if (value instanceof Byte b) {
            writeByte(b);
        } else if (value instanceof Short s) {
            writeShort(s);
        } else if (value instanceof Integer i) {
            writeInt(i);
        } else if (value instanceof Long l) {
            writeLong(l);
        } else if (value instanceof Float f) {
            writeFloat(f);
        } else if (value instanceof Double d) {
            writeDouble(d);
        } else {
            throw new MessageFormatException(
                    "a bytes message cannot hold a " + value.getClass().getName());
        }
    }
}
