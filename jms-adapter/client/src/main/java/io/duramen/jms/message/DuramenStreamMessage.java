package io.duramen.jms.message;

import io.duramen.protocol.record.BodyType;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * One thread at a time. Typed values, one after the other: first written, then, from {@link #reset} on or once
 * received, read. A read that fails leaves the value to be read again.
 */
public final class DuramenStreamMessage extends DuramenMessage implements StreamedValuesMessage {
    private static final int NOT_IN_BYTES = -1;

    /** Null where the body is received and was not read yet. */
    private List<Object> values;
    /** Null where the body did not come in parts, or reading has not begun. */
    private StreamedValues streamed;
    /** The values in place of those that were written; null for none. */
    private Iterator<?> given;

    private boolean givenTaken;

    private boolean reading;
    private int next;
    /** Bytes of the value at {@code next} that readBytes has given out; -1 where it is not at one. */
    private int bytesRead = NOT_IN_BYTES;

    /** A message to be sent, without values. */
    public DuramenStreamMessage() {
        this(new ArrayList<>());
    }

    private DuramenStreamMessage(List<Object> values) {
        this.values = values;
    }

    static DuramenStreamMessage toReceive() {
        DuramenStreamMessage message = new DuramenStreamMessage(null);
        message.reading = true;
        return message;
    }

    @Override
    BodyContent longOwnBody(int lengthMax) throws JMSException {
        if (given != null) {
            if (givenTaken) {
                throw new JMSException("the values of the message were taken by an earlier send");
            }
            givenTaken = true;
            return new ValuesContent(given);
        }
        return ValueCodec.isLongerThan(lengthMax, values) ? BytesContent.ifLonger(this, lengthMax) : null;
    }

    @Override
    boolean isReadInParts() {
        return true;
    }

    @Override
    BodyType bodyType() {
        return BodyType.STREAM;
    }

    @Override
    void putOwnBody(BatchBuffer out) throws JMSException {
        ValueCodec.putList(values, out);
    }

    @Override
    void clearOwnBody() {
        values = new ArrayList<>();
        reading = false;
        given = null;
        givenTaken = false;
        rewind();
    }

    private void rewind() {
        next = 0;
        streamed = null;
        bytesRead = NOT_IN_BYTES;
    }

    @Override
    public void reset() throws JMSException {
        if (given != null) {
            throw new JMSException("a message whose values are given can only be sent");
        }
        reading = true;
        rewind();
    }

    /** @throws MessageFormatException always: a stream is no single object */
    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        throw new MessageFormatException("the body of a stream message is not one object");
    }

    @Override
    @SuppressWarnings("rawtypes")
    public boolean isBodyAssignableTo(Class type) {
        return false;
    }

    /** Reads one value as a type; on any exception the value remains. */
    @FunctionalInterface
    private interface Conversion<T> {
        T convert(Object value) throws MessageFormatException;
    }

    private <T> T next(Conversion<T> conversion) throws JMSException {
        begin();
        if (bytesRead != NOT_IN_BYTES || streamed != null && streamed.isPartlyRead()) {
            throw new MessageFormatException("a byte array is only partly read: readBytes must come to its end first");
        }
        T converted = conversion.convert(streamed != null ? streamed.value() : values.get(next));
        taken();
        return converted;
    }

    private void taken() {
        next++;
        if (streamed != null) {
            streamed.taken();
        }
    }

    /** Sees to it that there is a value to read. */
    private void begin() throws JMSException {
        if (!reading) {
            throw new MessageNotReadableException("a stream message is write-only until reset");
        }
        if (streamed == null && bodyParts() != null) {
            streamed = new StreamedValues(bodyParts());
        } else if (values == null && streamed == null) {
            values = ReceivedBody.decode(recordBody(), ValueCodec::readList);
        }
        if (streamed != null ? !streamed.begin() : next == values.size()) {
            throw new MessageEOFException("all " + next + " values are read");
        }
    }

    private void write(Object value) throws JMSException {
        if (reading) {
            throw new MessageNotWriteableException("a stream message is read-only until clearBody");
        }
        if (given != null) {
            throw new MessageNotWriteableException("the values are given; clearBody drops them");
        }
        values.add(value);
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return next(Conversions::toBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return next(Conversions::toByte);
    }

    @Override
    public short readShort() throws JMSException {
        return next(Conversions::toShort);
    }

    @Override
    public char readChar() throws JMSException {
        return next(Conversions::toChar);
    }

    @Override
    public int readInt() throws JMSException {
        return next(Conversions::toInt);
    }

    @Override
    public long readLong() throws JMSException {
        return next(Conversions::toLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return next(Conversions::toFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return next(Conversions::toDouble);
    }

    @Override
    public String readString() throws JMSException {
        return next(Conversions::toString);
    }

    @Override
    public Object readObject() throws JMSException {
        return next(Conversions::copyOf);
    }

    /**
     * {@inheritDoc} One that fills the array may have more: the next call says so, with -1 where it has not. A null
     * value reads as -1.
     */
    @Override
    public int readBytes(byte[] into) throws JMSException {
        begin();
        if (streamed != null && streamed.isArray()) {
            return streamed.readBytes(into);
        }
        Object value = streamed != null ? streamed.value() : values.get(next);
        if (value == null) {
            taken();
            return -1;
        }
        if (!(value instanceof byte[] bytes)) {
            throw new MessageFormatException("a " + value.getClass().getSimpleName() + " cannot be read as byte[]");
        }
        int from = Math.max(bytesRead, 0);
        int length = Math.min(into.length, bytes.length - from);
        System.arraycopy(bytes, from, into, 0, length);
        boolean atEnd = bytesRead != NOT_IN_BYTES && length == 0 && from == bytes.length;
        bytesRead = from + length;
        if (atEnd || length < into.length) {
            taken();
            bytesRead = NOT_IN_BYTES;
        }
        return atEnd ? -1 : length;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(value);
    }

    @Override
    public void writeString(String value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        write(Conversions.copyOf(value));
    }

    /** @throws IndexOutOfBoundsException where the range is not in the array */
    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        write(Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public void setValues(Iterator<?> body) throws JMSException {
        Objects.requireNonNull(body, "no values");
        if (reading) {
            throw new MessageNotWriteableException("a stream message is read-only until clearBody");
        }
        values = new ArrayList<>();
        given = body;
        givenTaken = false;
    }

    /** @throws MessageFormatException where the value is no primitive's object, String, byte[] or null */
    @Override
    public void writeObject(Object value) throws JMSException {
        Conversions.checkEntry(value);
        write(Conversions.copyOf(value));
    }
}
