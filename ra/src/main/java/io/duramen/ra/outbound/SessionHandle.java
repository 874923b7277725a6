package io.duramen.ra.outbound;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** Thread-safe. A session of an application in a server, of any of the three kinds, over the pooled connection's one. */
final class SessionHandle extends SharedUse {
    /** Methods of the older kinds, and what they are called in Session. */
    private static final Map<String, String> NAMES = Map.of(
            "createReceiver", "createConsumer",
            "createSubscriber", "createConsumer",
            "createSender", "createProducer",
            "createPublisher", "createProducer");

    private final Set<String> refused;

    private SessionHandle(ConnectionHandle connection, Class<?> kind) {
        // Weak: the session behind knows its open consumers, and a long life of closed ones would add up here.
        super(connection, Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>())));
        this.refused = kind == QueueSession.class
                ? Refused.FOR_QUEUES
                : kind == TopicSession.class ? Refused.FOR_TOPICS : Set.of();
    }

    static <T> T of(ConnectionHandle connection, Class<T> kind) {
        return kind.cast(Proxy.newProxyInstance(
                SessionHandle.class.getClassLoader(), new Class<?>[] {kind}, new SessionHandle(connection, kind)));
    }

    @Override
    Object target(DuramenManagedConnection managed) {
        return managed.session();
    }

    @Override
    Method method(Method called) throws Exception {
        String name = called.getName();
        if (Refused.IN_CONTAINER.contains(name)) {
            throw Refused.inContainer("Session." + name);
        }
        if (refused.contains(name)) {
            throw new IllegalStateException(name + " is not for this kind of session");
        }
        return called.getDeclaringClass() == Session.class ? called : older(called);
    }

    private static Method older(Method called) throws NoSuchMethodException {
        Class<?>[] types = called.getParameterTypes();
        types[0] = jakarta.jms.Destination.class;
        return NAMES.containsKey(called.getName())
                ? Session.class.getMethod(NAMES.get(called.getName()), types)
                : Session.class.getMethod(called.getName(), called.getParameterTypes());
    }

    @Override
    Exception isClosed() {
        return new IllegalStateException("the session is closed");
    }

    @Override
    Exception told(JMSException e) {
        return e;
    }

    @Override
    void onClosed() {
        // The connection is the application's to close.
    }
}
