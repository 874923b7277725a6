package io.duramen.jms.message;

import io.duramen.protocol.record.BodyType;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** One thread at a time. The entries of a received message are decoded when the first is asked for. */
public final class DuramenMapMessage extends DuramenMessage implements MapMessage {
    /** Null where the body is received and was not read yet. */
    private Map<String, Object> entries;

    /** A message to be sent, without entries. */
    public DuramenMapMessage() {
        this(new LinkedHashMap<>());
    }

    private DuramenMapMessage(Map<String, Object> entries) {
        this.entries = entries;
    }

    static DuramenMapMessage toReceive() {
        return new DuramenMapMessage(null);
    }

    private Map<String, Object> entries() throws JMSException {
        if (entries == null) {
            entries = ReceivedBody.decode(recordBody(), ValueCodec::readMap);
        }
        return entries;
    }

    private Object get(String name) throws JMSException {
        return entries().get(name);
    }

    private void set(String name, Object value) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("an entry of a map message needs a name");
        }
        checkBodyWriteable();
        entries.put(name, value);
    }

    @Override
    BodyContent longOwnBody(int lengthMax) throws JMSException {
        boolean mayBe = ValueCodec.isLongerThan(lengthMax, entries.values());
        return mayBe ? BytesContent.ifLonger(this, lengthMax) : null;
    }

    @Override
    BodyType bodyType() {
        return BodyType.MAP;
    }

    @Override
    void putOwnBody(BatchBuffer out) throws JMSException {
        ValueCodec.putMap(entries, out);
    }

    @Override
    void clearOwnBody() {
        entries = new LinkedHashMap<>();
    }

    @Override
    Object bodyValue() throws JMSException {
        if (entries().isEmpty()) {
            return null;
        }
        Map<String, Object> copy = new LinkedHashMap<>(entries);
        copy.replaceAll((name, value) -> Conversions.copyOf(value));
        return copy;
    }

    @Override
    Class<?> bodyClass() {
        return Map.class;
    }

    @Override
    public Enumeration<String> getMapNames() throws JMSException {
        return Collections.enumeration(entries().keySet());
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return entries().containsKey(name);
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return Conversions.toBoolean(get(name));
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return Conversions.toByte(get(name));
    }

    @Override
    public short getShort(String name) throws JMSException {
        return Conversions.toShort(get(name));
    }

    @Override
    public char getChar(String name) throws JMSException {
        return Conversions.toChar(get(name));
    }

    @Override
    public int getInt(String name) throws JMSException {
        return Conversions.toInt(get(name));
    }

    @Override
    public long getLong(String name) throws JMSException {
        return Conversions.toLong(get(name));
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return Conversions.toFloat(get(name));
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return Conversions.toDouble(get(name));
    }

    @Override
    public String getString(String name) throws JMSException {
        return Conversions.toString(get(name));
    }

    @Override
    public byte[] getBytes(String name) throws JMSException {
        return Conversions.toBytes(get(name));
    }

    @Override
    public Object getObject(String name) throws JMSException {
        return Conversions.copyOf(get(name));
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setString(String name, String value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setBytes(String name, byte[] value) throws JMSException {
        set(name, Conversions.copyOf(value));
    }

    /** @throws IndexOutOfBoundsException where the range is not in the array */
    @Override
    public void setBytes(String name, byte[] value, int offset, int length) throws JMSException {
        Objects.checkFromIndexSize(offset, length, value.length);
        set(name, Arrays.copyOfRange(value, offset, offset + length));
    }

    /** @throws jakarta.jms.MessageFormatException where the value is no primitive's object, String, byte[] or null */
    @Override
    public void setObject(String name, Object value) throws JMSException {
        Conversions.checkEntry(value);
        set(name, Conversions.copyOf(value));
    }
}
