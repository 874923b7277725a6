package io.duramen.jms.message;

/** Being written. */
@SuppressWarnings({"rawtypes", "unchecked"})
public class DuramenMessage implements jakarta.jms.Message {
    public DuramenMessage() {}

    public final void onAcknowledge(AcknowledgeHook hook) {}

    @Override
    public java.lang.String getJMSMessageID() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSMessageID(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getJMSTimestamp() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSTimestamp(long a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] getJMSCorrelationIDAsBytes() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSCorrelationIDAsBytes(byte[] a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSCorrelationID(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.lang.String getJMSCorrelationID() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public jakarta.jms.Destination getJMSReplyTo() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSReplyTo(jakarta.jms.Destination a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public jakarta.jms.Destination getJMSDestination() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSDestination(jakarta.jms.Destination a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getJMSDeliveryMode() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSDeliveryMode(int a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getJMSRedelivered() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSRedelivered(boolean a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.lang.String getJMSType() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSType(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getJMSExpiration() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSExpiration(long a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getJMSDeliveryTime() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSDeliveryTime(long a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getJMSPriority() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSPriority(int a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void clearProperties() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean propertyExists(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getBooleanProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte getByteProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public short getShortProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getIntProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getLongProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public float getFloatProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public double getDoubleProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.lang.String getStringProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.lang.Object getObjectProperty(java.lang.String a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.util.Enumeration getPropertyNames() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setBooleanProperty(java.lang.String a0, boolean a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setByteProperty(java.lang.String a0, byte a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setShortProperty(java.lang.String a0, short a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setIntProperty(java.lang.String a0, int a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLongProperty(java.lang.String a0, long a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setFloatProperty(java.lang.String a0, float a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setDoubleProperty(java.lang.String a0, double a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setStringProperty(java.lang.String a0, java.lang.String a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setObjectProperty(java.lang.String a0, java.lang.Object a1) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void acknowledge() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void clearBody() throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T getBody(java.lang.Class<T> a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isBodyAssignableTo(java.lang.Class a0) throws jakarta.jms.JMSException {
        throw new UnsupportedOperationException();
    }
}
