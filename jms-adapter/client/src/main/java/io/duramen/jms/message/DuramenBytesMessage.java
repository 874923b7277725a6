package io.duramen.jms.message;

/** Being written. */
@SuppressWarnings({"rawtypes", "unchecked"})
public class DuramenBytesMessage extends DuramenMessage implements jakarta.jms.BytesMessage {
    public DuramenBytesMessage() {}

    @Override
    public long getBodyLength() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean readBoolean() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte readByte() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int readUnsignedByte() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public short readShort() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int readUnsignedShort() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public char readChar() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int readInt() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public long readLong() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public float readFloat() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public double readDouble() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.lang.String readUTF() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int readBytes(byte[] a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int readBytes(byte[] a0, int a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeBoolean(boolean a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeByte(byte a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeShort(short a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeChar(char a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeInt(int a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeLong(long a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeFloat(float a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeDouble(double a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeUTF(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeBytes(byte[] a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeBytes(byte[] a0, int a1, int a2) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeObject(java.lang.Object a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reset() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }
}
