package io.duramen.ra.outbound;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread-safe. A handle's session or context: every call goes to the pooled connection that the handle has at the moment.
 * What is made of it ends with it, though the session behind goes on in the pool.
 */
abstract class SharedUse implements InvocationHandler {
    private static final Logger LOG = LoggerFactory.getLogger(SharedUse.class);

    private final ConnectionHandle connection;
    /** Consumers, producers and browsers. */
    private final Set<AutoCloseable> children;

    private volatile boolean closed;

    /** @param children thread-safe, for what is made of it */
    SharedUse(ConnectionHandle connection, Set<AutoCloseable> children) {
        this.connection = connection;
        this.children = children;
        connection.opened(this);
    }

    /** The object that does it, of the connection that the handle has now. */
    abstract Object target(DuramenManagedConnection managed);

    /** What the method is called there; throws where the application may not call it. */
    abstract Method method(Method called) throws Exception;

    abstract Exception isClosed();

    /** What the API says in place of a checked exception. */
    abstract Exception told(JMSException e);

    /** The application has closed it. */
    abstract void onClosed() throws JMSException;

    @Override
    public final Object invoke(Object proxy, Method called, Object[] arguments) throws Throwable {
        if (called.getDeclaringClass() == Object.class) {
            return ofObject(proxy, called, arguments);
        }
        if (called.getName().equals("close")) {
            close();
            return null;
        }
        if (closed) {
            throw isClosed();
        }
        Method method = method(called);
        try {
            DuramenManagedConnection managed = connection.managed();
            return switch (called.getName()) {
                case "getTransacted" -> managed.isInTransaction();
                case "getAcknowledgeMode", "getSessionMode" -> managed.sessionMode();
                default -> made(method.invoke(target(managed), arguments));
            };
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } catch (JMSException e) {
            throw told(e);
        }
    }

    private Object ofObject(Object proxy, Method called, Object[] arguments) {
        return switch (called.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> getClass().getSimpleName() + "[" + connection + "]";
        };
    }

    private Object made(Object result) {
        if (result instanceof TemporaryQueue || result instanceof TemporaryTopic) {
            connection.made((Destination) result);
        } else if (result instanceof AutoCloseable child) {
            children.add(child);
        }
        return result;
    }

    private void close() throws Exception {
        if (closed) {
            return;
        }
        closed = true;
        closeChildren();
        connection.closed(this);
        try {
            onClosed();
        } catch (JMSException e) {
            throw told(e);
        }
    }

    final ConnectionHandle connection() {
        return connection;
    }

    void closeChildren() {
        for (AutoCloseable child : List.copyOf(children)) {
            try {
                child.close();
            } catch (Exception e) {
                LOG.debug("{} ends with its connection", child, e);
            }
        }
        children.clear();
    }
}
