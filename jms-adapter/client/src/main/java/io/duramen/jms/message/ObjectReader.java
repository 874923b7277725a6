package io.duramen.jms.message;

import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;

/** One thread, once. Opens the serialized body of an object message, as far as the filter lets it. */
final class ObjectReader extends ObjectInputStream implements ObjectInputFilter {
    private static final int DEPTH_MAX = 256;
    private static final int ARRAY_LENGTH_MIN = 1024;

    private final AllowedClasses allowed;
    private final long arrayLengthMax;
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private String refused;

    private ObjectReader(byte[] body, AllowedClasses allowed) throws IOException {
        super(new ByteArrayInputStream(body));
        this.allowed = allowed;
        this.arrayLengthMax = Math.max(ARRAY_LENGTH_MIN, body.length * 4L);
        setObjectInputFilter(this);
    }

    /** @throws MessageFormatException naming the class that is not allowed, or what is wrong with the bytes */
    static Serializable read(byte[] body, AllowedClasses allowed) throws MessageFormatException {
        try (ObjectReader reader = new ObjectReader(body, allowed)) {
            try {
                return (Serializable) reader.readObject();
            } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
                throw unreadable(reader.refused != null ? reader.refused : e.toString(), e);
            }
        } catch (IOException e) {
            throw unreadable(e.toString(), e);
        }
    }

    private static MessageFormatException unreadable(String reason, Throwable cause) {
        MessageFormatException unreadable = new MessageFormatException("the object cannot be read: " + reason);
        if (cause instanceof Exception linked) {
            unreadable.setLinkedException(linked);
        }
        unreadable.initCause(cause);
        return unreadable;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        Class<?> type = info.serialClass();
        if (type != null && !allowed.allows(type)) {
            return refuse("class " + type.getName() + " is not among allowedClasses (" + allowed + ")");
        }
        if (info.arrayLength() > arrayLengthMax) {
            return refuse("an array of " + info.arrayLength() + " elements, more than its message can hold");
        }
        if (info.depth() > DEPTH_MAX) {
            return refuse("objects nested deeper than " + DEPTH_MAX);
        }
        return Status.ALLOWED;
    }

    private Status refuse(String why) {
        refused = why;
        return Status.REJECTED;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        if (loader != null) {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(
                        description); // primitives, and where the application set no loader of its own
            }
        }
        return super.resolveClass(description);
    }

    /** A proxy runs code that its interfaces do not tell of: never allowed by a pattern for them. */
    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
        refused = "a dynamic proxy (" + Proxy.class.getName() + ") is never taken from a message";
        throw new IOException(refused);
    }
}
