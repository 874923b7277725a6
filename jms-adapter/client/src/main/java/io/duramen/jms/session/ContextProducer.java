package io.duramen.jms.session;

import io.duramen.jms.message.DuramenMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import java.io.Serializable;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** One thread at a time, as its session. A producer in the simplified API: what is set on it is set on each message. */
final class ContextProducer implements JMSProducer {
    private final DuramenContext context;
    /** Holds properties and headers that the application set; converts them as messages do. */
    private final DuramenMessage template = new DuramenMessage();

    private final SendSettings settings = new SendSettings();
    private CompletionListener listener;

    ContextProducer(DuramenContext context) {
        this.context = context;
    }

    // ---- sending ---------------------------------------------------------------------------------------------------

    @Override
    public JMSProducer send(Destination destination, Message message) {
        if (message == null) {
            throw new MessageFormatRuntimeException("the message is null");
        }
        DuramenContext.run(() -> {
            apply(message);
            DuramenProducer producer = context.producer();
            producer.setDisableMessageID(settings.withoutId());
            producer.setDisableMessageTimestamp(settings.withoutTimestamp());
            producer.setDeliveryDelay(settings.deliveryDelayMillis());
            int mode = settings.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
            if (listener == null) {
                producer.send(destination, message, mode, settings.priority(), settings.timeToLiveMillis());
            } else {
                producer.send(destination, message, mode, settings.priority(), settings.timeToLiveMillis(), listener);
            }
        });
        return this;
    }

    private void apply(Message message) throws JMSException {
        for (String name : propertyNames()) {
            message.setObjectProperty(name, template.getObjectProperty(name));
        }
        if (template.getJMSType() != null) {
            message.setJMSType(template.getJMSType());
        }
        if (template.getJMSReplyTo() != null) {
            message.setJMSReplyTo(template.getJMSReplyTo());
        }
        if (template.getJMSCorrelationID() != null) {
            message.setJMSCorrelationID(template.getJMSCorrelationID());
        }
    }

    @Override
    public JMSProducer send(Destination destination, String body) {
        return send(destination, context.createTextMessage(body));
    }

    @Override
    public JMSProducer send(Destination destination, Map<String, Object> body) {
        MapMessage message = context.createMapMessage();
        if (body != null) {
            body.forEach((name, value) -> DuramenContext.run(() -> message.setObject(name, value)));
        }
        return send(destination, message);
    }

    @Override
    public JMSProducer send(Destination destination, byte[] body) {
        BytesMessage message = context.createBytesMessage();
        if (body != null) {
            DuramenContext.run(() -> message.writeBytes(body));
        }
        return send(destination, message);
    }

    @Override
    public JMSProducer send(Destination destination, Serializable body) {
        return send(destination, context.createObjectMessage(body));
    }

    // ---- settings --------------------------------------------------------------------------------------------------

    private JMSProducer with(DuramenContext.Action action) {
        DuramenContext.run(action);
        return this;
    }

    @Override
    public JMSProducer setDisableMessageID(boolean value) {
        return with(() -> settings.withoutId(value));
    }

    @Override
    public boolean getDisableMessageID() {
        return settings.withoutId();
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean value) {
        return with(() -> settings.withoutTimestamp(value));
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return settings.withoutTimestamp();
    }

    @Override
    public JMSProducer setDeliveryMode(int value) {
        return with(() -> settings.deliveryMode(value));
    }

    @Override
    public int getDeliveryMode() {
        return settings.deliveryMode();
    }

    @Override
    public JMSProducer setPriority(int value) {
        return with(() -> settings.priority(value));
    }

    @Override
    public int getPriority() {
        return settings.priority();
    }

    @Override
    public JMSProducer setTimeToLive(long value) {
        return with(() -> settings.timeToLiveMillis(value));
    }

    @Override
    public long getTimeToLive() {
        return settings.timeToLiveMillis();
    }

    @Override
    public JMSProducer setDeliveryDelay(long value) {
        return with(() -> settings.deliveryDelayMillis(value));
    }

    @Override
    public long getDeliveryDelay() {
        return settings.deliveryDelayMillis();
    }

    @Override
    public JMSProducer setAsync(CompletionListener completionListener) {
        listener = completionListener;
        return this;
    }

    @Override
    public CompletionListener getAsync() {
        return listener;
    }

    // ---- headers ---------------------------------------------------------------------------------------------------

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte[] value) {
        return with(() -> template.setJMSCorrelationIDAsBytes(value));
    }

    @Override
    public byte[] getJMSCorrelationIDAsBytes() {
        return DuramenContext.ask(template::getJMSCorrelationIDAsBytes);
    }

    @Override
    public JMSProducer setJMSCorrelationID(String value) {
        return with(() -> template.setJMSCorrelationID(value));
    }

    @Override
    public String getJMSCorrelationID() {
        return DuramenContext.ask(template::getJMSCorrelationID);
    }

    @Override
    public JMSProducer setJMSType(String value) {
        return with(() -> template.setJMSType(value));
    }

    @Override
    public String getJMSType() {
        return DuramenContext.ask(template::getJMSType);
    }

    @Override
    public JMSProducer setJMSReplyTo(Destination value) {
        return with(() -> template.setJMSReplyTo(value));
    }

    @Override
    public Destination getJMSReplyTo() {
        return DuramenContext.ask(template::getJMSReplyTo);
    }

    // ---- properties ------------------------------------------------------------------------------------------------

    private Set<String> propertyNames() throws JMSException {
        Set<String> names = new LinkedHashSet<>();
        Enumeration<?> each = template.getPropertyNames();
        while (each.hasMoreElements()) {
            names.add((String) each.nextElement());
        }
        return names;
    }

    @Override
    public Set<String> getPropertyNames() {
        return Collections.unmodifiableSet(DuramenContext.ask(this::propertyNames));
    }

    @Override
    public boolean propertyExists(String name) {
        return DuramenContext.ask(() -> template.propertyExists(name));
    }

    @Override
    public JMSProducer clearProperties() {
        return with(template::clearProperties);
    }

    @Override
    public JMSProducer setProperty(String name, boolean value) {
        return with(() -> template.setBooleanProperty(name, value));
    }

    @Override
    public boolean getBooleanProperty(String name) {
        return DuramenContext.ask(() -> template.getBooleanProperty(name));
    }

    @Override
    public JMSProducer setProperty(String name, byte value) {
        return with(() -> template.setByteProperty(name, value));
    }

    @Override
    public byte getByteProperty(String name) {
        return DuramenContext.ask(() -> template.getByteProperty(name));
    }

    @Override
    public JMSProducer setProperty(String name, short value) {
        return with(() -> template.setShortProperty(name, value));
    }

    @Override
    public short getShortProperty(String name) {
        return DuramenContext.ask(() -> template.getShortProperty(name));
    }

    @Override
    public JMSProducer setProperty(String name, int value) {
        return with(() -> template.setIntProperty(name, value));
    }

    @Override
    public int getIntProperty(String name) {
        return DuramenContext.ask(() -> template.getIntProperty(name));
    }

    @Override
    public JMSProducer setProperty(String name, long value) {
        return with(() -> template.setLongProperty(name, value));
    }

    @Override
    public long getLongProperty(String name) {
        return DuramenContext.ask(() -> template.getLongProperty(name));
    }

    @Override
    public JMSProducer setProperty(String name, float value) {
        return with(() -> template.setFloatProperty(name, value));
    }

    @Override
    public float getFloatProperty(String name) {
        return DuramenContext.ask(() -> template.getFloatProperty(name));
    }

    @Override
    public JMSProducer setProperty(String name, double value) {
        return with(() -> template.setDoubleProperty(name, value));
    }

    @Override
    public double getDoubleProperty(String name) {
        return DuramenContext.ask(() -> template.getDoubleProperty(name));
    }

    @Override
    public JMSProducer setProperty(String name, String value) {
        return with(() -> template.setStringProperty(name, value));
    }

    @Override
    public String getStringProperty(String name) {
        return DuramenContext.ask(() -> template.getStringProperty(name));
    }

    @Override
    public JMSProducer setProperty(String name, Object value) {
        return with(() -> template.setObjectProperty(name, value));
    }

    @Override
    public Object getObjectProperty(String name) {
        return DuramenContext.ask(() -> template.getObjectProperty(name));
    }
}
