package io.duramen.jms.message;

/** Being written. */
@SuppressWarnings({"rawtypes", "unchecked"})
public class DuramenMapMessage extends DuramenMessage implements jakarta.jms.MapMessage {
    public DuramenMapMessage() {}

    @Override
    public boolean getBoolean(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte getByte(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public short getShort(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public char getChar(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getInt(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getLong(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public float getFloat(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public double getDouble(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.lang.String getString(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] getBytes(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.lang.Object getObject(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.util.Enumeration getMapNames() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setBoolean(java.lang.String a0, boolean a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setByte(java.lang.String a0, byte a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setShort(java.lang.String a0, short a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setChar(java.lang.String a0, char a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setInt(java.lang.String a0, int a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLong(java.lang.String a0, long a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setFloat(java.lang.String a0, float a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setDouble(java.lang.String a0, double a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setString(java.lang.String a0, java.lang.String a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setBytes(java.lang.String a0, byte[] a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setBytes(java.lang.String a0, byte[] a1, int a2, int a3) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setObject(java.lang.String a0, java.lang.Object a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean itemExists(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }
}
