package io.duramen.node.management;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MBeanServerFactory;
import org.jolokia.server.core.request.BadRequestException;
import org.jolokia.server.core.request.EmptyResponseException;
import org.jolokia.server.core.request.JolokiaRequest;
import org.jolokia.server.core.request.NotChangedException;
import org.jolokia.server.core.service.api.JolokiaContext;
import org.jolokia.server.core.service.request.AbstractRequestHandler;
import org.jolokia.server.core.util.HttpMethod;
import org.jolokia.server.core.util.RequestType;
import org.jolokia.server.core.util.jmx.SingleMBeanServerAccess;
import org.jolokia.service.jmx.LocalRequestHandler;

/**
 * Has Jolokia carry out requests of some types on the one MBean server that it is given, and no operation for a mere link.
 * Thread-safe.
 */
final class GuardedRequests extends AbstractRequestHandler {
    private final LocalRequestHandler usual = new LocalRequestHandler(0);
    private final MBeanServerConnection server;
    private final Set<RequestType> types;

    /** @param types of requests that are carried out */
    GuardedRequests(MBeanServerConnection server, Set<RequestType> types) {
        super("jmx", 0);
        this.server = server;
        this.types = types;
    }

    @Override
    public void init(JolokiaContext context) {
        // What it asks while it starts is of the JVM's own MBeans, in nobody's name: there are none.
        AtomicReference<MBeanServerConnection> shown = new AtomicReference<>(MBeanServerFactory.newMBeanServer());
        SingleMBeanServerAccess access = new SingleMBeanServerAccess(
                forwarding(MBeanServerConnection.class, (method, arguments) -> method.invoke(shown.get(), arguments)));
        usual.init(forwarding(
                JolokiaContext.class,
                (method, arguments) ->
                        method.getName().equals("getMBeanServerAccess") ? access : method.invoke(context, arguments)));
        shown.set(server);
    }

    @FunctionalInterface
    private interface Forward {
        Object call(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T forwarding(Class<T> type, Forward forward) {
        Object proxy = Proxy.newProxyInstance(
                GuardedRequests.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return forward.call(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return type.cast(proxy);
    }

    @Override
    public boolean canHandle(JolokiaRequest request) {
        return usual.canHandle(request);
    }

    @Override
    public <R extends JolokiaRequest> Object handleRequest(R request, Object previous)
            throws IOException, JMException, NotChangedException, BadRequestException, EmptyResponseException {
        if (!types.contains(request.getType())) {
            throw new SecurityException("requests of the type " + request.getType() + " are not carried out");
        }
        if (request.getType() == RequestType.EXEC && request.getHttpMethod() != HttpMethod.POST) {
            throw new SecurityException("operations are called by POST alone: a link must not do anything");
        }
        return usual.handleRequest(request, previous);
    }

    @Override
    public void destroy() throws JMException {
        usual.destroy();
    }
}
