package io.duramen.ra.outbound;

import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenContext;
import io.duramen.jms.session.DuramenSession;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.ConcurrentHashMap;

/** Thread-safe. A context of an application in a server: the simplified API over a pooled connection and its session. */
final class ContextHandle extends SharedUse {
    /** The client's context, over a session that is not its own. */
    private static final class Shared extends DuramenContext {
        private final DuramenManagedConnection managed;

        Shared(DuramenManagedConnection managed) {
            super(managed.physical(), SESSION_TRANSACTED);
            this.managed = managed;
        }

        @Override
        protected DuramenSession newSession(DuramenConnection over, int mode) {
            return managed.session();
        }
    }

    private boolean autoStart = true;
    private Shared shared;

    private ContextHandle(ConnectionHandle connection) {
        super(connection, ConcurrentHashMap.newKeySet());
    }

    /** The context alone has that connection, and closes it. */
    static JMSContext over(ConnectionHandle connection) {
        return (JMSContext) Proxy.newProxyInstance(
                ContextHandle.class.getClassLoader(), new Class<?>[] {JMSContext.class}, new ContextHandle(connection));
    }

    @Override
    synchronized Object target(DuramenManagedConnection managed) {
        if (shared == null || shared.managed != managed) {
            shared = new Shared(managed);
            shared.setAutoStart(autoStart);
        }
        return shared;
    }

    @Override
    synchronized void closeChildren() {
        super.closeChildren();
        if (shared != null) {
            autoStart = shared.getAutoStart();
            shared = null;
        }
    }

    @Override
    Method method(Method called) {
        String name = called.getName();
        if (Refused.IN_CONTAINER.contains(name) || name.equals("createContext")) {
            throw JmsErrors.unchecked(Refused.inContainer("JMSContext." + name));
        }
        return called;
    }

    @Override
    Exception isClosed() {
        return new IllegalStateRuntimeException("the context is closed");
    }

    @Override
    Exception told(JMSException e) {
        return JmsErrors.unchecked(e);
    }

    @Override
    void onClosed() throws JMSException {
        connection().close();
    }
}
