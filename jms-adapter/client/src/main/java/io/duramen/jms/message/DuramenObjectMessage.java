package io.duramen.jms.message;

import io.duramen.protocol.record.BodyType;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;

/**
 * One thread at a time. A serialized object: written when it is set, so that later changes do not reach the message,
 * and read anew each time it is asked for. What was received is read only as far as {@link AllowedClasses} lets it.
 */
public final class DuramenObjectMessage extends DuramenMessage implements ObjectMessage {
    private static final byte[] NULL = {};

    private final AllowedClasses allowed;
    private byte[] body = NULL;

    /** A message to be sent, whose object is null. */
    public DuramenObjectMessage() {
        this(AllowedClasses.NONE);
    }

    private DuramenObjectMessage(AllowedClasses allowed) {
        this.allowed = allowed;
    }

    static DuramenObjectMessage toReceive(AllowedClasses allowed) {
        return new DuramenObjectMessage(allowed);
    }

    /** @throws MessageFormatException where the object, or one that it holds, cannot be serialized */
    @Override
    public void setObject(Serializable object) throws JMSException {
        checkBodyWriteable();
        body = object == null ? NULL : serialized(object);
    }

    private static byte[] serialized(Serializable object) throws MessageFormatException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException | RuntimeException e) {
            MessageFormatException unwritable = new MessageFormatException(
                    "a " + object.getClass().getName() + " cannot be serialized: " + e.getMessage());
            unwritable.setLinkedException(e);
            unwritable.initCause(e);
            throw unwritable;
        }
        return bytes.toByteArray();
    }

    /**
     * {@inheritDoc}
     *
     * @throws MessageFormatException where the message was received and holds a class that is not allowed, or where the
     *     object cannot be read
     */
    @Override
    public Serializable getObject() throws JMSException {
        if (!isBodyInRecord()) {
            return body == NULL ? null : ObjectReader.read(body, AllowedClasses.ALL);
        }
        byte[] received = received();
        return received.length == 0 ? null : ObjectReader.read(received, allowed);
    }

    private byte[] received() throws JMSException {
        ByteBuffer body = recordBody();
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return bytes;
    }

    @Override
    BodyType bodyType() {
        return BodyType.OBJECT;
    }

    @Override
    void putOwnBody(BatchBuffer out) throws JMSException {
        out.ensure(body.length).put(body);
    }

    @Override
    BodyContent longOwnBody(int lengthMax) {
        return body.length > lengthMax ? new BytesContent(ByteBuffer.wrap(body)) : null;
    }

    @Override
    void clearOwnBody() {
        body = NULL;
    }

    @Override
    Object bodyValue() throws JMSException {
        return getObject();
    }

    /** {@inheritDoc} The type must be {@link Serializable}, or one that the object is of. */
    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        Serializable object = getObject();
        if (object == null || type.isInstance(object)) {
            return type.cast(object);
        }
        throw new MessageFormatException("the body is a " + object.getClass().getName() + ", not a " + type.getName());
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        Serializable object = getObject();
        return object == null || type.isInstance(object);
    }
}
